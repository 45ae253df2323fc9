"""What teaches Islas Canarias at the table: how to play, and why not."""
