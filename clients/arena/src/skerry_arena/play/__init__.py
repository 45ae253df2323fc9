"""One game: who is asked, how long he may think, what becomes of those who fail, and what is written of it."""
