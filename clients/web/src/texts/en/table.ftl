### The table: the waiting room, the game and its result.

## The frame
table-none = Table not available
table-loading = Loading the game …
table-private = Only the players can see this game until it is over.
table-cancelled = This game was cancelled. It has no result.
table-cancelled-by-host = The host cancelled this game. It has no result.
table-cancelled-by-operator = The server operator cancelled this game. It has no result.
table-all = All tables
table-lost = Connection lost. Your game is safe.
table-retry = Trying again in { $seconds } s.
table-offline = The page reconnects when your network is back.

## The header
status-your-turn = Your turn: { $task }.
status-turn = { $names }: { $task }.
status-move = make a move
status-chance-next = Chance decides what happens next.
status-moment = One moment …
status-paused = The game is paused until a player returns.
status-chance = Chance decides …
status-own-move = Your move …
status-plays = { $names } plays …
status-won = { $names } { $count ->
    [one] wins
   *[other] share the win
}. { $reason }
delay = You are watching with a delay.
delay-entries = You are watching with a delay of { $count } log entries.
delay-seconds = You are watching with a delay of { $count } seconds.
clock-left = { $name } has { $time } left
clock-own = You have { $time } left

## The players
players-list = Players
players-you = you
players-points = { " points" }
players-moves = moves
players-to-move = to move
players-has = What { $name } has
away = Away
substitute = { $cause ->
    [SUBSTITUTE_CAUSE_LEFT] { "Left. " }
    [SUBSTITUTE_CAUSE_RESIGNED] { "Resigned. " }
    [SUBSTITUTE_CAUSE_ABSENT] { "Away for too long. " }
    [SUBSTITUTE_CAUSE_OUT_OF_TIME] { "Out of time. " }
   *[other] { "" }
}A bot plays{ $level ->
    [none] { "" }
   *[other] { " (" }{ $level })
}.{ $seat ->
    [open] { " The seat is open." }
   *[taken] { "" }
}
emote-say = Say …
emote-group = Say to everyone at the table
emote-hello = Hello!
emote-luck = Good luck!
emote-played = Well played!
emote-thanks = Thanks!
emote-oops = Oops!
emote-game = Good game!

## The board
board = The board
board-own = Your cards and pieces
board-area = { $label }: { $owner }
board-yours = yours
board-confirm = confirm: { $move }
board-undo = undo
board-fit = Fit
board-smaller = Smaller
board-larger = Larger
board-turn-tile = Turn the tile (R)

## What the player decides
choices = What you can do
choices-undo = Undo
choices-undo-move = Undo move
choices-list = List
choices-list-rest = { " of moves" }
choices-confirm = Confirm
choices-sending = Sending your move …
choices-watching = You are watching.
choices-keys = keys { $keys }
dock-back = Back to the table
dock-result = Result
dock-log = Log
dock-log-rest = { " and more" }
dock-past = You are looking at an earlier moment of the game.
dock-now = Back to now
hint-ask = What would a strong player do?
hint-short = Hint
hint-thinking = Thinking …
skip = Skip
missed = { $count ->
    [one] 1 move
   *[other] { $count } moves
} by { $name }
missed-show = Show

## A lesson
lesson = Lesson
lesson-step = { $number } of { $count }:
lesson-watch = Watch what your opponents do …
lesson-play-on = Play on
lesson-next = Next
lesson-skip = Skip the lesson
lesson-play = Play against { $level }
lesson-not-now = Not now. Choose what the lesson has marked.

## The drawer
drawer = About this game
drawer-log = Log
drawer-how = How to play
drawer-rules = Rules
drawer-table = Table
drawer-keys = Keys
drawer-all-rules = All numbered rules
setting-confirm = Confirm each move
setting-sound = Sounds
setting-emotes = Show emotes

## Keys
keys = Keyboard shortcuts
keys-arrows = Go to the nearest option on the board or in your hand
keys-shift-arrow = Shift + arrow
keys-dark = Go to the nearest place or piece. Enter says why you cannot choose it now
keys-digits = Choose this move of the list. Type both digits where it shows two
keys-tab = Go to the next option. With Shift, go to the previous one
keys-space = Space
keys-enter = Choose it, and then confirm the move
keys-undo = Take back your latest move, where that is possible
keys-escape = Undo the choice, or skip the animation
keys-replay = In the replay: go one entry back or forward
keys-ends = In the replay: go to the start or the end
keys-mute = Switch the sounds on or off
keys-help = Show this list
keys-rotate = Turn the tile that you are laying

## The log
log = Game log, newest first
log-player = A player
log-joined = { $name } joins.
log-left = { $name } leaves. A bot takes over.
log-left-lobby = { $name } leaves. The seat is open again.
log-removed = The host removes { $name }. The seat is open again.
log-started = The game starts.
log-away = { $name } is away.
log-returned = { $name } is back.
log-timed-out = { $name } { $cause ->
    [SUBSTITUTE_CAUSE_OUT_OF_TIME] ran out of time.
   *[other] was away for too long.
}{ $action ->
    [TIMEOUT_ACTION_SUBSTITUTE] { " A bot takes over." }
    [TIMEOUT_ACTION_MOVE] { " A random move is played." }
    [TIMEOUT_ACTION_END] { " The game ends." }
   *[other] { "" }
}
log-resigned = { $name } resigns.
log-undone = { $name } takes back a move.
log-nudged = { $name } is reminded that it is their turn.
log-said = { $name }: { $text }
log-seat-opened = The host opens the seat of { $name } to others.
log-cancelled-by-operator = The server operator cancels the game.
log-cancelled = The host cancels the game.
log-created = The table is created.

## The replay
timeline = Replay
timeline-previous = Previous entry
timeline-next = Next entry
timeline-entry = Log entry
timeline-value = entry { $now } of { $last }
timeline-of = { $now } of { $last }
timeline-event = What happened in this entry

## What players and the host can do
seat-lost = You no longer have a seat here. The host has opened it to others.
seat-resigned = You resigned. A bot plays for you.
seat-time-up = Your time is used up. A bot plays for you.
seat-substitute = { $cause ->
    [SUBSTITUTE_CAUSE_LEFT] You left and a bot plays for you.
    [SUBSTITUTE_CAUSE_ABSENT] You were away and a bot plays for you.
    [SUBSTITUTE_CAUSE_OUT_OF_TIME] You ran out of time and a bot plays for you.
   *[other] A bot plays for you.
}
seat-take-back = Take your seat back
remind-title = Remind a player
remind = Remind { $name }
remind-note = Everyone at the table sees the reminder.
leave-title = Leave or resign
leave = Leave
leave-sure = Really leave
leave-note = A bot plays for you until you return.
leave-alone = You are the only player. Bots will finish the game.
resign = Resign
resign-sure = Really resign
resign-ends = You lose, and the game ends.
resign-note = You lose, and a bot plays your seat to the end.
open-seat = Open the seat
open-seat-sure = Really open the seat
open-seat-of = Open the seat of { $name }
open-seat-of-sure = Really open the seat of { $name }?
open-seat-note = Someone else can then take over, and { $name } can no longer return.
open-seat-title = A player does not respond
open-seat-after = If { $name } does not respond for { $time }, you can open the seat. Someone else can then take over.
open-seat-wait = { $name } can still respond. You can open the seat in { $time }.
cancel = Cancel the game
cancel-sure = Really cancel the game
cancel-note = This ends the game without a result.

## The waiting room
room-seated = You have a seat.
room-open = { $count ->
    [one] 1 seat is open.
   *[other] { $count } seats are open.
}
room-waiting = Waiting for { $names }.
room-starts = The game starts when every seat is taken.
room-seats = Seats
room-invite = Invite friends
room-leave = Leave the seat
room-leave-sure = Really leave the seat
room-remove = Remove
room-remove-sure = Really remove
room-remove-of = Remove { $name }
room-remove-of-sure = Really remove { $name }?
room-reserved = reserved for the bot { $bot }
room-open-seat = open seat
room-bot = bot: { $level }
room-absent = not here yet
room-start = Start without waiting
room-fill = Fill open seats with bots
room-fewer = Start with fewer players
join-code-note = The link includes the join code { $code }. Without it, players must type the code.
join-link = Anyone with this link can join
join-link-code = Anyone with this link and the code can join
join-copy = Copy link
join-copied = Copied

## The result
result = Result
result-winner = { $count ->
    [one] wins
   *[other] share the win
} with { $points }
result-points = { $points ->
    [one] { " point" }
   *[other] { " points" }
}
result-ranking = Ranking
result-rank = Rank
result-player = Player
result-score = Points
result-resigned = { " resigned" }
result-sources = Where the points came from
result-total = Total
result-join-rematch = Join the rematch
result-again = Play again
result-go-rematch = Go to the rematch
result-look = Look through
result-download = Download replay
result-tournament = Tournament
result-rematch-ready = The table for the rematch is ready.
result-fork = Play from here
result-entropy = Your browser added its own random number to the seed before the deal.
result-seed-kept = The server's seed is the one that it had fixed before.
result-entropy-lost = The server did not use the random number that your browser added to the seed.
result-seed-changed = The server changed its seed after you had joined.
share = Share
share-copied = The link is copied.
share-copy = Copy this link: { $url }
analysis-start = Analyse the game
