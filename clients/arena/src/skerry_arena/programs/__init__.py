"""Programs that play: processes of their own, asked by lines of JSON, with limits of time, memory and files."""
