# Nomen
-mason = der Maurer, des Maurers, die Maurer
-farmer = der Bauer, des Bauern, die Bauern
-merchant = der Händler, des Händlers, die Händler
-exporter = der Exporteur, des Exporteurs, die Exporteure
-thieves = die (pl) Diebe
-character = die Figurenkarte, der Figurenkarte, die Figurenkarten
-mansion = das Herrenhaus, des Herrenhauses, die Herrenhäuser
-warehouse = das Lagerhaus, des Lagerhauses, die Lagerhäuser
-wine = der Wein, des Weines
-sugar = der Zucker, des Zuckers
-bananas = die (pl) Bananen
-banana = die (pl) Bananen
-tobacco = der Tabak, des Tabaks
-tomatoes = die (pl) Tomaten
-fish = der Fisch, des Fisches

# Beschriftungen
-cards = Karten
-closed = geschlossen
-closed-with-two-seats = bei zwei Plätzen geschlossen
-coast = die Küste, der Küste, die Küsten
-face-down = verdeckt
-farmhand = Knecht
-farmer-s-symbol = Bauernsymbol
-free = frei
-hall = Rathaus
-mansions-left = Herrenhäuser übrig
-mansions-of = Herrenhäuser von
-merchant-in = Händler in
-roads-to = Straßen nach
-second-colour = zweite Farbe
-town-hall = Rathaus
-undrawn-town-cards = nicht gezogene Ortskarten
-vacant = leer
-warehouses-of = Lagerhäuser von

# Teile von Sätzen
tenerife-from-storage-space = { FORM($good, "acc") } von Lagerplatz { $storage }
tenerife-second-colour = { $character } der zweiten Farbe
tenerife-own-colour = { $character } der eigenen Farbe
tenerife-card = { $character } (zweite Farbe)
tenerife-s-below-space = { $seat }: { $character } unter Feld { $space }
tenerife-s = { $card }: { $character }
tenerife-at-town-hall = am Rathaus in { $place }
tenerife-in = in { $place }

tenerife-a-card = { $colour -> [second] { A($character, "acc") } der zweiten Farbe *[own] { A($character, "acc") } }

# Züge
tenerife-lay-below-space = { $character } unter Feld { $space } legen
tenerife-build-plot-town-hall = auf Bauplatz { $plot } des Rathauses bauen
tenerife-rob-build-plot-town-hall = den Maurer von { $victim } berauben und auf Bauplatz { $plot } des Rathauses bauen
tenerife-rob-build-mansion = den Maurer von { $victim } berauben und ein Herrenhaus in { $town } bauen
tenerife-export = { $goods } verkaufen
tenerife-rob-export = den Exporteur von { $victim } berauben und { $goods } verkaufen
tenerife-move-merchant = mit dem Händler nach { $place } ziehen
tenerife-turn-up = { $town } aufdecken
tenerife-let-go-first = { $seat } beginnen lassen

# Ereignisse
tenerife-no-effect = { $whose } { $have -> [have] bewirken *[has] bewirkt } nichts: { $reasons }.
tenerife-round-begins-goes-first = Runde { $round } beginnt { $place }. { $start_seat } fängt an.
tenerife-all-characters-revealed-from = Alle Figurenkarten werden aufgedeckt, ab Feld { $space }: { $cards }.
tenerife-s-merchant-scores = Der Händler von { $seat } geht von { $from_place } nach { $to_place } und bringt { FORM($points, "acc") }.
tenerife-s-merchant-placed = Der Händler von { $seat } wird in { $to_place } eingesetzt und bringt { FORM($points, "acc") }.
tenerife-has-built-nothing-town = { $seat } hat im Rathaus nichts gebaut und erhält dafür keine Punkte.
tenerife-scores-town-hall = { $seat } erhält { FORM($points, "acc") } für das Rathaus: { $number -> [one] Bauplatz *[other] Bauplätze } { $lines }.
tenerife-drawn-go-first = { $seat } wird als Startspieler gezogen.
tenerife-lays-below-space = { $seat } legt { $character } unter Feld { $space }.
tenerife-robbed-by-s-thieves = { $whose } – beraubt von den Dieben von { $by_seat } unter Feld { $by_space }, also ohne Aktion.
tenerife-freed-by-s-own = { $whose } – befreit von den eigenen Dieben von { $seat } unter Feld { $by_space }.
tenerife-builds-mansion = { $seat } baut für { FORM($points, "acc") } ein Herrenhaus in { $town }.
tenerife-robs-builds-mansion = { $seat } beraubt den Maurer von { $victim } und baut für { FORM($points, "acc") } ein Herrenhaus in { $town }.
tenerife-builds-plot-town-hall = { $seat } baut auf Bauplatz { $plot } des Rathauses.
tenerife-robs-builds-plot-town-hall = { $seat } beraubt den Maurer von { $victim } und baut auf Bauplatz { $plot } des Rathauses.
tenerife-builds-warehouse-storage-space = { $seat } baut auf Lagerplatz { $storage } ein Lagerhaus ({ $good }).
tenerife-farmhand-goes-from-storage = Der Knecht geht von Lagerplatz { $from_storage } zu Lagerplatz { $to_storage }.
tenerife-exports = { $seat } verkauft { $goods } für { FORM($points, "acc") }.
tenerife-robs-exports = { $seat } beraubt den Exporteur von { $victim } und verkauft { $goods } für { FORM($points, "acc") }.
tenerife-robs-s-merchant = { $seat } beraubt den Händler von { $victim } für { FORM($points, "acc") }.
tenerife-round-over-all-players = Runde { $round } ist zu Ende. Alle nehmen ihre Figurenkarten zurück.
tenerife-town-hall-has-had = Das Rathaus hatte { $most_hall_rounds } Runden.
tenerife-town-hall-complete = Das Rathaus ist fertig.
tenerife-two-or-more-players = Zwei oder mehr Spieler haben kein Herrenhaus mehr.

# Warum eine Figurenkarte nichts bewirkt
tenerife-town-has-no-free = der Ort hat keinen freien Bauplatz
tenerife-town-hall-has-no = das Rathaus hat keinen freien Bauplatz
tenerife-no-mansion-left-supply = kein Herrenhaus ist mehr im Vorrat
tenerife-current-place-has-no = der aktuelle Ort hat kein Bauernsymbol
tenerife-all-wine-storage-spaces = alle Lagerplätze für Wein sind belegt
tenerife-owner-exporter-has-no = wem der Exporteur gehört, hat kein Lagerhaus
tenerife-all-transport-spaces-taken = alle Schiffsplätze sind belegt
tenerife-no-character-front-them = keine Figurenkarte liegt vor ihnen
tenerife-thieves-cannot-rob-farmers = Diebe können Bauern nicht berauben
tenerife-only-last-thieves-row = von Dieben in einer Reihe zählen nur die letzten
tenerife-character-front-them-has = die Figurenkarte vor ihnen gehört demselben Spieler
tenerife-they-have-freed-character = sie haben die Figurenkarte vor ihnen befreit
tenerife-neither-another-town-nor = weder ein anderer Ort noch das Rathaus hat einen freien Bauplatz

# Was zu tun ist
tenerife-choose-character-space-lay = wähle eine Figurenkarte und das Feld, unter das du sie verdeckt legst
tenerife-choose-plot-town-hall = wähle einen Bauplatz des Rathauses
tenerife-choose-town-where-thieves = wähle den Ort, in dem die Diebe bauen
tenerife-choose-which-goods-sell = wähle, welche Waren du verkaufst
tenerife-choose-where-merchant-goes = wähle, wohin der Händler geht
tenerife-lay-character = Eine Figurenkarte legen
tenerife-build-town-hall = Im Rathaus bauen
tenerife-build-mansion-2 = Ein Herrenhaus bauen
tenerife-sell-goods = Waren verkaufen
tenerife-move-merchant-2 = Mit dem Händler ziehen
tenerife-turn-up-town = Einen Ort aufdecken
tenerife-draw-start-seat = Den Startplatz auslosen
tenerife-goods-sold = Verkaufte Waren

tenerife-mansions = Herrenhäuser
-nothing = nichts
-freed = befreit
-robbed = beraubt

# Was ein Blick auf den Tisch zeigt
tenerife-merchant-stops-scores = Ein Händler, der in { $place } anhält, bringt: { $shares }.
tenerife-town-hall-scores = Am Ende bringt das Rathaus, wie es steht: { $shares }.
tenerife-element-plot-adds-at = Ein Stein auf Bauplatz { $plot } bringt am Ende mehr: { $shares }.
tenerife-exporter-sells-this = Ein Exporteur von { $seats } verkauft hier { FORM($good, "acc") } für { FORM($points, "acc") }.
tenerife-exporter-sells-thieves-take = Ein Exporteur von { $seats } verkauft hier { FORM($good, "acc") } für { FORM($points, "acc") }. Diebe, die einen Exporteur von { $taken } berauben, nehmen die Ware.
tenerife-for = nach { $place } für { FORM($points, "acc") }
tenerife-s-merchant-can-go = Der Händler von { $seat } kann { $ways } ziehen.
tenerife-has = { $seat } hat zu entscheiden: { $task }.
tenerife-as-things-stand = Wie es steht: { $sentences }

# Stellung in Worten
tenerife-round-town-hall = Runde { $hall_round } des Rathauses
tenerife-space = Feld { $space }
tenerife-spaces = { $transport_spaces } Plätze
tenerife-plot = Bauplatz { $index }
tenerife-plot-2 = Bauplatz { $plot }
tenerife-row = Zeile { $row }
tenerife-column = Spalte { $column }
tenerife-storage-space = Lagerplatz { $space }
tenerife-storage-space-2 = Lagerplatz { $farmhand }
tenerife-storage-space-3 = Lagerplatz { $farmhand_returns_to }
tenerife-town = Ort { $id } { $name }
tenerife-hall = Rathaus { $id } { $name }
tenerife-plots = { $number } Bauplätze
tenerife-worth = Wert { $value }
tenerife-room = Platz für { $room }
tenerife-supply = { $mansions } im Vorrat
tenerife-merchant = Händler in { $merchant }
tenerife-hand = { $cards } auf der Hand
tenerife-with-seats = mit { $seats } Plätzen
tenerife-spaces-column = { $spaces } Felder in der Spalte
tenerife-characters-each = { $characters_each } Figurenkarten je Spieler
tenerife-transport-spaces = { $transport_spaces } Schiffsplätze
tenerife-without-card = ohne die Karte von { $removed_town }
-current-place = aktueller Ort
-active-space = aktives Feld
-taken-by = belegt von
-farmhand-after-the-last-storage-space = Knecht nach dem letzten Lagerplatz
-points-for-lines-of-1-2-3-and-4 = Punkte für Reihen von 1, 2, 3 und 4
-pieces-of-each-seat = Figuren und Teile jedes Platzes
-cards-of-each-seat = Karten jedes Platzes
-cards-of-each-seat-in-the-turbulent-game = Karten jedes Platzes im turbulenten Spiel
-transport = Schiffe
-variant = Variante
-turbulent = turbulent
-lay = legen
-turn-up-town = Ort aufdecken
-choose-plot = Bauplatz wählen
-choose-town = Ort wählen
-choose-warehouse = Lagerhaus wählen
-choose-destination = Ziel wählen
-activate = Aktionen

# Ablehnungen
tenerife-this-card-belongs-lay = Diese Karte gehört { $owner }. Du legst deine eigenen.
tenerife-merchant-already-must-move = Dein Händler ist bereits in { $name } und muss weiterziehen.
tenerife-merchant-can-reach-no = Dein Händler erreicht kein fremdes Herrenhaus und zieht nur eine Straße weit: { $name } ist zu weit.
tenerife-no-other-player-has = In { $name } hat sonst niemand gebaut: Dein Händler kann dort nicht anhalten.
tenerife-merchant-cannot-reach-without = Dein Händler kommt nicht nach { $name }, ohne an fremden Herrenhäusern vorbeizuziehen.
tenerife-have-no-warehouse-storage = Du hast kein Lagerhaus auf Lagerplatz { $number }.
tenerife-has-no-warehouse-storage = { $victim } hat kein Lagerhaus auf Lagerplatz { $number }.
tenerife-thieves-get-only-goods = Deine Diebe bekommen nur die billigsten Waren: Wähle Lagerplatz { $lowest }.
tenerife-thieves-rob-move-must = Deine Diebe berauben { $victim }: Der Zug muss Platz { $victim_2 } als Opfer nennen.
tenerife-plot-town-hall-closed = Bauplatz { $plot } des Rathauses ist bei 2 Spielern geschlossen.
tenerife-already-built-plot-town = Auf Bauplatz { $plot } des Rathauses hat schon { $owner } gebaut.
tenerife-you-already-built = Auf Bauplatz { $plot } des Rathauses hast du schon gebaut.
tenerife-current-town-thieves-must = { $name } ist der aktuelle Ort: Deine Diebe müssen in einem anderen bauen.
tenerife-has-no-free-plot = { $name } hat keinen freien Bauplatz.
tenerife-too-far-away-thieves = { $name } ist zu weit weg: Deine Diebe müssen in { $near } bauen.
tenerife-have-no-hand = Auf deiner Hand fehlt: { $in_words }.
tenerife-space-not-use-this = Feld { $space } wird nicht benutzt: Dieses Spiel hat die Felder 1 bis { $last }.
tenerife-character-already-lies-below = Unter Feld { $space } liegt schon eine Figurenkarte.
tenerife-cannot-lay-thieves-below = Unter Feld { $last }, das letzte, darfst du keine Diebe legen.
tenerife-s-turn-choose-what = { $turn } muss entscheiden, was die Figurenkarte tut.
tenerife-s-turn-lay-character = { $turn } muss eine Figurenkarte legen.
tenerife-first-choose-what-below = Entscheide zuerst über deine Figurenkarte unter Feld { $active }: { $character }.
tenerife-tenerife-or-players-not = Tenerife ist für 2, 3 oder 4 Spieler, nicht für { $seats } (TENERIFE-SETUP-1).
tenerife-seat-does-not-exist = Platz { $start_seat } gibt es nicht: Die Plätze haben die Nummern 0 bis { $seats }.
tenerife-with-players-there-transport = Bei { $seats } Spielern gibt es { $allowed } Schiffsplätze, nicht { $transport_spaces } (TENERIFE-TRANSPORT-1).
tenerife-turbulent-game-players-not = Ein turbulentes Spiel ist für 2 Spieler, nicht für { $seats } (TENERIFE-TWO-2).
tenerife-card-not-face-down = Die Karte von { $name } liegt nicht im verdeckten Stapel.
tenerife-character-robs-no-player = Deine Figurenkarte beraubt niemanden: Der Zug darf kein Opfer nennen.
tenerife-this-game-has-no = Dieses Spiel hat keine zweite Farbe: Die gibt es nur in turbulenten Spielen.
tenerife-no-player-can-move = Jetzt kann niemand ziehen: Als Nächstes entscheidet der Zufall.
tenerife-start-seat-drawn-once = Der Startplatz wird einmal ausgelost, und je Runde wird eine Ortskarte aufgedeckt.
tenerife-characters-act-only-after = Figurenkarten wirken erst, wenn alle gelegt und aufgedeckt sind.
tenerife-thieves-build-la-laguna = Diebe bauen in La Laguna nur, wenn kein Ort einen freien Bauplatz hat.
tenerife-exporter-or-merchant-takes = Ein Exporteur oder Händler nimmt von selbst ein freies Schiff, wenn er an der Reihe ist.
tenerife-next-town-card-turned = Die nächste Ortskarte wird zu Beginn jeder Runde aufgedeckt.
tenerife-masons-farmers-thieves-put = Maurer, Bauern und Diebe bringen Herrenhäuser auf den Plan, wenn sie an der Reihe sind.

# Anleitung
tenerife-each-player-has-same = Jeder Spieler hat { $mansions } und dieselben sechs Figurenkarten: zwei Maurer, einen Bauern, einen Händler, einen Exporteur und Diebe.
tenerife-spaces-with-players-characters = { $spaces } Felder bei { $seats } Spielern ({ $characters_each } Figurenkarten je Spieler)
tenerife-round-has = Eine Runde hat { $counts }.
tenerife-cards-towns-shuffled-with = Die Karten der { $number } Orte werden gemischt. Bei 2 oder 3 Spielern hat Santa Cruz keine.
tenerife-farmhand-stands-first-storage = Der Knecht steht auf dem ersten von { $number } Lagerplätzen, der { $value } Punkte wert ist.
tenerife-thieves-act-mason-merchant = { $robbed } Diebe wirken auf einen Maurer, Händler oder Exporteur direkt vor ihnen.
tenerife-thieves-take-building-material = { $built } Die Diebe bringen das Baumaterial in einen Ort, den eine Straße mit dem aktuellen verbindet.
tenerife-several-thieves-row-only = { $freed } Von mehreren Dieben in einer Reihe zählen nur die letzten: Hier gehören sie demselben Spieler.
tenerife-how-have-most-points-when = Wer die meisten Punkte hat, wenn das Rathaus von La Laguna fertig ist, gewinnt. Punkte bringen Herrenhäuser, Waren, dein Händler, deine Diebe und Reihen deiner Steine im Rathaus.
tenerife-how-bring-merchant-close-la = Bring deinen Händler nahe an La Laguna, bevor das Rathaus beginnt: Dort zählt er die Steine aller anderen.
tenerife-how-build-stones-town-hall = Bau deine Steine des Rathauses in geraden Reihen nebeneinander. Schräge Nachbarn zählen nichts.
tenerife-how-farmer-town-without-its = Ein Bauer in einem Ort ohne sein Symbol bewirkt nichts, aber die anderen wissen nicht, dass es ein Bauer ist.
tenerife-how-lay-character-face-down = Lege eine Figurenkarte verdeckt unter ein beliebiges freies Feld der Spalte. Nur du kennst sie.
tenerife-how-when-column-full-all = Ist die Spalte voll, werden alle Figurenkarten aufgedeckt und wirken ab Feld 1. Ein Maurer baut ein Herrenhaus im Ort der Runde: 2 Punkte.
tenerife-how-farmer-puts-mansion-farmhand = Ein Bauer setzt ein Herrenhaus als Lagerhaus auf den Lagerplatz des Knechts. Noch bringt es nichts.
tenerife-how-exporter-takes-ship-sells = Ein Exporteur nimmt ein Schiff und verkauft die Waren eines deiner Lagerhäuser für die Zahl auf dessen Platz.
tenerife-how-merchant-takes-ship-goes = Ein Händler nimmt ein Schiff, geht an einen Ort mit fremden Herrenhäusern und bringt für jedes 1 Punkt.

# Erstes Spiel
tenerife-lesson-send-characters-towns-tenerife = Du schickst Figuren in die Orte Teneriffas: Sie bauen, handeln und stehlen für Punkte.
tenerife-lesson-game-ends-when-town = Das Spiel endet, wenn das Rathaus von La Laguna gebaut ist. Die meisten Punkte gewinnen.
tenerife-lesson-each-round-about-one = In jeder Runde geht es um einen Ort. Jetzt ist es La Orotava: 3 Bauplätze und ein Bauernsymbol.
tenerife-lesson-take-turns-lay-characters = Ihr legt abwechselnd Figurenkarten verdeckt in diese Reihe. Dann wirken sie der Reihe nach ab Feld 1.
tenerife-lesson-see-whose-card-lies = Du siehst, wessen Karte wo liegt, aber nicht, welche Figur es ist.
tenerife-lesson-lay-farmer-below-space = Lege deinen Bauern unter Feld 1: In einem Ort mit seinem Symbol lagert er Zucker oder Wein zum Verkauf ein.
tenerife-lesson-touch-card-then-space = Tippe erst die Karte an, dann das Feld.
tenerife-lesson-exporter-has-nothing-sell = Der Exporteur hat noch nichts zu verkaufen. Vor ihm muss der Bauer wirken.
tenerife-lesson-mason-lay-thieves-below = Ist das ein Maurer? Lege deine Diebe unter Feld 3: Sie berauben die Karte direkt vor ihnen.
tenerife-lesson-they-rob-masons-merchants = Sie berauben Maurer, Händler und Exporteure. Die wirken dann nicht, und du gewinnst. Bauern sind sicher.
tenerife-lesson-no-mansion-rival-stands = Hier steht noch kein fremdes Herrenhaus: Der Händler brächte nichts ein.
tenerife-lesson-lay-mason-below-space = Lege einen Maurer unter Feld 5: Er baut in La Orotava ein Herrenhaus für 2 Punkte.
tenerife-lesson-lay-exporter-below-space = Lege den Exporteur unter Feld 6. Er verkauft, was dein Bauer gelagert hat: Der Zucker ist 5 wert.
tenerife-lesson-there-only-2-ships = Für Exporteure und Händler gibt es nur 2 Schiffe je Runde.
tenerife-lesson-was-mason-thieves-take = Es war ein Maurer! Deine Diebe nehmen das Baumaterial. Bau ein Herrenhaus in Icod, für 2 Punkte.
tenerife-lesson-stolen-material-used-town = Gestohlenes Material wird in einem Ort verbaut, den eine Straße mit dem aktuellen verbindet.
tenerife-lesson-no-road-joins-garachico = Keine Straße verbindet Garachico mit La Orotava. Wähle Icod.
tenerife-lesson-have-9-points-2 = Du hast 9 Punkte: je 2 für zwei Herrenhäuser und 5 für den Zucker. Die Gegenseite hat 3.
tenerife-lesson-one-them-merchant-s = Einen davon brachte der Händler: 1 Punkt für dein Herrenhaus.
tenerife-lesson-when-all-town-cards = Sind alle Ortskarten verbraucht, bauen Maurer im Rathaus. Am Ende zählen dort deine eigenen Steine in geraden Reihen.
tenerife-lesson-1-2-3-or = 1, 2, 3 oder 4 nebeneinander sind 1, 3, 4 oder 7 Punkte wert. Jedes Herrenhaus zählt in einer Reihe.
tenerife-lesson-know-rules-lay-thieves = Du kennst die Regeln. Lege Diebe hinter verdächtige Karten. Hinter fremden Dieben befreien sie deine Karte davor.
tenerife-lesson-play-as-like-may = Spiel weiter, wie du magst. Du kannst jederzeit aufhören.

# Beschriftungen des Tisches
tenerife-plot-of-town-hall = Bauplatz { $plot } des Rathauses
tenerife-transport-space = Schiffsplatz { $ship }
tenerife-with-town-hall = { $name }, mit dem Rathaus
tenerife-with-plots = { $name }, mit { $number } Bauplätzen
tenerife-storage-label = Lagerplatz { $number }: { $good }, Wert { $value }, Platz für { $room }
tenerife-space-of-column = Feld { $space } der Spalte
tenerife-still-to-come = { $name }, kommt noch
tenerife-round = Runde { $round }
tenerife-round-in = Runde { $round }: { $place }
tenerife-round-at-hall = Runde { $round }: das Rathaus in { $place }
tenerife-round-of-hall = Runde { $round }: das Rathaus in { $place }, Runde { $hall_round } des Rathauses
tenerife-place-of-round = der Ort dieser Runde: { $name }
-element = Stein
-merchant-token = Händler
-the-farmhand-the-next-warehouse-is-built-here = der Knecht: Hier wird das nächste Lagerhaus gebaut
-the-character-that-acts = die gerade wirkende Figurenkarte
-the-towns-still-to-come = die noch kommenden Orte
-a-plot-that-is-closed-in-this-game = ein Bauplatz, der in diesem Spiel geschlossen ist
-builds-in-the-town-of-the-round = baut im Ort der Runde
-stores-goods-in-a-farmers-town = lagert Waren in einem Ort mit Bauernsymbol
-scores-the-mansions-of-other-players = wertet fremde Herrenhäuser
-sells-your-goods = verkauft deine Waren
-rob-the-character-before-them = berauben die Figurenkarte davor
-the-map-of-tenerife = Die Karte von Teneriffa
-the-round-and-the-towns-to-come-in-a-hidden-order = die Runde und die Orte, die in verborgener Reihenfolge kommen
-the-column-of-characters-which-act-in-order = Die Spalte der Figurenkarten, die der Reihe nach wirken

# Words in drawings
-ships-for-exporters-and-merchants = Schiffe für Exporteure und Händler
-still-to-come = Kommt noch
-builds = baut
-rob = berauben
-sells-goods = verkauft
-stores-goods = lagert Waren
-visits-scores = reist, wertet

# Malformed moves and options
tenerife-no-card-or-space = { $move } nennt keine Karte oder kein Feld.
tenerife-no-plot = Den Bauplatz { $plot } gibt es nicht, nur die Nummern 1 bis { $last }.
tenerife-not-a-town = { $town } ist keine Stadt.
tenerife-not-a-place = { $place } ist kein Ort.
tenerife-no-storage-space = Den Lagerplatz { $space } gibt es nicht, nur die Nummern 1 bis { $last }.
tenerife-true-or-false = Wähle true oder false, nicht { $value }.
tenerife-no-such-card = Keine Karte hat die Figur { $character } und die Farbe { $colour }.
tenerife-no-character = Der Zug nennt keine Figur: Nenne eine aus deiner Hand.
