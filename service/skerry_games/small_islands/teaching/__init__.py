"""What teaches Small Islands at the table: how to play, and why not."""
