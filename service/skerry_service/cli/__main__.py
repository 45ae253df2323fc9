"""``python -m skerry_service.cli`` is ``skerry``."""

from skerry_service.cli import main

main()
