### The ladders.

ladders-lead = Rankings of bots and people that play without end. Watch their games, and replay every one.
ladders-none = This server has no ladders.
ladders-all = All ladders
ladders-people = people
ladders-bots = bots
ladders-waiting = { $count ->
    [one] { $count } bot waiting
   *[other] { $count } bots waiting
}
ladders-closed = closed
ladder-none = Ladder not found
ladder-missing = The ladder “{ $name }” does not exist.
ladder-season-missing = The ladder “{ $name }” does not exist, or has no season { $season }.
ladder-reading = Reading the ladder …
ladder-season = Season
ladder-season-past = Season { $season }, { $start } to { $end }
ladder-season-now = Season { $season }, since { $start }
ladder-waits = Waiting: { $names }
ladder-no-games = No games in this season yet.
ladder-rank = Rank
ladder-player = Player
ladder-bot = Bot
ladder-rating = Rating
ladder-failures = Failures
ladder-failed = { $count ->
    [one] { $count } failure
   *[other] { $count } failures
}
ladder-last-seen = Last seen
ladder-blocks = { $count } of { $needed } blocks
ladder-rated-games = { $count } of { $needed } games
ladder-earlier = earlier version
ladder-bot-waits = waits for a game
ladder-plays-now = plays now
ladder-rests = Rests: { $reason }
ladder-interval = 95 percent interval: { $low } to { $high }
bot-version = Version
bot-engine = engine
bot-registered = registered { $time }
bot-results = Head to head
bot-results-of = Head to head of { $name }
bot-games-of = Latest games of { $name }
bot-no-games = No finished games.
bot-opponent = Opponent
bot-won = Won
bot-tied = Tied
bot-lost = Lost
