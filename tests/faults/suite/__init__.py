"""Faults as a suite that anyone can run: ``make faults``. Each kind is a module, listed in ``__main__``."""
