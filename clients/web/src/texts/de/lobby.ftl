### Alles außerhalb von Tischen, Ranglisten und Turnieren, und was alle Seiten brauchen.

## Der Rahmen der Seite
page-about = Über Skerry
page-api-docs = API-Doku
page-ladders = Ranglisten
page-tournaments = Turniere
page-language = Sprache
page-reload = Neu laden
page-failed = { $what ->
    [table] Wegen eines Fehlers wird der Tisch nicht angezeigt. Der Server bewahrt die Partie auf.
   *[screen] Wegen eines Fehlers wird diese Seite nicht angezeigt. Der Server bewahrt die Partie auf.
}
page-wrong = Auf dieser Seite ist ein Fehler aufgetreten. Lade sie neu, um fortzufahren.
page-unexpected = Die Antwort kam nicht vom Spielserver. Versuche es später noch einmal.
page-silent-server = Der Server antwortet nicht. Neuer Versuch …
page-opening = { $what ->
    [table] Der Tisch wird
    [analysis] Die Analyse wird
    [ladders] Die Ranglisten werden
    [tournaments] Die Turniere werden
   *[instructions] Die Spielanleitung wird
} geöffnet …
page-not-loaded = { $what ->
    [table] Der Tisch wurde
    [analysis] Die Analyse wurde
    [ladders] Die Ranglisten wurden
    [tournaments] Die Turniere wurden
   *[instructions] Die Spielanleitung wurde
} nicht geladen. Lade die Seite neu.

## Wörter, die mehrere Seiten brauchen
seat-name = Platz { $seat }
place = { $place }.
games = { $count ->
    [one] { $count } Partie
   *[other] { $count } Partien
}
your-name = Dein Name
join-code = Code
player = Spieler
watch = Zuschauen
replay = Nachspielen
level-random = Zufall
level-easy = leicht
level-medium = mittel
level-hard = schwer
level-expert = Experte

## Benachrichtigungen
notify = Benachrichtige mich, wenn ich am Zug bin
notify-blocked = Der Browser blockiert Benachrichtigungen dieser Seite. Erlaube sie in seinen Einstellungen.
your-turn-title = Du bist am Zug: { $title }

## Die Startseite
lobby-title = Insel-Brettspiele
lobby-lead = Spiele sofort, mit Freunden oder gegen Bots. Ohne Konto, ohne Installation.
lobby-own = Deine Partien
lobby-open = Offene Tische
lobby-none-open = Gerade ist kein Tisch offen.
lobby-playing = Laufende Partien
lobby-continue = Weiterspielen
lobby-join = Mitspielen
lobby-action = { $verb }: { $title }
lobby-needs-code = nur mit Code
lobby-waiting = wartet auf Spieler
lobby-your-turn = du bist am Zug
lobby-cancelled = abgebrochen
lobby-open-seat = frei

## Beendete Partien
finished-title = Deine beendeten Partien
finished-counts = { $title }: { $games ->
    [one] { $games } Partie
   *[other] { $games } Partien
}, { $wins ->
    [one] { $wins } Sieg
   *[other] { $wins } Siege
}
finished-result = { $date } · { $place } Platz mit { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkten
}

## Ein neuer Tisch
new-title = Neue Partie
new-game = Spiel
new-by = Ein Spiel von { $author }.
new-play = Spielen
new-create = Tisch eröffnen
new-learn = Lernen
new-how = { $title }: So wird gespielt
new-find = Gegner suchen
new-find-explained = „Gegner suchen“ findet { $others } Mitspieler für dieses Spiel mit denselben Einstellungen, ohne Bots.
new-players = Spieler
new-bots = Bots
new-strength = Stärke der Bots
new-clock = Bedenkzeit
new-hints = Spieler dürfen um Tipps bitten
new-list = Unter den offenen Tischen anzeigen
new-list-alone = Anzeigen, damit andere zuschauen können
new-undo = Züge zurücknehmen, bis etwas aufgedeckt wird oder ein anderer zieht
new-code = Mitspielen nur mit Code (dein Link enthält ihn)
new-substitutes = Ein Bot übernimmt, wenn jemand zwei Minuten weg ist
new-alone = Du gegen { $bots ->
    [one] 1 Bot
   *[other] { $bots } Bots
}. Die Partie beginnt sofort.
new-others = Du, { $others } Mitspieler{ $bots ->
    [0] { "" }
    [one] { " und 1 Bot" }
   *[other] { " und " }{ $bots } Bots
}. Du bekommst einen Link zum Einladen.
new-edition = Ausgabe
new-variants = Varianten

## Bedenkzeiten
clock-none = unbegrenzt
clock-bank = 3 Minuten pro Spieler + 2 Sekunden pro Zug
clock-turn = 30 Sekunden pro Zug
clock-days = 3 Tage pro Zug

## Die Spielanleitung
how-loading = Wird geladen …
how-facts = Von { $author } · { $least }–{ $most } Spieler · ab { $age } Jahren · { $shortest ->
    [about] ca. { $longest }
   *[other] { $shortest }–{ $longest }
} Minuten
how-win = Spielziel
how-set-up = Spielvorbereitung
how-turn = Ein Zug
how-example = Beispiel: { $title }
how-hints = Tipps
how-marks = Zeichen bei nummerierten Regeln: { $marks }.

## Die Spiele
canarias-blurb = Besiedle deine eigene Insel. Jeder Siedler will die richtigen Nachbarn, und mit dem Schiff kommen Piraten.
canarias-islands = Inseln
canarias-islands-chosen = jeder Spieler wählt
canarias-islands-dealt = zufällig verteilt
canarias-deck = Siedler
canarias-deck-single = 54 verschiedene Karten
canarias-deck-triples = 18 verschiedene Karten, jede dreimal
kreta-blurb = Schicke Dorfbewohner, Schiffe und einen Abt durch das alte Kreta und sei am stärksten, wo eine Festung gewertet wird.
small-islands-blurb = Lege Plättchen aus Meer und Land, lass Inseln wachsen und baue Häuser, wo sie zu deinem geheimen Auftrag passen.
small-islands-mode = Aufträge
small-islands-mode-basic = eine Karte mit Bedingung und Belohnung
small-islands-mode-advanced = zwei Karten: Bedingung und Belohnung verbinden
small-islands-start = Startplättchen
small-islands-start-standard = fest ausgelegt
small-islands-start-free = der Startspieler legt sie
tenerife-blurb = Lege Figurenkarten verdeckt, sieh zu, wie eine nach der anderen wirkt, und beraube die Karte vor deiner.
tenerife-turbulent = Turbulente Variante: je zwei Farben und zwei Diebe
tenerife-ships = Schiffe für Exporteure und Händler
tenerife-two = zwei
tenerife-three = drei
tenerife-farmer = Bauern dürfen in Puerto de la Cruz arbeiten
no = nein
yes = ja

## Die Suche nach Gegnern
search-ended = Suche beendet
search-running = Gegner werden gesucht
search-setup = { $title }, { $players } Spieler, { $time }{ $variants ->
    [yes] , mit Varianten
   *[no] { "" }
}
search-no-clock = unbegrenzte Bedenkzeit
search-clock = mit begrenzter Bedenkzeit
search-offline = Die Verbindung ist unterbrochen. Neuer Versuch …
search-found = Eine Partie ist gefunden.
search-declined = Jemand hat nicht angenommen, darum geht die Suche weiter. Du behältst deinen Platz. { $standing }
search-held = Du hast eine frühere Partie nicht angenommen, darum wartest du vor der nächsten.
search-asking = Es wird gefragt, wer noch sucht …
search-alone = Gerade sucht niemand sonst einen solchen Tisch. Spiele etwas anderes, während du wartest.
search-others = Andere Spieler, die einen solchen Tisch suchen: { $others }.{ $left ->
    [0] { "" }
    [one] { " 1 Spieler fehlt noch." }
   *[other] { " " }{ $left } Spieler fehlen noch.
}
search-waited = Du wartest seit { $time }.
search-next = Die nächste Partie kann in { $time } kommen.
search-keep-tab = Lass diesen Tab offen: Er klingelt, wenn eine Partie gefunden ist.
search-bots-meanwhile = { $bots ->
    [one] Solange gegen einen Bot spielen
   *[other] Solange gegen Bots spielen
}
search-bots = { $bots ->
    [one] Gegen einen Bot spielen
   *[other] Gegen Bots spielen
}
search-open-table = Lieber einen Tisch eröffnen
search-stop = Suche beenden
search-stop-short = Beenden
search-retry-in = In { $time } kannst du wieder suchen.
search-again = Noch einmal suchen
search-close = Schließen
search-page-closed = Deine Suche endete, als diese Seite geschlossen wurde.
search-you-declined = Du hast die Partie abgelehnt. Wenn du noch einmal suchst, wartest du etwas bis zur nächsten Partie.
search-no-answer = Du hast nicht rechtzeitig geantwortet, darum ist deine Suche beendet. Wenn du noch einmal suchst, wartest du etwas bis zur nächsten Partie.

## Eine gefundene Partie
match-tab = Partie gefunden! – Skerry
match-title = Partie gefunden
match-who = Du und { $others } Mitspieler. Wer es ist, siehst du am Tisch.
match-accepted = Angenommen. Warten auf { $others ->
    [one] den anderen
   *[other] die anderen
} …
match-decline = Ablehnen
match-accept = Annehmen
