### Everything outside tables, ladders and tournaments, and what all screens share.

## The frame of the page
page-about = About
page-api-docs = API docs
page-ladders = Ladders
page-tournaments = Tournaments
page-language = Language
page-reload = Reload
page-failed = { $what ->
    [table] This table cannot be shown because of an error in this page. The server keeps the game.
   *[screen] This screen cannot be shown because of an error in this page. The server keeps the game.
}
page-wrong = Something went wrong on this page. Reload it to continue.
page-unexpected = The response did not come from the game server. Try again later.
page-silent-server = The server is not responding. Trying again …
page-opening = { $what ->
    [table] Opening the table …
    [analysis] Opening the analysis …
    [ladders] Opening the ladders …
    [tournaments] Opening the tournaments …
   *[instructions] Opening the instructions …
}
page-not-loaded = { $what ->
    [table] The table could not be loaded. Reload the page to try again.
    [analysis] The analysis could not be loaded. Reload the page to try again.
    [ladders] The ladders could not be loaded. Reload the page to try again.
    [tournaments] The tournaments could not be loaded. Reload the page to try again.
   *[instructions] The instructions could not be loaded. Reload the page to try again.
}

## Words that several screens use
seat-name = Seat { $seat }
place = { $place ->
    [1] 1st
    [2] 2nd
    [3] 3rd
   *[other] { $place }th
}
games = { $count ->
    [one] { $count } game
   *[other] { $count } games
}
your-name = Your name
join-code = Join code
player = Player
watch = Watch
replay = Replay
level-random = random
level-easy = easy
level-medium = medium
level-hard = hard
level-expert = expert

## Notifications
notify = Notify me when it is my turn
notify-blocked = The browser blocks notifications of this site. Allow them in its settings.
your-turn-title = Your turn: { $title }

## The lobby
lobby-title = Island board games
lobby-lead = Play right now, with friends or against bots. No account, nothing to install.
lobby-own = Your games
lobby-open = Open tables
lobby-none-open = No open tables right now.
lobby-playing = Games in progress
lobby-continue = Continue
lobby-join = Join
lobby-action = { $verb }: { $title }
lobby-needs-code = needs a code
lobby-waiting = waiting for players
lobby-your-turn = your turn
lobby-cancelled = cancelled
lobby-open-seat = open

## Finished games
finished-title = Your finished games
finished-counts = { $title }: { $games ->
    [one] { $games } game
   *[other] { $games } games
}, { $wins ->
    [one] { $wins } win
   *[other] { $wins } wins
}
finished-result = { $date } · { $place } with { $points ->
    [one] { $points } point
   *[other] { $points } points
}

## A new table
new-title = Start a game
new-game = Game
new-by = A game by { $author }.
new-play = Play
new-create = Create table
new-learn = Learn
new-how = How to play { $title }
new-find = Find opponents
new-find-explained = “Find opponents” looks for { $others ->
    [one] 1 other person who wants
   *[other] { $others } other people who want
} to play this game with the same settings, without bots.
new-players = Players
new-bots = Bots
new-strength = Bot strength
new-clock = Time limit
new-hints = Players may ask what a strong player would do
new-list = List it under open tables
new-list-alone = List it, so that others can watch
new-undo = Moves can be taken back until something is revealed or another player moves
new-code = Require a code to join (your link includes it)
new-substitutes = A bot takes over for anyone away for two minutes
new-alone = You against { $bots ->
    [one] 1 bot
   *[other] { $bots } bots
}. The game starts at once.
new-others = You, { $others ->
    [one] 1 other player
   *[other] { $others } other players
}{ $bots ->
    [0] { "" }
    [one] { " and 1 bot" }
   *[other] { " and " }{ $bots } bots
}. You get a link to invite them.
new-edition = Edition
new-variants = Variants

## Time limits
clock-none = none
clock-bank = 3 minutes each + 2 seconds per turn
clock-turn = 30 seconds per turn
clock-days = 3 days per turn

## How to play
how-loading = Loading …
how-facts = By { $author } · { $least }–{ $most } players · { $age }+ · { $shortest ->
    [about] about { $longest }
   *[other] { $shortest }–{ $longest }
} minutes
how-win = How to win
how-set-up = Set-up
how-turn = A turn
how-example = Example: { $title }
how-hints = Hints
how-marks = Marks of numbered rules: { $marks }.

## The games
canarias-blurb = Settle your own island. Every settler wants the right neighbours, and pirates come by ship.
canarias-islands = Islands
canarias-islands-chosen = each player chooses
canarias-islands-dealt = dealt at random
canarias-deck = Settlers
canarias-deck-single = 54 different cards
canarias-deck-triples = 18 different cards, three of each
kreta-blurb = Send villagers, ships and an abbot across old Crete, and be the strongest where a fort is scored.
small-islands-blurb = Lay tiles of sea and land, watch islands grow, and build houses where they meet your secret objective.
small-islands-mode = Objectives
small-islands-mode-basic = one card with a mission and its reward
small-islands-mode-advanced = two cards: combine a mission and a reward
small-islands-start = Starting tiles
small-islands-start-standard = standard layout
small-islands-start-free = laid by the first player
tenerife-blurb = Lay characters face down, watch them act one after the other, and rob the character in front of yours.
tenerife-turbulent = Turbulent variant: two colours and two thieves each
tenerife-ships = Ships for exporters and merchants
tenerife-two = two
tenerife-three = three
tenerife-farmer = Farmers can work in Puerto de la Cruz
no = no
yes = yes

## The search for opponents
search-ended = Search ended
search-running = Looking for opponents
search-setup = { $title }, { $players ->
    [one] { $players } player
   *[other] { $players } players
}, { $time }{ $variants ->
    [yes] , with variants
   *[no] { "" }
}
search-no-clock = no time limit
search-clock = with a time limit
search-offline = The connection is lost. Trying again …
search-found = A match is found.
search-declined = Another player did not accept, so the search goes on. You keep your place. { $standing }
search-held = You did not accept an earlier match, so you wait before the next one.
search-asking = Asking who else is looking …
search-alone = Nobody else is looking for such a table right now. You can play something else while you wait.
search-others = { $others ->
    [one] 1 other player is looking
   *[other] { $others } other players are looking
} for such a table.{ $left ->
    [0] { "" }
    [one] { " 1 more is needed." }
   *[other] { " " }{ $left } more are needed.
}
search-waited = You have waited { $time }.
search-next = The next match can come in { $time }.
search-keep-tab = Keep this tab open: it rings when a match is found.
search-bots-meanwhile = { $bots ->
    [one] Play a bot meanwhile
   *[other] Play bots meanwhile
}
search-bots = { $bots ->
    [one] Play a bot
   *[other] Play bots
}
search-open-table = Open a table instead
search-stop = Stop looking
search-stop-short = Stop
search-retry-in = You can search again in { $time }.
search-again = Search again
search-close = Close
search-page-closed = Your search stopped when this page was closed.
search-you-declined = You declined the match. If you search again, you wait a little before the next match.
search-no-answer = You did not answer in time, so your search has ended. If you search again, you wait a little before the next match.

## A match
match-tab = Match found! – Skerry
match-title = Match found
match-who = You and { $others ->
    [one] 1 other player
   *[other] { $others } other players
}. You see who it is at the table.
match-accepted = Accepted. Waiting for { $others ->
    [one] the other player
   *[other] the others
} …
match-decline = Decline
match-accept = Accept
