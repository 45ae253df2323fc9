### The operators' page.

## The frame of the page
op-title = Skerry: operators
op-about = Operators
op-language = Language
op-overview = Overview
op-sessions = Sessions
op-bans = Bans
op-audit = Audit log
op-key-title = API key
op-key-needed = This server requires an API key with the scope “admin”. The page keeps it until you close this tab.
op-key = Key
op-key-send = Continue
op-wrong = Something is wrong with this page. Reload it.
op-silent-server = The server does not answer.
op-status = The server answered with status { $status }.
op-table = Table: { $name }
op-more = Show more
op-none = none
op-logged = This is logged.
op-type-word = Type “{ $word }” to confirm
op-keep = Keep it

## Overview
op-old-figures = The figures below are those of { $time }.
op-drained = Replica { $replica } is draining. If it answers this page, another one may answer from now on.
op-drain = Drain
op-drain-replica = Drain replica { $replica }
op-drain-title = Drain replica { $replica }?
op-drain-word = drain
op-drain-effect = { $which ->
    [own] The replica that answers this page ends its streams, answers the calls in progress and stops, as after SIGTERM.
   *[other] The replica ends its streams, answers the calls in progress and stops, as after SIGTERM.
} Games stay in the store. Without another replica and without a supervisor, the service is down.
op-replicas = Replicas
op-replica = Replica
op-state = State
op-host = Host
op-host-process = { $host }, process { $process }
op-version = Version
op-up = Up for
op-streams = Streams
op-connections = Connections
op-calls = Calls/s
op-memory = Memory
op-memory-of = { $used } of { $most }
op-action = Action
op-replica-live = live
op-replica-answers = answers this page
op-replica-draining = draining
op-replica-silent = silent for { $time }
op-replica-figures = Figures of other replicas are up to four seconds old. Limits, rejected callers, bots and tickets are
    those of the replica that answers.
op-store = Store
op-round-trip = Round trip
op-no-answer = no answer
op-overdue = Overdue timers
op-bots = Bots
op-decisions = Decisions in progress or waiting
op-waiting-decisions = Waiting for a process
op-matchmaking = Matchmaking
op-no-tickets = No tickets wait at this replica.
op-ruleset = Ruleset
op-tickets = Tickets
op-all-tickets = All
op-longest-wait = Longest wait
op-webhooks = Webhooks
op-pending = Sessions with deliveries to make
op-endpoints = Endpoints
op-failing = Failing endpoints
op-none-failing = No endpoint fails.
op-application = Application
op-endpoint = Endpoint
op-failing-for = Failing for
op-failure = Last failure
op-failed-status = status { $status }
op-failed-timeout = no answer in time
op-failed-refused = connection refused
op-failed-host = unknown host
op-switched-off = (switched off)
op-limits = Limits
op-no-limits = No limit was reached.
op-limit = Limit
op-reached = Reached
op-rejected = Rejected callers
op-none-rejected = No caller was rejected.
op-address = Address
op-reason = Reason
op-times = Times
op-last = Last
op-ago = { $time } ago

## Sessions
op-game = Game
op-any = any
op-session-state = { $state ->
    [SESSION_STATE_LOBBY] lobby
    [SESSION_STATE_PLAYING] playing
    [SESSION_STATE_FINISHED] finished
   *[SESSION_STATE_CANCELLED] cancelled
}
op-damaged = damaged
op-visibility = { $visibility ->
    [VISIBILITY_PUBLIC] public
   *[VISIBILITY_UNLISTED] unlisted
}
op-label = Label
op-label-form = key:value
op-age = Age
op-at-least = { $time } or more
op-order = Order
op-newest = newest first
op-idle-first = longest idle first
op-search = Search
op-session-id = Session id
op-open = Open
op-session-count = { $count ->
    [one] { $count } session
   *[other] { $count } sessions
}{ $more ->
    [yes] , and more
   *[no] {""}
}.
op-incomplete = The store has more sessions than the server reads for a list, so some may be missing.
op-session = Session
op-listed = Listed
op-players = Players
op-count-of = { $count } of { $all }
op-entries = Entries
op-idle = Idle for
op-labels = Labels

## A session
op-all-sessions = All sessions
op-session-title = Session { $session }
op-end = End session
op-end-title = End session?
op-end-word = end
op-end-effect = { $players ->
    [one] Session { $session } of { $game } ends at once, with { $players } player in it.
   *[other] Session { $session } of { $game } ends at once, with { $players } players in it.
} Its log says that an operator cancelled it. This cannot be undone.
op-game-ruleset = { $game }, ruleset { $ruleset }
op-spectators = Spectators
op-spectating = { $spectating ->
    [SPECTATING_ANYONE] anyone
    [SPECTATING_INVITED] invited
   *[SPECTATING_NOBODY] nobody
}
op-log-entries = Entries in the log
op-delayed-entries = { $sequence }, of which spectators see { $shown }
op-streams-here = Open streams here
op-seats = Seats
op-seat = Seat
op-occupant = Occupant
op-turn = Turn
op-to-act = to act
op-clock = Clock
op-running = { $time }, running
op-occupant-kind = { $kind ->
    [OCCUPANT_PLAYER] player
    [OCCUPANT_BOT] bot
    [OCCUPANT_KEPT] kept
   *[OCCUPANT_OPEN] open
}
op-away = { $kind }, away
op-with-level = { $kind } ({ $level })
op-level = { $level ->
    [random] random
    [easy] easy
    [medium] medium
    [hard] hard
   *[expert] expert
}
op-substitute = bot ({ $level }) for a player ({ $cause ->
    [SUBSTITUTE_CAUSE_LEFT] left
    [SUBSTITUTE_CAUSE_RESIGNED] resigned
    [SUBSTITUTE_CAUSE_OUT_OF_TIME] out of time
   *[SUBSTITUTE_CAUSE_ABSENT] absent
})

## Ladders and tournaments
op-competitions = Ladders and tournaments
op-ladders = Ladders
op-no-ladders = This server has no ladders.
op-ladder = Ladder
op-ladder-state = { $state ->
    [LADDER_STATE_OPEN] open
   *[LADDER_STATE_CLOSED] closed
}
op-game-seats = { $game }, { $seats ->
    [one] { $seats } seat
   *[other] { $seats } seats
}
op-season = Season
op-playing = Games in play
op-waiting-bots = Bots waiting
op-results = Results
op-entrants = Entrants
op-leaders = Leaders
op-tournaments = Tournaments
op-no-tournaments = This server has no tournaments.
op-tournament = Tournament
op-tournament-id = Id
op-tournament-state = { $state ->
    [TOURNAMENT_STATE_OPEN] open
    [TOURNAMENT_STATE_RUNNING] running
    [TOURNAMENT_STATE_FINISHED] finished
   *[TOURNAMENT_STATE_CANCELLED] cancelled
}
op-starts = open, starts { $time }
op-more-tournaments = There are other tournaments. The command skerry admin tournaments lists all.
op-resting = Bots that rest
op-none-rests = No bot rests.
op-bot = Bot
op-rests-since = Rests since
op-last-game = Last failed game
op-contact = Contact
op-rest-until = A bot rests after three failures in succession, until its author wakes it or registers a version.

## Bans
op-kind = Kind
op-kind-address = address or network
op-kind-key = API key
op-kind-player = player id
op-subject = Address, key or id
op-for = For
op-ban = Ban
op-ban-title = Ban caller?
op-ban-word = ban
op-ban-effect = { $kind ->
    [address] The server rejects all calls of the address or network { $subject } for { $time } and ends their streams.
    [key] The server rejects all calls of the API key { $subject } for { $time } and ends their streams.
   *[playerId] The server rejects all calls of the player id { $subject } for { $time } and ends their streams.
} Games go on. The caller receives the reason: { $reason }
op-no-bans = Nobody is banned.
op-banned = Banned
op-left = Left
op-by = By
op-lift = Lift
op-lift-ban = Lift the ban of { $subject }
op-lift-title = Lift ban?
op-lift-word = lift
op-lift-effect = The server accepts calls of { $subject } again.
op-banned-key = key { $key }
op-banned-player = player { $player }

## Audit log
op-no-audit = No operator has changed anything.
op-time = Time
op-operator = Operator
op-resource = Resource
op-outcome = Outcome
op-details = Details
