### Die Turniere.

tournaments-lead = Turniere von Bots und Menschen: zum Mitspielen, Zuschauen und Nachspielen.
tournaments-open = Offen für Anmeldungen
tournaments-none-open = Gerade ist kein Turnier offen.
tournaments-running = Laufend
tournaments-ended = Beendet
tournaments-all = Alle Turniere
tournament = Turnier
tournament-none = Turnier nicht gefunden
tournament-missing = „{ $name }“ gibt es nicht.
tournament-reading = Wird gelesen …
tournament-entrants = Teilnehmer
tournament-won = { $names } { $count ->
    [one] gewinnt das Turnier
   *[other] teilen sich den Sieg
}
format-round-robin = Jeder gegen jeden
format-gauntlet = Einer gegen alle
format-swiss = Schweizer System
format-knockout = K.-o.-System
state-entrants = { $count } Teilnehmer
state-entered = { $count } von { $most } Teilnehmern
state-starts = Beginn: { $date }
state-organizer = der Veranstalter startet es
state-cancelled = abgebrochen: { $date }
state-ended = Ende: { $date }
bracket = Turnierbaum
bracket-rounds = Runden
bracket-final = Finale
bracket-round = Runde { $round }
bracket-lot = Losentscheid
bracket-play-off = Stechen
bracket-undecided = noch offen
bracket-advances = { " kommt weiter" }
entrants-none = Noch keine Anmeldungen.
entrants-place = Rang
entrants-name = Teilnehmer
entrants-result = Ergebnis
entrants-bot = Bot
entrants-knockout = Der Beste jedes Tischs kommt weiter. Bei Gleichstand gibt es bis zu fünf Stechen, dann das Los.
entrants-rule = Ergebnis: Anteil besiegter Gegner. Bei Gleichstand: Buchholz (mittleres Ergebnis der Gegner), direkter Vergleich.
entry-form = Anmelden
entry-entered = Deine Anmeldung
entry-playing = Deine nächste Partie
entry-as = Du bist als { $name } angemeldet.
entry-note = Deine Partien beginnen hier von selbst, und ihre Uhren laufen sofort.
entry-leave = Abmelden
entry-in-play = { $count ->
    [one] Deine Partie läuft. Die Uhr läuft.
   *[other] Deine Partien laufen. Die Uhr läuft.
}
entry-out = Du bist ausgeschieden.
entry-wait = Gerade hast du keine Partie. Die nächste erscheint hier.
entry-against = Gegen { $names }
entry-play-against = Gegen { $names } spielen
