"""What teaches Tenerife at the table: how to play, and why not."""
