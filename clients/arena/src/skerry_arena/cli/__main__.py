"""``python -m skerry_arena.cli`` runs ``skerry-arena``."""

from skerry_arena.cli.main import main

if __name__ == "__main__":
    main()
