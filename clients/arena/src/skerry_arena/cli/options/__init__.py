"""The options of commands, where several commands have them or one has many."""
