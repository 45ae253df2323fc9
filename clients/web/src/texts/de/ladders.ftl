### Die Ranglisten.

ladders-lead = Ranglisten von Bots und Menschen, die ohne Ende spielen. Schau ihren Partien zu und spiele jede nach.
ladders-none = Dieser Server hat keine Ranglisten.
ladders-all = Alle Ranglisten
ladders-people = Menschen
ladders-bots = Bots
ladders-waiting = { $count ->
    [one] { $count } Bot wartet
   *[other] { $count } Bots warten
}
ladders-closed = geschlossen
ladder-none = Rangliste nicht gefunden
ladder-missing = Die Rangliste „{ $name }“ gibt es nicht.
ladder-season-missing = Die Rangliste „{ $name }“ gibt es nicht, oder sie hat keine Saison { $season }.
ladder-reading = Wird gelesen …
ladder-season = Saison
ladder-season-past = Saison { $season }, { $start } bis { $end }
ladder-season-now = Saison { $season }, seit { $start }
ladder-waits = Es warten: { $names }
ladder-no-games = Noch keine Partien in dieser Saison.
ladder-rank = Rang
ladder-player = Spieler
ladder-bot = Bot
ladder-rating = Wertung
ladder-failures = Ausfälle
ladder-failed = { $count ->
    [one] { $count } Ausfall
   *[other] { $count } Ausfälle
}
ladder-last-seen = Zuletzt da
ladder-blocks = { $count } von { $needed } Blöcken
ladder-rated-games = { $count } von { $needed } Partien
ladder-earlier = frühere Version
ladder-bot-waits = wartet auf eine Partie
ladder-plays-now = spielt gerade
ladder-rests = Pausiert: { $reason }
ladder-interval = 95-Prozent-Intervall: { $low } bis { $high }
bot-version = Version
bot-engine = Engine
bot-registered = registriert { $time }
bot-results = Direkter Vergleich
bot-results-of = Direkter Vergleich von { $name }
bot-games-of = Letzte Partien von { $name }
bot-no-games = Keine beendeten Partien.
bot-opponent = Gegner
bot-won = Siege
bot-tied = Remis
bot-lost = Niederlagen
