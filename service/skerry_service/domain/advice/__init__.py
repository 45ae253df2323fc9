"""What players learn about a finished game, as values. Pure, like all of ``domain``."""
