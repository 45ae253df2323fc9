# Nomen aller Spiele
-point = der Punkt, des Punktes, die Punkte
-card = die Karte, der Karte, die Karten
-tile = das Plättchen, des Plättchens, die Plättchen
-house = das Haus, des Hauses, die Häuser

# Beschriftungen aller Spiele
-phase = Phase
-turn = Am Zug
-hand = Hand
-table = Tisch
-supply = Vorrat
-cards = Karten
-tiles = Plättchen
-points = Punkte
-edition = Ausgabe

# Sätze aller Spiele
game-over-one-ahead = Das Spiel ist zu Ende: { $winner } führt mit { FORM($best, "dat") }.
game-over-several-ahead = Das Spiel ist zu Ende: { $winners } führen mit je { FORM($best, "dat") }.

# Warum etwas nicht geht
common-game-over = Das Spiel ist zu Ende: { $reason }
common-over = Das Spiel ist zu Ende.
common-turn-of = { $seat } ist am Zug.
common-playable = Das kannst du jetzt spielen: { $move }.
common-belongs = Das gehört { $owner }.
common-no-part = Das spielt jetzt keine Rolle.
common-now = { $why } { $task }.
common-watching = Du schaust zu: Nur die Spieler ziehen.
common-chance = Die nächste Karte oder das nächste Plättchen bestimmt der Zufall.
common-choose-first = Wähle zuerst etwas, das leuchtet. Dies kann danach folgen.

# Stellungen in Worten
common-note = Hinweis zu { $note }
common-seat = Platz { $seat }
common-seat-of = Platz { $seat } ({ $player })
common-you = Platz { $seat } ({ $player }, du)
common-seat-area = Platz { $seat }

# Anleitungen
common-to = { $shortest } bis { $longest }
common-about = etwa { $longest }
common-players-age-up-minutes = { $least } bis { $most } Spieler · ab { $least_age } Jahren · { $time } Minuten · von { $author }
common-how-win = **Spielziel.** { $aim }
common-set-up = **Spielvorbereitung**
common-a-turn = **Ein Zug**
common-hints = **Tipps**
common-example = **Beispiel: { $title }** ({ $rule })
common-house-edition = Hausausgabe: Der gedruckte Plan, die Karten oder Plättchen sind nur zum Teil bekannt. Die an diesem Tisch sind nachempfunden, also können Namen und Zahlen vom Spiel im Laden abweichen.
common-mark-source = steht in der Quelle der Regeln
common-mark-other = steht in einer anderen Quelle
common-mark-decided = hier entschieden, weil die Quelle schweigt oder auf gedrucktes Material verweist

# Rat
hint-only = Der einzige erlaubte Zug: { $move }.
hint-of-two = Ein starker Spieler würde { $move }. Geschätzte Gewinnchance: { $best } %. Danach der beste Zug: { $next } ({ $next_best } %).
hint-of-several = Ein starker Spieler würde { $move }. Geschätzter Anteil geschlagener Gegner: { $best } %. Danach der beste Zug: { $next } ({ $next_best } %).

# Beschriftungen des Tisches
common-cards-of-seat = Karten von Platz { $seat }
common-in-supply = { $pieces } im Vorrat
-face-down-card = verdeckte Karte

# Ein Text, der nur ein Wort oder ein Name ist
words = { $words }

# Malformed moves and options
common-no-seat = Den Platz { $seat } gibt es in diesem Spiel nicht.
common-choose-edition = Die Ausgabe { $edition } ist unbekannt. Wähle eine von: { $editions }.
common-not-a-move = { $move } ist kein Zug von { $game }.
common-unknown-edition = Die Ausgabe { $edition } ist unbekannt. Es gibt: { $editions }.
common-unknown-seat = Den Platz { $seat } gibt es nicht. Dieser Tisch hat die Plätze 0 bis { $last }.
