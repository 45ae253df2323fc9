# Sentences of every game.

game-over-one-ahead = The game is over: { $winner } is ahead with { $best }.
game-over-several-ahead = The game is over: { $winners } are ahead with { $best } each.

# Why something cannot be played
common-game-over = The game is over: { $reason }
common-over = The game is over.
common-turn-of = It is { $seat }'s turn.
common-playable = You can play this now: { $move }.
common-belongs = This belongs to { $owner }.
common-no-part = This plays no part now.
common-now = { $why } { $task }.
common-watching = You are watching: only the players move.
common-chance = The next card or tile is drawn by chance.
common-choose-first = First choose one of the lit pieces and places. This can follow.

# Positions in words
common-note = note on { $note }
common-seat = seat { $seat }
common-seat-of = seat { $seat } ({ $player })
common-you = seat { $seat } ({ $player }, you)
common-seat-area = Seat { $seat }

# Instructions
common-to = { $shortest } to { $longest }
common-about = about { $longest }
common-players-age-up-minutes = { $least } to { $most } players · age { $least_age } and up · { $time } minutes · by { $author }
common-how-win = **How to win.** { $aim }
common-set-up = **Set-up**
common-a-turn = **A turn**
common-hints = **Hints**
common-example = **Example: { $title }** ({ $rule })
common-house-edition = House edition: the printed map, cards or tiles are known only in part. Those of this table are a reconstruction, so their names and numbers can differ from the game in the shops.
common-mark-source = the source of the rules states it
common-mark-other = another source states it
common-mark-decided = decided here, because the source is silent or refers to a printed component

# Advice
hint-only = The only legal move is to { $move }.
hint-of-two = A strong player would { $move }. Estimated chance to win: { $best } %. Next best: { $next } ({ $next_best } %).
hint-of-several = A strong player would { $move }. Estimated share of opponents beaten: { $best } %. Next best: { $next } ({ $next_best } %).

# Labels of the table
common-cards-of-seat = Cards of seat { $seat }
common-in-supply = { $pieces } in the supply

# A text that is only a word or a name
words = { $words }

# Malformed moves and options
common-no-seat = Seat { $seat } does not exist in this game.
common-choose-edition = Unknown edition { $edition }. Choose one of: { $editions }.
common-not-a-move = { $move } is not a move of { $game }.
common-unknown-edition = Unknown edition { $edition }. Available: { $editions }.
common-unknown-seat = Unknown seat { $seat }. This table has seats 0 to { $last }.
