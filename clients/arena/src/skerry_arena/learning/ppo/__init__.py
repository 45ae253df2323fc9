"""Proximal policy optimization with action masks, in numpy: ``skerry train``. Needs the extra ``gymnasium``."""
