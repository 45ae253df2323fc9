### Die Seite für Betreiber.

## Der Rahmen der Seite
op-title = Skerry: Betreiber
op-about = Betreiber
op-language = Sprache
op-overview = Übersicht
op-sessions = Partien
op-bans = Sperren
op-audit = Protokoll
op-key-title = API-Schlüssel
op-key-needed = Dieser Server verlangt einen API-Schlüssel mit dem Recht „admin“. Die Seite behält ihn, bis du diesen Tab
    schließt.
op-key = Schlüssel
op-key-send = Weiter
op-wrong = Auf dieser Seite ist ein Fehler aufgetreten. Lade sie neu.
op-silent-server = Der Server antwortet nicht.
op-status = Der Server hat mit dem Status { $status } geantwortet.
op-table = Tabelle: { $name }
op-more = Mehr zeigen
op-none = keine
op-logged = Das wird protokolliert.
op-type-word = Tippe zur Bestätigung „{ $word }“
op-keep = Lassen

## Übersicht
op-old-figures = Die Zahlen unten sind von { $time }.
op-drained = Replikat { $replica } leert sich. Wenn es diese Seite beantwortet hat, antwortet ab jetzt vielleicht ein anderes.
op-drain = Leeren
op-drain-replica = Replikat { $replica } leeren
op-drain-title = Replikat { $replica } leeren?
op-drain-word = leeren
op-drain-effect = { $which ->
    [own] Das Replikat, das diese Seite beantwortet, beendet seine Streams, beantwortet laufende Aufrufe und hält an, wie
        nach SIGTERM.
   *[other] Das Replikat beendet seine Streams, beantwortet laufende Aufrufe und hält an, wie nach SIGTERM.
} Die Partien bleiben im Speicher. Ohne ein anderes Replikat und ohne Supervisor steht der Dienst still.
op-replicas = Replikate
op-replica = Replikat
op-state = Zustand
op-host = Host
op-host-process = { $host }, Prozess { $process }
op-version = Version
op-up = Läuft seit
op-streams = Streams
op-connections = Verbin­dungen
op-calls = Aufrufe/s
op-memory = RAM
op-memory-of = { $used } von { $most }
op-action = Aktion
op-replica-live = läuft
op-replica-answers = beantwortet diese Seite
op-replica-draining = leert sich
op-replica-silent = stumm seit { $time }
op-replica-figures = Zahlen anderer Replikate sind bis zu vier Sekunden alt. Limits, abgewiesene Aufrufer, Bots und Tickets
    sind die des Replikats, das antwortet.
op-store = Speicher
op-round-trip = Umlaufzeit
op-no-answer = keine Antwort
op-overdue = Überfällige Timer
op-bots = Bots
op-decisions = Laufende oder wartende Entscheidungen
op-waiting-decisions = Warten auf einen Prozess
op-matchmaking = Spielersuche
op-no-tickets = An diesem Replikat warten keine Tickets.
op-ruleset = Regelwerk
op-tickets = Tickets
op-all-tickets = Alle
op-longest-wait = Am längsten
op-webhooks = Webhooks
op-pending = Partien mit ausstehenden Zustellungen
op-endpoints = Endpunkte
op-failing = Fehlschlagende Endpunkte
op-none-failing = Kein Endpunkt schlägt fehl.
op-application = Anwendung
op-endpoint = Endpunkt
op-failing-for = Schlägt fehl seit
op-failure = Letzter Fehler
op-failed-status = Status { $status }
op-failed-timeout = keine Antwort in der Zeit
op-failed-refused = Verbindung abgelehnt
op-failed-host = unbekannter Host
op-switched-off = (abgeschaltet)
op-limits = Limits
op-no-limits = Kein Limit wurde erreicht.
op-limit = Limit
op-reached = Erreicht
op-rejected = Abgewiesene Aufrufer
op-none-rejected = Kein Aufrufer wurde abgewiesen.
op-address = Adresse
op-reason = Grund
op-times = Wie oft
op-last = Zuletzt
op-ago = vor { $time }

## Partien
op-game = Spiel
op-any = alle
op-session-state = { $state ->
    [SESSION_STATE_LOBBY] vor dem Start
    [SESSION_STATE_PLAYING] läuft
    [SESSION_STATE_FINISHED] beendet
   *[SESSION_STATE_CANCELLED] abgebrochen
}
op-damaged = beschädigt
op-visibility = { $visibility ->
    [VISIBILITY_PUBLIC] öffentlich
   *[VISIBILITY_UNLISTED] nicht gelistet
}
op-label = Label
op-label-form = Name:Wert
op-age = Alter
op-at-least = { $time } oder mehr
op-order = Reihenfolge
op-newest = neueste zuerst
op-idle-first = längste Ruhe zuerst
op-search = Suchen
op-session-id = ID der Partie
op-open = Öffnen
op-session-count = { $count ->
    [one] { $count } Partie
   *[other] { $count } Partien
}{ $more ->
    [yes] {" "}und weitere
   *[no] {""}
}.
op-incomplete = Der Speicher hat mehr Partien, als der Server für eine Liste liest. Deshalb können welche fehlen.
op-session = Partie
op-listed = Sichtbarkeit
op-players = Spieler
op-count-of = { $count } von { $all }
op-entries = Einträge
op-idle = Ruht seit
op-labels = Labels

## Eine Partie
op-all-sessions = Alle Partien
op-session-title = Partie { $session }
op-end = Partie beenden
op-end-title = Partie beenden?
op-end-word = beenden
op-end-effect = { $players ->
    [one] Partie { $session } von { $game } endet sofort, mit { $players } Spieler am Tisch.
   *[other] Partie { $session } von { $game } endet sofort, mit { $players } Spielern am Tisch.
} In ihrem Verlauf steht, dass ein Betreiber sie abgebrochen hat. Das lässt sich nicht rückgängig machen.
op-game-ruleset = { $game }, Regelwerk { $ruleset }
op-spectators = Zuschauer
op-spectating = { $spectating ->
    [SPECTATING_ANYONE] alle
    [SPECTATING_INVITED] eingeladene
   *[SPECTATING_NOBODY] niemand
}
op-log-entries = Einträge im Verlauf
op-delayed-entries = { $sequence }, davon sehen Zuschauer { $shown }
op-streams-here = Offene Streams hier
op-seats = Plätze
op-seat = Platz
op-occupant = Besetzt mit
op-turn = Zug
op-to-act = am Zug
op-clock = Uhr
op-running = { $time }, läuft
op-occupant-kind = { $kind ->
    [OCCUPANT_PLAYER] Spieler
    [OCCUPANT_BOT] Bot
    [OCCUPANT_KEPT] freigehalten
   *[OCCUPANT_OPEN] offen
}
op-away = { $kind }, abwesend
op-with-level = { $kind } ({ $level })
op-level = { $level ->
    [random] zufällig
    [easy] leicht
    [medium] mittel
    [hard] schwer
   *[expert] Experte
}
op-substitute = Bot ({ $level }) für einen Spieler ({ $cause ->
    [SUBSTITUTE_CAUSE_LEFT] gegangen
    [SUBSTITUTE_CAUSE_RESIGNED] aufgegeben
    [SUBSTITUTE_CAUSE_OUT_OF_TIME] Zeit abgelaufen
   *[SUBSTITUTE_CAUSE_ABSENT] abwesend
})

## Ranglisten und Turniere
op-competitions = Ranglisten und Turniere
op-ladders = Ranglisten
op-no-ladders = Dieser Server hat keine Ranglisten.
op-ladder = Rangliste
op-ladder-state = { $state ->
    [LADDER_STATE_OPEN] offen
   *[LADDER_STATE_CLOSED] geschlossen
}
op-game-seats = { $game }, { $seats ->
    [one] { $seats } Platz
   *[other] { $seats } Plätze
}
op-season = Saison
op-playing = Laufende Partien
op-waiting-bots = Wartende Bots
op-results = Ergebnisse
op-entrants = Teilnehmer
op-leaders = An der Spitze
op-tournaments = Turniere
op-no-tournaments = Dieser Server hat keine Turniere.
op-tournament = Turnier
op-tournament-id = ID
op-tournament-state = { $state ->
    [TOURNAMENT_STATE_OPEN] offen
    [TOURNAMENT_STATE_RUNNING] läuft
    [TOURNAMENT_STATE_FINISHED] beendet
   *[TOURNAMENT_STATE_CANCELLED] abgesagt
}
op-starts = offen, beginnt { $time }
op-more-tournaments = Es gibt weitere Turniere. Der Befehl skerry admin tournaments nennt alle.
op-resting = Pausierende Bots
op-none-rests = Kein Bot pausiert.
op-bot = Bot
op-rests-since = Pausiert seit
op-last-game = Letzter Fehler in
op-contact = Kontakt
op-rest-until = Ein Bot pausiert nach drei Ausfällen hintereinander, bis sein Autor ihn weckt oder eine Version registriert.

## Sperren
op-kind = Art
op-kind-address = Adresse oder Netz
op-kind-key = API-Schlüssel
op-kind-player = Spieler-ID
op-subject = Adresse, Schlüssel oder ID
op-for = Dauer
op-ban = Sperren
op-ban-title = Aufrufer sperren?
op-ban-word = sperren
op-ban-effect = { $kind ->
    [address] Der Server weist { $time } lang alle Aufrufe der Adresse oder des Netzes { $subject } ab und beendet ihre
        Streams.
    [key] Der Server weist { $time } lang alle Aufrufe des API-Schlüssels { $subject } ab und beendet ihre Streams.
   *[playerId] Der Server weist { $time } lang alle Aufrufe der Spieler-ID { $subject } ab und beendet ihre Streams.
} Partien gehen weiter. Der Aufrufer erhält den Grund: { $reason }
op-no-bans = Niemand ist gesperrt.
op-banned = Gesperrt
op-left = Noch
op-by = Von
op-lift = Aufheben
op-lift-ban = Sperre von { $subject } aufheben
op-lift-title = Sperre aufheben?
op-lift-word = aufheben
op-lift-effect = Der Server nimmt Aufrufe von { $subject } wieder an.
op-banned-key = Schlüssel { $key }
op-banned-player = Spieler { $player }

## Protokoll
op-no-audit = Kein Betreiber hat etwas geändert.
op-time = Zeit
op-operator = Betreiber
op-resource = Ressource
op-outcome = Ergebnis
op-details = Einzelheiten
