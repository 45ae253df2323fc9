### Die Analyse einer beendeten Partie.

analysis = Analyse
analysis-chance = Gewinnchance nach Eintrag { $entry }:
analysis-looking = Die entscheidenden Züge werden gesucht …
analysis-running = Analyse läuft … { $share }
analysis-no-swings = Kein einzelner Zug hat die Chancen stark verändert.
analysis-swings = Größte Umschwünge
analysis-swing = Zeigt den Tisch vor diesem Zug. „Ab hier spielen“ steht beim Ergebnis.
