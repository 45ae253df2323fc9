"""The benchmarks: ``python -m tests.benchmarks``. What each section measures, and how: ``docs/benchmarks.md``."""
