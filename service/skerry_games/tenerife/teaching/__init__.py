"""What teaches Tenerife at the table: a guided first game, how to play, and why not."""
