### The analysis of a finished game.

analysis = Analysis
analysis-chance = Chance to win after entry { $entry }:
analysis-looking = Looking for the moves that counted …
analysis-running = Analysing … { $share }
analysis-no-swings = No single move changed the chances much.
analysis-swings = Largest swings
analysis-swing = Shows the table before this move. Play from here is beside the result.
