"""The benchmarks: ``python -m tests.benchmarks``. Method: ``docs/explanation/benchmarks.md``."""
