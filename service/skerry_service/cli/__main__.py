"""``python -m skerry_service.cli`` is ``skerry``."""

from skerry_service.cli.app import main

main()
