"""The commands of ``skerry tournament`` about tournaments that a server holds."""
