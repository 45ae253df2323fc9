"""The statistics of a tournament. They follow from the settings and the log, and know no folder and no report.

The unit is the block: blocks are independent, but the games of a block are not. So intervals come from resampling
blocks with replacement.
"""
