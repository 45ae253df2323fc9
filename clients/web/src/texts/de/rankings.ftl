### Was Ranglisten und Turniere gemeinsam haben.

rankings-terms = { $game }, { $players } Spieler
rankings-show-more = Mehr zeigen
rankings-standings = Tabelle
rankings-now = Jetzt
rankings-latest = Letzte Partien
rankings-none-finished = Noch keine beendeten Partien.
rankings-points = Punkte
rankings-games = Partien
rankings-playing = { $count ->
    [one] { $count } laufende Partie
   *[other] { $count } laufende Partien
}
rankings-finished = { $count ->
    [one] { $count } beendete Partie
   *[other] { $count } beendete Partien
}
rankings-plays = spielt
rankings-won = Sieg
rankings-tied = Remis
rankings-lost = verloren
rankings-place = { $place } von { $count }
rankings-void = zählt nicht
rankings-clock-bank = { $time } pro Spieler
rankings-clock-increment = { $time } pro Spieler + { $more } pro Zug
rankings-clock-turn = { $time } pro Zug
