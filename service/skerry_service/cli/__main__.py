"""``python -m skerry_service.cli`` runs ``skerry``."""

from skerry_service.cli import main

if __name__ == "__main__":
    main()
