"""What teaches Kreta at the table: how to play, and why not."""
