# Azul auf Deutsch. Plätze, Reihen, Spalten und Manufakturen werden ab 1 gezählt, wie Menschen zählen.

colour = { $colour ->
    [blue] blaue
    [yellow] gelbe
    [red] rote
    [black] schwarze
   *[white] weiße
}
colour-all = { $colour ->
    [blue] blauen
    [yellow] gelben
    [red] roten
    [black] schwarzen
   *[white] weißen
}
tiles = { $count ->
    [one] { $count } { colour } Fliese
   *[other] { $count } { colour } Fliesen
}
plain-tiles = { $tiles ->
    [one] { $tiles } Fliese wandert
   *[other] { $tiles } Fliesen wandern
}
points = { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkte
}
place = { $source ->
    [factory_0] aus Manufaktur 1
    [factory_1] aus Manufaktur 2
    [factory_2] aus Manufaktur 3
    [factory_3] aus Manufaktur 4
    [factory_4] aus Manufaktur 5
    [factory_5] aus Manufaktur 6
    [factory_6] aus Manufaktur 7
    [factory_7] aus Manufaktur 8
    [factory_8] aus Manufaktur 9
   *[centre] aus der Tischmitte
}
ordinal-line = { $line ->
    [0] Musterreihe 1
    [1] Musterreihe 2
    [2] Musterreihe 3
    [3] Musterreihe 4
    [4] Musterreihe 5
   *[floor] die Bodenreihe
}
row = { $line ->
    [0] Reihe 1
    [1] Reihe 2
    [2] Reihe 3
    [3] Reihe 4
   *[4] Reihe 5
}
ordinal-column = { $column ->
    [0] Spalte 1
    [1] Spalte 2
    [2] Spalte 3
    [3] Spalte 4
   *[4] Spalte 5
}
who = { $seat ->
    [0] Platz 1
    [1] Platz 2
    [2] Platz 3
   *[3] Platz 4
}

action-draft = Nimm die { colour-all } Fliesen { place } und lege sie auf { ordinal-line }.
action-tile = Belege { row } der Wand in { ordinal-column }.

draw-first-seat = Wer beginnt, wird ausgelost: { who }.
draw-deal = { $tiles ->
    [0] Es ist keine Fliese mehr da.
    [one] { $tiles } Fliese wird ausgelegt.
   *[other] { $tiles } Fliesen werden ausgelegt.
}

effect-tiles-taken = { who } nimmt { tiles } { place }.
effect-tiles-moved-to-centre = { plain-tiles } in die Tischmitte.
effect-start-token-taken = { who } nimmt den Startspielerstein.
effect-tiles-placed = { who } legt { tiles } auf { ordinal-line }.
effect-tiles-fallen = { who } lässt { tiles } fallen; für { $lost } davon ist kein Platz in der Bodenreihe.
effect-tile-placed = { who } legt eine { colour } Fliese in { row }, { ordinal-column }: { points }.
effect-line-fallen = { who } hat für { row } kein Feld: { tiles } fallen, { $lost } davon über die Bodenreihe hinaus.
effect-floor-penalty = { who } zahlt für { $tiles ->
    [one] { $tiles } Bodenfeld
   *[other] { $tiles } Bodenfelder
}: { points }.
effect-round-ended = Runde { $round } ist zu Ende.
effect-end-bonus = { who } erhält { points } für { $rows } volle Reihen, { $columns } volle Spalten und { $colours } vollständige Farben.
effect-game-ended = { $reason ->
    [row_completed] Das Spiel ist zu Ende: Eine Wandreihe ist vollständig.
    [no_tile_dealt] Das Spiel ist zu Ende: Es konnte keine Fliese ausgelegt werden.
   *[no_wall_gained] Das Spiel ist zu Ende: Fünf Runden in Folge kam auf keine Wand eine Fliese.
}
effect-first-seat-drawn = { who } beginnt.
effect-dealt = { $box_lid_used ->
    [true] Die Manufakturen sind gefüllt; der Schachteldeckel kam in den Beutel.
   *[false] Die Manufakturen sind aus dem Beutel gefüllt.
}

reason-unknown-action = Eine solche Aktion gibt es nicht.
reason-game-over = Das Spiel ist zu Ende.
reason-drawing = Es wird gezogen; niemand ist an der Reihe.
reason-not-drafting = Die Wände werden gefliest; jetzt können keine Fliesen genommen werden.
reason-not-tiling = Es werden Fliesen genommen; gefliest wird, wenn keine mehr da ist.
reason-source-empty = Dort liegen keine Fliesen.
reason-colour-not-in-source = Dort liegt keine Fliese dieser Farbe.
reason-line-full = Die Musterreihe ist voll.
reason-line-holds-other-colour = Die Musterreihe enthält eine andere Farbe.
reason-wall-row-holds-colour = Die Wandreihe enthält diese Farbe schon.
reason-wrong-line = Eine andere Reihe ist dran: Vollständige Reihen werden von oben nach unten gefliest.
reason-space-taken = Auf diesem Feld der Wand liegt schon eine Fliese.
reason-column-holds-colour = Die Wandspalte enthält diese Farbe schon.

picture-title = Azul
picture-round = Runde
picture-bag = Beutel
picture-box-lid = Deckel
