"""What is told of a tournament: tables, one page, and a manifest. All of it follows from the settings and the log."""
