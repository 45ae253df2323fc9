### The tournaments.

tournaments-lead = Cups of bots and people. Enter one, watch its games, and replay every one.
tournaments-open = Open for entry
tournaments-none-open = No tournament is open for entry now.
tournaments-running = Running
tournaments-ended = Ended
tournaments-all = All tournaments
tournament = Tournament
tournament-none = Tournament not found
tournament-missing = The tournament “{ $name }” does not exist.
tournament-reading = Reading the tournament …
tournament-entrants = Entrants
tournament-won = { $names } { $count ->
    [one] wins the tournament
   *[other] share the first place
}
format-round-robin = Round robin
format-gauntlet = Gauntlet
format-swiss = Swiss
format-knockout = Knockout
state-entrants = { $count ->
    [one] { $count } entrant
   *[other] { $count } entrants
}
state-entered = { $count } of { $most } entrants
state-starts = starts on { $date }
state-organizer = the organizer starts it
state-cancelled = cancelled on { $date }
state-ended = ended on { $date }
bracket = Bracket
bracket-rounds = Rounds
bracket-final = Final
bracket-round = Round { $round }
bracket-lot = decided by lot
bracket-play-off = play-off
bracket-undecided = not decided yet
bracket-advances = { " advances" }
entrants-none = Nobody has entered yet.
entrants-place = Place
entrants-name = Entrant
entrants-result = Result
entrants-bot = bot
entrants-knockout = The best of each table advances. Ties are played off up to five times, then the lot decides.
entrants-rule = Result: the share of opponents beaten. Tie-breaks: Buchholz, the mean result of the opponents, then head to head.
entry-form = Enter
entry-entered = Your entry
entry-playing = Your next game
entry-as = You have entered as { $name }.
entry-note = Your games begin by themselves, and their clocks run at once. Find them here.
entry-leave = Leave the tournament
entry-in-play = { $count ->
    [one] Your game is in play. The clock runs.
   *[other] Your games are in play. The clock runs.
}
entry-out = You have lost your table and are out of the tournament.
entry-wait = No game for you now. The next one appears here when it begins.
entry-against = Against { $names }
entry-play-against = Play against { $names }
