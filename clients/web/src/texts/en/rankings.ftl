### What ladders and tournaments share.

rankings-terms = { $game }, { $players ->
    [one] { $players } player
   *[other] { $players } players
}
rankings-show-more = Show more
rankings-standings = Standings
rankings-now = Now
rankings-latest = Latest games
rankings-none-finished = No finished games yet.
rankings-points = Points
rankings-games = Games
rankings-playing = { $count ->
    [one] { $count } game in play
   *[other] { $count } games in play
}
rankings-finished = { $count ->
    [one] { $count } finished game
   *[other] { $count } finished games
}
rankings-plays = plays
rankings-won = won
rankings-tied = tied
rankings-lost = lost
rankings-place = { $place } of { $count }
rankings-void = does not count
rankings-clock-bank = { $time } each
rankings-clock-increment = { $time } each + { $more } per turn
rankings-clock-turn = { $time } per turn
