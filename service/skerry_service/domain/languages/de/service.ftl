# Errors with parameters
error-no-game = Dieser Server hat kein Spiel { $game }.
error-wrong-cell = { $name } gehört zur Zelle { $cell }, dieser Server nicht. Rufe jene Zelle.
error-unknown-cell = Der Aufruf verlangt die Zelle { $cell }, und dieser Server gehört zu { $own }. Verlange eine Zelle des Dienstes oder keine.
error-no-session = Die Partie { $session } gibt es nicht oder nicht mehr.
error-no-season = Die Rangliste { $ladder } hat keine Saison { $season }.
error-no-ladder = Die Rangliste { $ladder } gibt es nicht.
error-no-tournament = Das Turnier { $tournament } gibt es nicht.
error-no-bot = Der Bot { $bot } ist nicht registriert.
error-no-endpoint = Dieser API-Schlüssel hat keinen Webhook-Endpunkt { $endpoint }.
error-seat-reserved = Dieser Platz ist für den Bot { $bot } reserviert, der sein Bot-Token senden muss.
error-scope = Dieser Aufruf braucht einen API-Schlüssel mit der Berechtigung { $scopes }.
error-not-your-turn = Du bist nicht am Zug. Am Zug { $number -> [one] ist *[other] sind } { $players }.
error-not-started-at = Bei Eintrag { $entry } hatte das Spiel noch nicht begonnen.
error-seat-taken = Platz { $seat } ist besetzt.
error-no-player = Auf Platz { $seat } sitzt niemand.
error-not-to-act = { $name } ist jetzt nicht am Zug.
error-in-play = { $players } { $number -> [one] spielt *[other] spielen } noch. Nur ein Spiel ohne Spieler kann
    abgebrochen werden.
error-tournament-closed = Das Turnier { $tournament } lässt das nicht zu: { $why }.
tournament-full = es hat { $entrants } Teilnehmer und ist voll
tournament-few = es hat { $entrants } Teilnehmer und braucht { $needed }
tournament-state = { $state -> [open] die Anmeldung läuft noch [running] es läuft schon [finished] es ist beendet *[cancelled]
    es ist abgesagt }
error-ladder-closed = Die Rangliste { $ladder } beginnt keine neuen Spiele von Bots: { $why }.
ladder-versions = ihre Saison hat { $most } Versionen von Bots
ladder-games = ihre Saison hat { $most } Spiele
ladder-versions-of-key = dieser API-Schlüssel hat { $most } Versionen in ihrer Saison
error-version-outdated = Das ist nicht die neueste Version des Bots { $bot }. Registriere diesen Hash.
error-bot-rests = Der Bot { $bot } ruht nach drei Fehlern hintereinander, dem letzten in { $session }: { $reason }
    Behebe den Fehler und registriere ihn neu, oder wecke ihn.
error-name-taken = Den Namen { $name } gibt es { $place -> [tournament] in diesem Turnier *[table] an diesem Tisch }
    schon. Wähle einen anderen Namen.
error-seat-open = Platz { $seat } ist frei, aber die Option { $option } nennt ihn. Besetze den Platz, oder beginne mit
    Bots.
error-too-few-seats = { $taken -> [one] 1 Platz ist *[other] { $taken } Plätze sind } besetzt. Dieses Spiel braucht {
    $playable }.
error-ruleset = Die Partie hat das Regelwerk { $ruleset }, das dieser Server nicht unterstützt. Er unterstützt {
    $supported }.
error-format = Dieser Server zeichnet keine Bilder im Format { $format }. { $advice }
error-stale = Die Sequenz { $expected } ist veraltet: Die Partie ist bei { $sequence }. Lies die Partie neu.
error-ahead = Die Sequenz { $named } liegt hinter dem Ende des Verlaufs bei { $sequence }. Lies die Partie neu.
error-damaged = Die gespeicherten Daten der Partie { $session } sind beschädigt. Wende dich an den Betreiber.
error-no-replica = Kein laufendes Replikat hat die ID { $replica }, oder seine Version lässt sich nicht von einem anderen
    Replikat aus leeren. Sende einen Namen aus GetOverview, oder rufe ohne Namen den Betreiber-Port des Replikats selbst
    auf.
error-no-ban = Die Sperre { $ban } gibt es nicht. Sie ist abgelaufen oder wurde aufgehoben.
error-banned = { $banned -> [address] Diese Adresse [key] Dieser API-Schlüssel *[player] Dieser Spieler } ist noch {
    $time } gesperrt. Grund: { $why }
ban-days = { $number } Tage
ban-hours = { $number } Stunden
ban-minutes = { $number } Minuten
ban-seconds = { $number -> [one] 1 Sekunde *[other] { $number } Sekunden }
error-seat-kept = Platz { $seat } ist besetzt. Wenn sein Spieler nichts tut, kannst du ihn in { $seconds } s
    freigeben.
error-bot-turn = Ein Bot spielt gerade den Zug von Platz { $seat }. Steige ein, wenn der Zug vorbei ist.
error-seat-not-yours = Platz { $seat } gehört dir nicht.
error-your-seats = Du hast die Plätze { $seats }. Nenne einen davon.
error-seats = Diese Partie hat die Plätze 0 bis { $last }.
error-unknown-field = { $message } enthält ein Feld, das dieser Server nicht kennt. Entferne es, oder aktualisiere den
    Server.
error-no-field = { $message } hat kein Feld { $name }. Prüfe die Schreibweise.
limit-bans = Dieser Server hat { $most } Sperren. Hebe eine auf, oder sperre ein Netz.
limit-tournaments = Dieser Server hat { $most } Turniere.
limit-own-tournaments = Du hast { $most } offene oder laufende Turniere. Sage eines ab.
limit-emotes = Du hast { $most } Emotes gesendet, die Höchstzahl eines Spiels.
limit-emote-now = Du hast gerade ein Emote gesendet. Sende das nächste in { $seconds } s.
limit-undos = Du hast { $most } Züge dieser Runde zurückgenommen, die Höchstzahl.
limit-nudged = { $name } wurde vor Kurzem angestupst. Stupse in { $seconds } s wieder an.
limit-nudge-early = { $name } ist erst seit Kurzem am Zug. Stupse in { $seconds } s an.
limit-kept-seats = { $players } { $number -> [one] hat *[other] haben } noch nicht geantwortet. Plätze dieser Revanche
    sind freigehalten.
limit-returns = Platz { $seat } wurde schon { $most }-mal von einem Ersatz übernommen, die Höchstzahl.
limit-entries = Diese Partie hat { $entries } Einträge. Dieser Aufruf ist nur für Partien mit weniger als { $most }.
limit-own-analyses = Du wartest auf { $most } Analysen, die Höchstzahl. Frage später noch einmal.
limit-analyses = { $most } Analysen warten auf die Bots dieses Servers. Frage später noch einmal.

# Grenzen von Aufrufen
limit-rate = Die Grenze { $per -> [address] einer Adresse [server] aller Aufrufer zusammen *[key] eines API-Schlüssels } ist {
    $rate } ({ $counts }). Versuche es in { $wait } wieder.
limit-at-once = Mehr als { $most } geht nicht ({ $counts }). { $advice }
wait-seconds = { $seconds } Sekunden
-hour = die Stunde, der Stunde, die Stunden
-minute = die Minute, der Minute, die Minuten
-close-one-first = Schließe zuerst eine.
-wait-until-one-is-drawn = Warte, bis eines gezeichnet ist.
-sessions-created = angelegte Partien
-attempts-to-take-a-seat = Versuche, einen Platz zu nehmen
-png-pictures-being-drawn-in-one-process = PNG-Bilder zugleich in einem Prozess
-png-pictures-for-one-address-being-drawn = PNG-Bilder zugleich für eine Adresse
-animated-pictures-being-drawn-in-one-process = bewegte Bilder zugleich in einem Prozess
-animated-pictures-for-one-address-being-drawn = bewegte Bilder zugleich für eine Adresse
-analyses-of-finished-games-read = gelesene Analysen beendeter Spiele
-connections-open-from-one-address = offene Verbindungen von einer Adresse
-connections-opened = geöffnete Verbindungen
-engine-calls = Aufrufe der Spielregeln
-hints = Tipps
-identity-tokens-verified-valid-or-not-the-process-remembers-valid-ones = geprüfte Identitätstoken, gültig oder nicht
-pages-of-sessions-ladders-and-tournaments-listed = Seiten von Partien, Ranglisten und Turnieren
-pictures = Bilder
-replays-and-past-positions-read = Wiederholungen und frühere Stellungen
-requests-for-sampled-states = Anfragen nach möglichen Stellungen
-requests-to-send-webhooks-again = Anfragen, Webhooks noch einmal zu senden
-sessions-and-games-read = gelesene Partien und Spiele
-spectators-of-one-session-from-one-address = Zuschauer einer Partie von einer Adresse
-spectators-of-one-session-in-one-process = Zuschauer einer Partie in einem Prozess
-starts-labels-removals-and-other-actions-of-hosts-nudges-emotes-moves-taken-back-webhooks = Aktionen von
    Gastgebern, Anstupser, Emotes, zurückgenommene Züge, Webhooks
-streams-of-findmatch-and-findladdergame-from-one-address = Suchen nach Gegnern von einer Adresse
-streams-of-one-session-with-one-host-or-seat-token = Streams einer Partie mit einem Token
-streams-open-from-one-address = offene Streams von einer Adresse
-streams-open-in-one-process = offene Streams in einem Prozess
-streams-open-on-one-connection = offene Streams einer Verbindung
-streams-open-under-one-api-key = offene Streams eines API-Schlüssels
-streams-opened = geöffnete Streams

# Grenzen von Feldern
field-name = Ein Name hat 1 bis { $most } druckbare Zeichen und kein Leerzeichen am Rand.
field-vouched-id = IDs, die mit { $prefix } beginnen, kommen nur von Identitätstoken.
field-player-id = Die ID eines Spielers hat 1 bis { $most } druckbare Zeichen und kein Leerzeichen.
field-labels = Eine Partie hat höchstens { $most } Etiketten, nicht { $number }.
field-label-key = Ein Schlüssel besteht aus einem Kleinbuchstaben und bis zu 31 weiteren Kleinbuchstaben, Ziffern, '_', '.'
    oder '-', anders als { $key }.
field-label-value = Der Wert von { $key } muss 1 bis { $most } druckbare Zeichen haben.
field-level = Die Stufe { $level } ist unbekannt. Nutze { $levels }.
field-range = { $value } liegt außerhalb der Grenzen. Sende eine Zahl von { $least } bis { $most }.
field-range-or-0 = { $value } liegt außerhalb der Grenzen. Sende 0 oder eine Zahl von { $least } bis { $most }.
field-range-or-default = Sende { $least } bis { $most }, oder 0 für den Standard, nicht { $given }.
field-order = Sende eine Reihenfolge, die dieser Server kennt.
field-duration = Sende eine Dauer von 0 oder mehr.
field-entropy = Sende { $bytes } zufällige Bytes, nicht { $number }.
field-seed = Ein Startwert hat { $bytes } Bytes, nicht { $number }.
field-not-allowed = { $value } ist hier nicht erlaubt. Nutze { $allowed }.
field-not-of-enum = { $value } ist kein Wert von { $enum }. Nutze { $allowed }.
field-title = Sende einen Titel mit bis zu { $most } druckbaren Zeichen.
field-entrants = Ein Spiel hat { $seats } Plätze. Erlaube mindestens so viele Teilnehmer.
field-tournament-games = Mit { $entrants } Teilnehmern hat es { $games } Spiele, und { $most } sind erlaubt. Erlaube weniger.
field-ids = Sende höchstens { $most } IDs, nicht { $number }.
field-id = Eine ID hat höchstens { $most } Zeichen.
field-no-thing = Du siehst keinen Ort und keine Figur mit der ID { $id }.
field-use = Nutze { $allowed }.
field-width = Die Breite ist { $least } bis { $most } Pixel, oder 0 für den Standard.
field-pixels = Ein PNG hat höchstens { $most } Pixel, nicht { $width } × { $height }.
field-handle-used = Die Kennung { $handle } ist vergeben. Sende eine neue Zahl.
field-handle-unknown = Die Kennung { $handle } ist nicht angebunden. Binde sie zuerst an.
field-samples = Sende eine Anzahl von 1 bis { $most }, oder keine für einen Zustand.
field-stated-player = Das Identitätstoken nennt den Spieler, { $player }. Lass das weg.
field-resource = Ein solcher Name hat die Form { $kind }s/{ "{" }id{ "}" }.
field-new-id = Sende { $kind }/ und eine ID: einen Kleinbuchstaben und bis zu 31 weitere Kleinbuchstaben, Ziffern oder Bindestriche.
field-number-or-default = Sende eine Zahl von 1 bis { $most }, oder 0 für { $default }.
field-seats-of-game = { $game } hat { $allowed } Plätze, nicht { $seats }.
field-text = Sende bis zu { $most } druckbare Zeichen.
field-combinations = Plätze, Optionen und Uhren haben mehr als { $most } Kombinationen. Sende weniger.
field-party = Ein Tisch mit { $seats } Plätzen ist zu klein für { $players } Spieler.
field-skill-range = Die Spanne ist { $range }. Sende 0 oder mehr.
field-items = Sende höchstens { $most } Einträge, nicht { $number }.
field-seats = Dieses Spiel gibt es nicht mit { $seats } Plätzen. Nutze { $allowed }.
field-rated = Zu einer gewerteten Partie passt das nicht: { $found }. Lass das eine oder das andere weg.
field-no-lesson = { $game } hat keine Lektion. Spiele mit einer Lektion haben Game.lesson.
field-of-lesson = Das bestimmt die Lektion. Setze bei einer Lektion nur { $fields }.
field-event = Das Ereignis { $event } ist keines von { $allowed }. Sende diese, oder keine für alle.
field-most-seats = Kein Spiel hat mehr als { $most } Plätze.
field-url = Sende eine URL mit bis zu { $most } druckbaren ASCII-Zeichen ohne Leerzeichen.
field-page-size = Gib eine Zahl von 1 bis { $most } an, oder 0 für { $default }.
field-reason = Ein Grund hat 1 bis { $most } druckbare Zeichen und kein Leerzeichen am Rand.
field-ban-seconds = Sende ganze Sekunden, von 1 bis { $most } (366 Tage).
field-not-protobuf = Das ist kein { $message } im Binärformat von Protobuf.
field-path-and-body = Im Pfad steht { $value }, und im Rumpf ein anderer Wert. Sende einen Wert.
field-one-of = Das muss eines von { $allowed } sein, nicht { $value }.
field-ladder-exists = Eine Rangliste { $name } mit anderen Einstellungen gibt es schon. Wähle einen anderen Namen.
field-season = Die nächste Saison ist { $next }, nicht { $season }.
field-snapshots = Sende 1 bis { $most } Einträge, nicht { $number }.
field-play-outs = Verlange über alle Zustände zusammen 1 bis { $most } Durchspiele.
field-branch = Sende höchstens { $most } Züge in einem Zweig.
field-ruleset = Dieser Server unterstützt { $supported }. Zustände anderer Regelwerke lehnt er ab.
field-same-seats = Dieses Spiel hat { $seats } Plätze. Sende ebenso viele.
field-entrant = Sende die Nummer des Teilnehmers, der ausscheidet, nicht { $entrant }.

# Entries of a log
entry-joined = { $name } nimmt Platz { $seat }.
entry-left = Wer auf Platz { $seat } spielte, geht.
entry-returned = Wer auf Platz { $seat } spielte, kommt zurück.
entry-recovered = Auf Platz { $seat } geht es mit einem neuen Token weiter.
entry-away = Auf Platz { $seat } ist niemand anwesend.
entry-timed-out = Die Zeit von Platz { $seat } ist abgelaufen.
entry-resigned = Platz { $seat } gibt auf.
entry-undone = Platz { $seat } nimmt einen Zug zurück.
entry-nudged = Platz { $seat } wird angestupst.
entry-emoted = Platz { $seat } sagt: { $words }
entry-seat-opened = Der Gastgeber gibt Platz { $seat } für andere frei.
entry-removed = Der Gastgeber entfernt den Spieler von Platz { $seat }.
end-resigned = { $player } hat aufgegeben.
end-absent = { $player } war zu lange abwesend.
end-out-of-time = Die Zeit von { $player } ist abgelaufen.

# Nachrichten von Spielen
move-empty = Der Zug ist leer. Sende einen Zug von { $game }.
move-of-other-game = Der Zug ist ein Zug von { $other }. Sende einen Zug von { $game }.
options-of-other-game = Das sind Optionen von { $other }. Sende Optionen von { $game }.

# Sentences that the code has in English
say-request-id-was-used = Diese Anfrage-ID wurde für eine andere Anfrage benutzt. Sende eine neue Anfrage-ID.
say-call-needs-token = Dieser Aufruf braucht ein Token.
say-token-malformed-does-not = Das Token ist fehlerhaft oder gehört nicht zu dieser Partie.
say-join-code-missing-wrong = Der Code fehlt oder ist falsch. Frage den Gastgeber oder den Veranstalter danach.
say-no-open-seat-session = Kein freier Platz dieser Partie ist für diesen Bot reserviert.
say-call-needs-api-key = Dieser Aufruf braucht einen API-Schlüssel.
say-api-key-malformed-unknown = Der API-Schlüssel ist fehlerhaft oder unbekannt.
say-game-not-started = Das Spiel hat noch nicht begonnen.
say-game-already-started = Das Spiel hat schon begonnen.
say-game-session-not-finished = Das Spiel dieser Partie ist noch nicht beendet.
say-bot-playing-your-seat = Ein Bot spielt auf deinem Platz. Komm zuerst in die Partie zurück.
say-your-time-was-up = Deine Zeit war abgelaufen, bevor dieser Zug ankam.
say-match-proposal-expired-wait = Dieser Vorschlag ist abgelaufen. Warte auf den nächsten.
say-store-server-full-retry = Der Speicher dieses Servers ist voll. Versuche es später noch einmal.
say-store-unreachable-repeat-call = Der Speicher ist nicht erreichbar. Wiederhole den Aufruf mit derselben Anfrage-ID.
say-server-shutting-down-repeat = Dieser Server wird gerade beendet. Wiederhole den Aufruf mit derselben Anfrage-ID.
say-call-needs-identity-token = Dieser Aufruf braucht ein Identitätstoken des Spielers.
say-keys-identity-token-issuer = Die Schlüssel des Ausstellers des Identitätstokens sind jetzt nicht abrufbar.
    Wiederhole den Aufruf.
say-game-begins = Das Spiel beginnt.
say-session-cancelled = Die Partie ist abgebrochen.
say-hello = Hallo!
say-good-luck = Viel Glück!
say-well-played = Gut gespielt!
say-thanks = Danke!
say-oops = Hoppla!
say-good-game = Gutes Spiel!
say-ranks-people = sie ist für Menschen
say-closed = sie ist geschlossen
say-identity-token-expired-get = Das Identitätstoken ist abgelaufen. Hole ein neues bei seinem Aussteller.
say-call-several-identity-tokens = Der Aufruf hat mehrere Identitätstoken. Sende eines.
say-identity-token-not-jwt = Das Identitätstoken ist kein JWT: drei Teile in base64url, mit Punkten dazwischen.
say-identity-token-no-issuer = Das Identitätstoken hat keinen Aussteller (iss).
say-end-identity-token-exp = Das Ende des Identitätstokens (exp) ist eine Zahl von Sekunden.
say-issuer-iss-identity-token = Der Aussteller (iss) des Identitätstokens ist auf diesem Server nicht registriert.
say-identity-token-signed-key = Das Identitätstoken ist mit einem Schlüssel (kid) signiert, den sein Aussteller nicht
    hat.
say-identity-token-not-valid = Das Identitätstoken ist noch nicht gültig (nbf, iat).
say-identity-token-for-another = Das Identitätstoken ist für einen anderen Empfänger (aud).
say-signature-identity-token-wrong = Die Signatur des Identitätstokens ist falsch.
say-identity-token-claims-are = Das Identitätstoken hat ungültige Angaben.
say-name-one-player-act = Nenne einen Spieler, für den du handelst, mit 1 bis 255 ASCII-Zeichen ohne Leerzeichen.
say-api-key-expired = Der API-Schlüssel ist abgelaufen.
say-api-key-was-withdrawn = Der API-Schlüssel wurde zurückgezogen.
say-send-sequence-position-for = Sende die Sequenz der Stellung, für die du dich entschieden hast.
say-send-time-from-which = Sende die Zeit, ab der Ereignisse noch einmal gesendet werden.
say-send-address-name-key = Sende eine Adresse, den Namen eines Schlüssels oder die Id eines Spielers.
say-send-id-place-piece = Sende die ID eines Ortes oder einer Figur.
say-call-identity-token-player = Der Aufruf hat ein Identitätstoken und einen Spieler, für den er handelt. Sende eines
    davon.
say-server-registers-no-issuers = Dieser Server hat keine Aussteller registriert. Rufe ohne Identitätstoken auf.
say-size-page-must-not = Die Größe einer Seite darf nicht negativ sein.
say-number-tables-must-not = Die Zahl der Tische darf nicht negativ sein.
say-operator-can-install-skerryservicepng = Der Betreiber kann skerry-service[png] installieren. SVG braucht kein
    Paket.
say-send-number-not-0 = Sende eine Zahl, die nicht 0 ist.
say-name-game-form-gamesid = Der Name eines Spiels hat die Form games/{ "{" }id{ "}" }.
say-send-number-entry-0 = Sende die Nummer eines Eintrags, oder 0 für den ganzen Verlauf.
say-send-sha256-program-weights = Sende den SHA-256 des Programms oder seiner Gewichte: 64 hexadezimale Ziffern, klein
    geschrieben.
say-seasons-are-numbered-from = Saisons sind ab 1 nummeriert. Sende 0 für die laufende.
say-no-valid-page-token = Das ist kein gültiges Seitentoken. Sende das next_page_token der vorigen Seite.
say-game-ends-when-time = Das Spiel endet, wenn die Zeit eines Platzes abgelaufen ist. Lass das weg.
say-display-names-party-must = Die Anzeigenamen einer Gruppe müssen unterscheidbar sein.
say-players-rated-table-need = Spieler eines gewerteten Tisches brauchen IDs. Sende player_id, auch für jedes Mitglied
    der Gruppe.
say-clocks-most-least-may = Die Uhren `most` und `least` dürfen sich nur in ihren Zeiten unterscheiden.
say-time-most-shorter-than = Die Zeit von `most` ist kürzer als die von `least`.
say-name-session-form-sessionsid = Der Name einer Partie hat die Form sessions/{ "{" }id{ "}" }.
say-entries-are-numbered-from = Einträge sind ab 1 nummeriert. Lass das Feld weg für den neuesten.
say-name-game = Nenne ein Spiel.
say-all-options-ticket-must = Alle Optionen einer Suche müssen dieselbe Ausgabe nennen.
say-send-random-version-4 = Sende eine zufällige UUID (Version 4) aus 8-4-4-4-12 hexadezimalen Ziffern.
say-send-ticket-came-proposal = Sende das Ticket, das mit dem Vorschlag kam.
say-name-must-not-begin = Ein Name darf nicht mit einem kombinierenden Zeichen beginnen.
say-name-must-not-contain = Ein Name darf keine geschweiften Klammern enthalten, denn sie sind Platzhalter in
    Vorlagen.
say-player-name-must-not = Der Name eines Spielers darf sich nicht wie ein Platz, ein Bot, der Zufall oder ein
    Zuschauer lesen.
say-send-key-key-value = Sende einen Schlüssel, oder einen Schlüssel und einen Wert als key=value.
say-server-no-thinking-bots = Dieser Server hat keine denkenden Bots und gibt deshalb keine Tipps. Lass `hints` weg.
say-clock-no-kind-set = Die Uhr hat keine Art. Setze eine ihrer Arten, oder lass die Uhr weg.
say-delay-empty-set-entries = Die Verzögerung ist leer. Setze ihre Einträge oder ihre Sekunden.
say-session-no-spectators-allow = Diese Partie hat keine Zuschauer. Erlaube sie, oder lass die Verzögerung weg.
say-sequence-must-not-be = Eine Sequenz darf nicht negativ sein. Sende 0 für den ganzen Verlauf.
say-bot-server-seat-reserve = Ein Bot dieses Servers hat den Platz. Reserviere einen freien Platz.
say-handle-lowercase-name-32 = Ein Bot-Name besteht aus einem klein geschriebenen Namen, '~' und 32 kleinen
    hexadezimalen Ziffern.
say-bot-token-skerrybot-26 = Ein Bot-Token ist skerry_bot_ und 26 Kleinbuchstaben und Ziffern von 2 bis 7.
say-open-seat-no-level = Ein freier Platz hat keine Stufe. Setze OCCUPANT_BOT, oder lass die Stufe weg.
say-only-swiss-tournament-number = Nur ein Turnier nach Schweizer System hat eine Zahl von Runden. Lass das weg.
say-gauntlet-two-seats-choose = Im Format „Einer gegen alle“ gibt es zwei Plätze. Wähle ein anderes Format.
say-send-random-version-4-uuid = Sende eine zufällige UUID (Version 4), damit eine Wiederholung niemanden doppelt
    anmeldet.
say-entrants-are-numbered-from = Teilnehmer sind ab 1 nummeriert. Sende 0 für alle.
say-send-time-within-year = Sende eine Zeit innerhalb eines Jahres ab jetzt, oder lass das weg.
say-only-people-leave-out = Nur Menschen haben das. Lass es für einen Bot weg.
say-level-for-bots-fill = Die Stufe ist für Bots, die freie Plätze füllen. Setze auch fill_with_bots.
say-send-seat-act = Sende den Platz, der am Zug ist.
say-send-emote-for-example = Sende ein Emote, zum Beispiel EMOTE_HELLO.
say-send-abandoned-seat = Sende den verlassenen Platz.
say-send-entry-after-which = Sende den Eintrag, nach dem die Abzweigung weitergeht, einen beliebigen seit Spielbeginn.
say-send-seat-player = Sende den Platz des Spielers.
say-archive-finished-games-unavailable = Das Archiv der beendeten Spiele ist nicht erreichbar. Wiederhole den Aufruf
    später.
say-log-too-long-for = Der Verlauf ist zu lang für Emotes.
say-you-resigned-cannot-return = Du hast aufgegeben und kannst nicht zurückkommen.
say-you-no-time-left = Du hast keine Zeit mehr und kannst nicht zurückkommen.
say-your-time-for-turn = Deine Zeit für diesen Zug ist abgelaufen. Komm zurück, wenn der Bot den Zug beendet hat.
say-call-needs-token-seat = Dieser Aufruf braucht das Token eines Platzes.
say-call-needs-host-token = Dieser Aufruf braucht das Token des Gastgebers.
say-only-seats-session-may = Nur die Plätze dieser Partie dürfen ihr Spiel sehen. Sende das Token eines Platzes.
say-player-several-seats-in = Der Spieler hat mehrere Plätze in dieser Partie. Sende das Token von einem davon.
say-game-begun-seed-fixed = Das Spiel hat begonnen, und sein Startwert steht fest. Nimm ohne Entropie teil.
say-seed-lesson-fixed-join = Der Startwert einer Lektion steht fest. Nimm ohne Entropie teil.
say-seat-no-longer-kept = Dieser Platz ist nicht mehr für dich freigehalten. Nimm an der Partie teil wie alle anderen.
say-your-own-seat-name = Das ist dein eigener Platz. Nenne den Platz eines anderen Spielers.
say-players-session-cannot-take = Die Spieler dieser Partie können keine Züge zurücknehmen.
say-you-not-moved-since = Du hast nicht mehr gezogen, seit der Zufall oder ein anderer Spieler gezogen hat.
say-your-latest-move-revealed = Dein letzter Zug hat etwas aufgedeckt, oder du hast keinen Zug mehr, den du
    zurücknehmen kannst.
say-log-too-long-for-moves = Der Verlauf ist zu lang, um Züge zurückzunehmen.
say-your-time-since-start = Deine Zeit seit Beginn dieses Zuges ist abgelaufen, deshalb kannst du keinen Zug
    zurücknehmen.
say-send-url-like-httpsexampleorghook = Sende eine URL wie https://example.org/hook, ohne Benutzer, Passwort oder
    Fragment.
say-not-valid-url-send = Das ist keine gültige URL. Sende eine wie https://example.org/hook.
say-not-page-token-pass = Das ist kein Seitentoken. Gib das next_page_token der vorigen Seite an.
say-send-id-player-erase = Sende die ID des Spielers, der gelöscht wird.
say-not-event-id-send = Das ist keine Ereignis-ID. Sende die ID des letzten Ereignisses.
say-call-no-body-send = Dieser Aufruf hat keinen Rumpf. Sende seine Felder im Pfad und in der Abfrage.
say-query-field-twice-send = Die Abfrage hat dieses Feld zweimal. Sende es einmal.
say-query-not-percentencoded-utf8 = Die Abfrage ist kein prozentkodiertes UTF-8.
say-field-not-query-parameter = Dieses Feld ist kein Parameter der Abfrage. Sende es im Pfad oder im Rumpf.
say-request-header-twice-send = Die Anfrage hat diesen Header zweimal. Sende ihn einmal.
say-header-body-different-request = Der Header und der Rumpf haben verschiedene Anfrage-IDs. Sende eine davon.
say-header-empty-send-random = Der Header ist leer. Sende eine zufällige UUID (Version 4), oder lass den Header weg.
say-bot-belongs-another-api = Dieser Bot gehört zu einem anderen API-Schlüssel. Registriere einen Bot mit einem
    anderen Namen.
say-you-did-not-confirm = Du hast das Spiel nicht rechtzeitig bestätigt. Suche noch einmal.
say-send-ruleset-came-snapshots = Sende das Regelwerk, das mit den Schnappschüssen kam.
say-give-strength-search-in = Gib die Stärke einer Suche in Iterationen an, nicht in Millisekunden.
say-send-positive-number-decisions = Sende eine positive Zahl von Entscheidungen, oder 0 für keine Grenze.
say-send-seed-32-bytes = Sende einen Startwert von 32 Bytes.
say-too-many-calls-are = Zu viele Aufrufe warten auf die Spielregeln dieses Servers.
say-server-no-thinking-bots-so = Dieser Server hat keine denkenden Bots und analysiert deshalb keine Spiele.
say-session-no-hints-creator = Diese Partie hat keine Tipps. Wer eine Partie anlegt, kann sie dabei erlauben.
say-server-no-thinking-bots-so-gives = Dieser Server hat keine denkenden Bots und gibt deshalb keine Tipps.
say-all-bots-server-are = Alle Bots dieses Servers sind mit Spielen beschäftigt. Frage später noch einmal.
say-you-no-seat-in = Du hast keinen Platz in dieser Partie, oder der Gastgeber hat ihn freigegeben.
say-call-needs-token-seat-host = Dieser Aufruf braucht das Token eines Platzes oder das des Gastgebers.
say-webhooks-are-disabled-on = Webhooks sind auf diesem Server abgeschaltet.
say-operator-not-allowed-webhooks = Der Betreiber hat Webhooks an diesen Host und Port nicht erlaubt.
say-too-many-calls-are-changing = Zu viele Aufrufe ändern diese Partie zur selben Zeit.
say-send-time-in-past = Sende eine Zeit in der Vergangenheit, höchstens 7 Tage zurück.
say-only-organizer-can-remove = Nur der Veranstalter kann andere Teilnehmer entfernen. Sende das Token des
    Veranstalters.
say-only-organizer-can-do = Nur der Veranstalter kann das tun. Sende das Token des Veranstalters.
say-player-entered-use-entrant = Der Spieler ist schon angemeldet. Nutze das Token dieser Anmeldung.
say-too-many-requests-application = Zu viele Anfragen an diese Anwendung laufen.
say-nested-too-deeply = Das ist zu tief verschachtelt.
say-not-utf8 = Das ist kein UTF-8.
say-not-json-number-too = Das ist kein JSON: Eine Zahl hat zu viele Ziffern.
say-set-twice-together-another = Das ist zweimal gesetzt, oder zusammen mit einem anderen Fall seines oneof. Setze
    eines.
say-contains-unpaired-surrogate-send = Das enthält ein einzelnes Surrogat. Sende gültiges Unicode.

# Cards of links
card-table = Der Tisch von { $game } nach Eintrag { $entry }
card-lobby = Warten auf Spieler: { $taken } von { $seats } Plätzen { $taken -> [one] ist *[other] sind } besetzt.
card-to-move = Das Spiel läuft. Am Zug: { $names }.
card-playing = Das Spiel läuft.
card-winner = Das Spiel ist aus. Gewonnen: { $names }.
card-winner-with = Das Spiel ist aus. Gewonnen: { $names } mit { $points -> [one] 1 Punkt *[other] { $points } Punkten }.
card-over = Das Spiel ist aus.
card-cancelled = Dieses Spiel wurde abgesagt.
card-island-game = Ein Brettspiel auf einer Insel.
say-language-tag = Sende ein Sprachkürzel, zum Beispiel de oder de-AT.

# Limits, tokens, options and JSON
identity-longer = Das Identitätstoken ist länger als { $most } Zeichen.
identity-subject = Das Subjekt (sub) des Identitätstokens hat 1 bis { $most } Zeichen.
identity-claim = Dem Identitätstoken fehlt die Angabe { $claim }.
limit-attachments = Ein Strom hat höchstens { $most } Anbindungen.
limit-own-bots = Dieser API-Schlüssel hat { $most } Bots. Registriere eine neue Version von einem.
limit-bots = Dieser Server hat { $most } Bots. Wende dich an den Betreiber.
limit-ladders = Dieser Server hat { $most } Ranglisten.
limit-seasons = Die Rangliste hat { $most } Saisons. Lege eine andere an.
limit-engine = Dieser Aufruf braucht mehr als { $seconds } Sekunden. Verlange weniger in einem Aufruf.
options-edition-missing = Einige Replikate des Servers haben die Ausgabe { $edition } nicht, oder unter diesem Namen anderes Material. Versuche es wieder, wenn alle sie haben.
options-of-ruleset = Optionen des Regelwerks { $ruleset } gelten nicht unter { $newest }.
limit-own-endpoints = Dieser API-Schlüssel hat { $most } Webhook-Endpunkte. Lösche zuerst einen.
limit-endpoints = Dieser Server hat { $most } Webhook-Endpunkte. Wende dich an den Betreiber.
json-unlike = Das muss { $wanted } sein, nicht { $given }.
json-object = Das muss ein JSON-Objekt sein, nicht { $given }.
json-syntax = Das ist kein JSON: { $problem }.
json-unreadable = Das lässt sich nicht lesen: { $problem }.
json-one-of = eines von { $names }
archive-unusable = Das Archiv lässt sich nicht nutzen: { $problem }.
json-a-whole-number = eine ganze Zahl
json-a-number = eine Zahl
json-true-or-false = true oder false
json-a-string = eine Zeichenkette
json-bytes-in-base64 = Bytes in Base64
json-a-list = eine Liste
json-an-object = ein Objekt
json-a-boolean = ein Wahrheitswert
json-null = null
rated-seed = ein vorgegebener Startwert
rated-hints = Hinweise
rated-undo = zurückgenommene Züge
rated-bots = Bots
rated-seats = Plätze, die der Gastgeber innerhalb eines Tages öffnen kann
rated-spectator = verzögertes Zuschauen

# Engine, moves and bans
identity-algorithm = Das Identitätstoken hat einen Algorithmus (alg), der nicht erlaubt ist. Nutze { $allowed }.
ban-prefix = Ein IPv{ $version }-Netz hat ein Präfix von mindestens { $least } Bit.
ban-network = Ein Aufrufer mit IPv6 zählt nach seinem /{ $prefix }. Sende dieses Netz oder eine Adresse.
engine-options = Diese Optionen gehören nicht zu { $game }.
engine-in = In { $field }: { $sentence }
engine-not-to-act = Platz { $seat } ist bei diesem Zug nicht am Zug.
engine-move = Sende einen Zug von { $game }.
engine-no-seat = Den Platz { $seat } gibt es in { $field } nicht.
engine-impossible = Dieser Zustand kommt in { $game } nicht vor. Sende einen Zustand, den der Server geliefert hat.
engine-ruleset = Dieser Server unterstützt { $ruleset } nicht.
engine-snapshot = Diese { $bytes } Bytes sind kein Zustand von { $game } ({ $ruleset }).
move-name = Nenne { $noun }.
move-no-field = Dem Zug fehlt `{ $field }`. Setze dieses Feld.
options-choose = Wähle eines von { $choices }, nicht { $value }.
move-no-thing = { $noun } { $name } gibt es nicht.
move-no-thing-of = { $noun } { $name } gibt es nicht. Es gibt: { $known }.
move-no-number = { $noun } { $number } gibt es nicht, nur die Nummern { $least } bis { $most }.
engine-over = Das Spiel ist vor diesem Zug zu Ende.
engine-several = Mehrere Plätze sind am Zug. Setze den Platz, der diesen Zug macht.
move-without-kind = Der Zug ist leer. Setze eine seiner Arten.
ban-address = Sende eine IPv4- oder IPv6-Adresse, oder ein Netz wie 203.0.113.0/24.
ban-key-name = Der Name eines Schlüssels hat bis zu 32 Kleinbuchstaben und Ziffern, mit Bindestrichen dazwischen.

# What moves and options name
noun-bonus-token = das Bonusplättchen
noun-card = die Karte
noun-cell = das Feld
noun-character = die Figur
noun-colour = die Farbe
noun-deck = den Stapel
noun-end = das Ende
noun-feature = das Merkmal
noun-good = die Ware
noun-island = die Insel
noun-islands = die Inseln
noun-mission-kind = die Art der Mission
noun-mode = den Modus
noun-part-kind = die Art des Teils
noun-phase = die Phase
noun-piece = die Figur
noun-place = den Ort
noun-plot = den Bauplatz
noun-power = die Fähigkeit
noun-province = die Provinz
noun-quarter-turn = die Vierteldrehung
noun-reason = den Grund
noun-reward-kind = die Art der Belohnung
noun-seat = den Platz
noun-space = das Feld
noun-square = das Feld
noun-start-layout = die Auslage
noun-storage-space = den Lagerplatz
noun-fort-space = den Festungsplatz
noun-symbol = das Symbol
noun-terrain = das Gelände
noun-tile = das Plättchen
noun-tile-source = die Herkunft des Plättchens
noun-town = die Stadt
noun-value-of-the-discovery-token = den Wert des Entdeckungsplättchens
