### Der Tisch: der Warteraum, die Partie und ihr Ergebnis.

## Der Rahmen
table-none = Tisch nicht verfügbar
table-loading = Die Partie wird geladen …
table-private = Diese Partie sehen nur die Spieler, bis sie zu Ende ist.
table-cancelled = Diese Partie wurde abgebrochen. Sie hat kein Ergebnis.
table-cancelled-by-host = Der Gastgeber hat diese Partie abgebrochen. Sie hat kein Ergebnis.
table-cancelled-by-operator = Der Betreiber des Servers hat diese Partie abgebrochen. Sie hat kein Ergebnis.
table-all = Alle Tische
table-lost = Verbindung unterbrochen. Deine Partie ist sicher.
table-retry = Neuer Versuch in { $seconds } s.
table-offline = Die Seite verbindet sich wieder, sobald dein Netz zurück ist.

## Die Kopfzeile
status-your-turn = Du bist am Zug: { $task }.
status-turn = { $names }: { $task }.
status-move = einen Zug machen
status-chance-next = Der Zufall entscheidet, wie es weitergeht.
status-moment = Einen Moment …
status-paused = Die Partie ruht, bis ein Spieler zurückkehrt.
status-chance = Der Zufall entscheidet …
status-own-move = Dein Zug …
status-plays = { $names } zieht …
status-won = { $names } { $count ->
    [one] gewinnt
   *[other] teilen sich den Sieg
}. { $reason }
delay = Du siehst die Partie mit Verzögerung.
delay-entries = Du siehst die Partie mit einer Verzögerung von { $count ->
    [one] 1 Eintrag
   *[other] { $count } Einträgen
} im Verlauf.
delay-seconds = Du siehst die Partie mit einer Verzögerung von { $count ->
    [one] 1 Sekunde
   *[other] { $count } Sekunden
}.
clock-left = { $name } hat noch { $time }
clock-own = Du hast noch { $time }

## Die Spieler
players-list = Spieler
players-you = du
players-points = { " Punkte" }
players-moves = zieht
players-to-move = am Zug
players-has = Was { $name } hat
away = Abwesend
substitute = { $cause ->
    [SUBSTITUTE_CAUSE_LEFT] { "Gegangen. " }
    [SUBSTITUTE_CAUSE_RESIGNED] { "Aufgegeben. " }
    [SUBSTITUTE_CAUSE_ABSENT] { "Zu lange weg. " }
    [SUBSTITUTE_CAUSE_OUT_OF_TIME] { "Zeit abgelaufen. " }
   *[other] { "" }
}Ein Bot spielt{ $level ->
    [none] { "" }
   *[other] { " (" }{ $level })
}.{ $seat ->
    [open] { " Der Platz ist frei." }
   *[taken] { "" }
}
emote-say = Sagen …
emote-group = Allen am Tisch etwas sagen
emote-hello = Hallo!
emote-luck = Viel Glück!
emote-played = Gut gespielt!
emote-thanks = Danke!
emote-oops = Hoppla!
emote-game = Schöne Partie!

## Der Spielplan
board = Der Spielplan
board-own = Deine Karten und Figuren
board-area = { $label }: { $owner }
board-yours = deins
board-confirm = bestätigen: { $move }
board-undo = zurück
board-fit = Einpassen
board-smaller = Kleiner
board-larger = Größer
board-turn-tile = Plättchen drehen (R)

## Was der Spieler entscheidet
choices = Deine Möglichkeiten
choices-undo = Zurück
choices-undo-move = Zug zurücknehmen
choices-list = Liste
choices-list-rest = { " der Züge" }
choices-confirm = Bestätigen
choices-sending = Dein Zug wird gesendet …
choices-watching = Du schaust zu.
choices-keys = Tasten { $keys }
dock-back = Zurück zum Tisch
dock-result = Ergebnis
dock-log = Verlauf
dock-log-rest = { " und mehr" }
dock-past = Du siehst einen früheren Moment der Partie.
dock-now = Zurück zu jetzt
hint-ask = Was würde ein starker Spieler tun?
hint-short = Tipp
hint-thinking = Der Server überlegt …
skip = Überspringen
missed = { $count ->
    [one] 1 Zug
   *[other] { $count } Züge
} von { $name }
missed-show = Zeigen

## Ein Lernspiel
lesson = Lernspiel
lesson-step = { $number } von { $count }:
lesson-watch = Sieh zu, was deine Gegner tun …
lesson-play-on = Weiterspielen
lesson-next = Weiter
lesson-skip = Lernspiel überspringen
lesson-play = Gegen Bots spielen ({ $level })
lesson-not-now = Jetzt nicht. Wähle, was im Lernspiel markiert ist.

## Die Seitenleiste
drawer = Über diese Partie
drawer-log = Verlauf
drawer-how = Anleitung
drawer-rules = Regeln
drawer-table = Tisch
drawer-keys = Tasten
drawer-all-rules = Alle nummerierten Regeln
setting-confirm = Jeden Zug bestätigen
setting-sound = Töne
setting-emotes = Zurufe zeigen

## Tasten
keys = Tastenkürzel
keys-arrows = Zur nächsten Möglichkeit auf dem Spielplan oder in deiner Hand gehen
keys-shift-arrow = Umschalt + Pfeil
keys-dark = Zum nächsten Ort oder zur nächsten Figur gehen. Enter sagt, warum du sie jetzt nicht wählen kannst
keys-digits = Diesen Zug aus der Liste wählen. Tippe beide Ziffern, wo zwei stehen
keys-tab = Zur nächsten Möglichkeit gehen. Mit Umschalt zur vorigen
keys-space = Leertaste
keys-enter = Die Möglichkeit wählen und danach den Zug bestätigen
keys-undo = Deinen letzten Zug zurücknehmen, wo das erlaubt ist
keys-escape = Die Auswahl zurücknehmen oder die Bewegung überspringen
keys-replay = Beim Nachspielen: einen Eintrag zurück oder vor
keys-ends = Beim Nachspielen: zum Anfang oder zum Ende
keys-mute = Töne ein- oder ausschalten
keys-help = Diese Liste zeigen
keys-rotate = Das Plättchen drehen, das du legst

## Der Verlauf
log = Spielverlauf, das Neueste zuerst
log-player = Ein Spieler
log-joined = { $name } spielt mit.
log-left = { $name } geht. Ein Bot übernimmt.
log-left-lobby = { $name } geht. Der Platz ist wieder frei.
log-removed = Der Gastgeber entfernt { $name }. Der Platz ist wieder frei.
log-started = Die Partie beginnt.
log-away = { $name } ist abwesend.
log-returned = { $name } ist zurück.
log-timed-out = { $cause ->
    [SUBSTITUTE_CAUSE_OUT_OF_TIME] Die Zeit von { $name } ist abgelaufen.
   *[other] { $name } war zu lange weg.
}{ $action ->
    [TIMEOUT_ACTION_SUBSTITUTE] { " Ein Bot übernimmt." }
    [TIMEOUT_ACTION_MOVE] { " Ein zufälliger Zug wird gemacht." }
    [TIMEOUT_ACTION_END] { " Die Partie endet." }
   *[other] { "" }
}
log-resigned = { $name } gibt auf.
log-undone = { $name } nimmt einen Zug zurück.
log-nudged = { $name } wird daran erinnert, am Zug zu sein.
log-said = { $name }: { $text }
log-seat-opened = Der Gastgeber gibt den Platz von { $name } für andere frei.
log-cancelled-by-operator = Der Betreiber des Servers bricht die Partie ab.
log-cancelled = Der Gastgeber bricht die Partie ab.
log-created = Der Tisch ist eröffnet.

## Das Nachspielen
timeline = Nachspielen
timeline-previous = Voriger Eintrag
timeline-next = Nächster Eintrag
timeline-entry = Eintrag im Verlauf
timeline-value = Eintrag { $now } von { $last }
timeline-of = { $now } von { $last }
timeline-event = Was in diesem Eintrag geschah

## Was Spieler und Gastgeber tun können
seat-lost = Du hast hier keinen Platz mehr. Der Gastgeber hat ihn für andere freigegeben.
seat-resigned = Du hast aufgegeben. Ein Bot spielt für dich.
seat-time-up = Deine Zeit ist abgelaufen. Ein Bot spielt für dich.
seat-substitute = { $cause ->
    [SUBSTITUTE_CAUSE_LEFT] Du bist gegangen, und ein Bot spielt für dich.
    [SUBSTITUTE_CAUSE_ABSENT] Du warst weg, und ein Bot spielt für dich.
    [SUBSTITUTE_CAUSE_OUT_OF_TIME] Deine Zeit ist abgelaufen, und ein Bot spielt für dich.
   *[other] Ein Bot spielt für dich.
}
seat-take-back = Deinen Platz wieder einnehmen
remind-title = Einen Spieler erinnern
remind = { $name } erinnern
remind-note = Alle am Tisch sehen die Erinnerung.
leave-title = Gehen oder aufgeben
leave = Gehen
leave-sure = Wirklich gehen
leave-note = Ein Bot spielt für dich, bis du zurückkehrst.
leave-alone = Du bist der einzige Spieler. Bots spielen die Partie zu Ende.
resign = Aufgeben
resign-sure = Wirklich aufgeben
resign-ends = Du verlierst, und die Partie endet.
resign-note = Du verlierst, und ein Bot spielt für dich bis zum Ende.
open-seat = Platz freigeben
open-seat-sure = Platz wirklich freigeben
open-seat-of = Platz von { $name } freigeben
open-seat-of-sure = Platz von { $name } wirklich freigeben?
open-seat-note = Dann kann jemand anders übernehmen, und { $name } kann nicht mehr zurückkehren.
open-seat-title = Jemand antwortet nicht
open-seat-after = Wenn { $name } { $time } lang nichts tut, kannst du den Platz freigeben. Dann kann jemand anders übernehmen.
open-seat-wait = { $name } kann noch antworten. In { $time } kannst du den Platz freigeben.
cancel = Partie abbrechen
cancel-sure = Partie wirklich abbrechen
cancel-note = Die Partie endet dann ohne Ergebnis.

## Der Warteraum
room-seated = Du hast einen Platz.
room-open = { $count ->
    [one] 1 Platz ist frei.
   *[other] { $count } Plätze sind frei.
}
room-waiting = Warten auf { $names }.
room-starts = Die Partie beginnt, wenn alle Plätze besetzt sind.
room-seats = Plätze
room-invite = Freunde einladen
room-leave = Platz verlassen
room-leave-sure = Platz wirklich verlassen
room-remove = Entfernen
room-remove-sure = Wirklich entfernen
room-remove-of = { $name } entfernen
room-remove-of-sure = { $name } wirklich entfernen?
room-reserved = für den Bot { $bot } reserviert
room-open-seat = freier Platz
room-bot = Bot: { $level }
room-absent = noch nicht hier
room-start = Ohne Warten beginnen
room-fill = Freie Plätze mit Bots besetzen
room-fewer = Mit weniger Spielern beginnen
join-code-note = Der Link enthält den Code { $code }. Ohne ihn müssen Spieler den Code eintippen.
join-link = Wer diesen Link hat, kann mitspielen
join-link-code = Wer diesen Link und den Code hat, kann mitspielen
join-copy = Link kopieren
join-copied = Kopiert

## Das Ergebnis
result = Ergebnis
result-winner = { $count ->
    [one] gewinnt
   *[other] teilen sich den Sieg
} mit { $points }
result-points = { $points ->
    [one] { " Punkt" }
   *[other] { " Punkten" }
}
result-ranking = Rangfolge
result-rank = Rang
result-player = Spieler
result-score = Punkte
result-resigned = { " aufgegeben" }
result-sources = Woher die Punkte kamen
result-total = Summe
result-join-rematch = Zur Revanche
result-again = Noch einmal spielen
result-go-rematch = Zur Revanche
result-look = Durchsehen
result-download = Partie herunterladen
result-tournament = Turnier
result-rematch-ready = Der Tisch für die Revanche ist bereit.
result-fork = Ab hier spielen
result-entropy = Dein Browser hat dem Zufall vor dem Geben eine eigene Zahl hinzugefügt.
result-seed-kept = Die Zufallszahl des Servers ist die, die er vorher festgelegt hatte.
result-entropy-lost = Der Server hat die Zahl nicht benutzt, die dein Browser dem Zufall hinzugefügt hat.
result-seed-changed = Der Server hat seine Zufallszahl geändert, nachdem du dazugekommen warst.
share = Teilen
share-copied = Der Link ist kopiert.
share-copy = Kopiere diesen Link: { $url }
analysis-start = Partie analysieren
