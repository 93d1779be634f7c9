# Azul auf Deutsch. Plätze, Manufakturen, Reihen und Spalten zählen ab 1.

colour-name = { $colour ->
    [blue] Blau
    [yellow] Gelb
    [red] Rot
    [black] Schwarz
   *[white] Weiß
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
line-name = { $line ->
    [0] Reihe 1
    [1] Reihe 2
    [2] Reihe 3
    [3] Reihe 4
    [4] Reihe 5
   *[floor] Bodenreihe
}
ordinal-line = { $line ->
    [0] Reihe 1
    [1] Reihe 2
    [2] Reihe 3
    [3] Reihe 4
    [4] Reihe 5
   *[floor] die Bodenreihe
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

action-draft = Nimm { colour-name } { place } und lege es auf { ordinal-line }.
action-tile = Lege die Fliese aus { ordinal-line } in { ordinal-column } der Wand.

log-draft = nahm { colour-name } { place } → { line-name }
log-tile = legte eine Fliese aus { line-name } → { ordinal-column }

story-draft = nahm { colour-name } { place } für { ordinal-line }
story-tile = legte die Fliese aus { ordinal-line } in { ordinal-column }
instead-draft = { colour-name } { place } für { ordinal-line } nehmen
instead-tile = die Fliese aus { ordinal-line } in { ordinal-column } legen
bonus-rows = volle Reihen
bonus-columns = volle Spalten
bonus-colours = vollständige Farben
tie-break = die Zahl der vollen Reihen

draw-first-seat = { who } wurde ausgelost und beginnt.
draw-deal = { $tiles ->
    [0] Es war keine Fliese mehr da.
    [one] { $tiles } Fliese wurde ausgelegt.
   *[other] { $tiles } Fliesen wurden ausgelegt.
}

reason-unknown-action = Diese Aktion gibt es nicht.
reason-game-over = Das Spiel ist zu Ende.
reason-drawing = Es werden Fliesen gezogen. Gerade ist niemand am Zug.
reason-not-drafting = Die Wände werden gefliest. Du kannst jetzt keine Fliesen nehmen.
reason-not-tiling = Gefliest wird erst, wenn alle Fliesen genommen sind.
reason-source-empty = Hier liegen keine Fliesen.
reason-colour-not-in-source = Hier liegt keine Fliese dieser Farbe.
reason-line-full = Die Musterreihe ist voll.
reason-line-holds-other-colour = Die Musterreihe enthält eine andere Farbe.
reason-wall-row-holds-colour = Die Wandreihe enthält diese Farbe schon.
reason-wrong-line = Volle Reihen werden von oben nach unten gefliest. Eine andere ist zuerst dran.
reason-space-taken = Auf diesem Feld der Wand liegt schon eine Fliese.
reason-column-holds-colour = Die Wandspalte enthält diese Farbe schon.

why-points-of-round = { $difference ->
    [one] bringt bis zum Ende der Runde einen Punkt mehr
   *[other] bringt bis zum Ende der Runde { $difference } Punkte mehr
}
why-floor = { $difference ->
    [one] spart in der Bodenreihe einen Punkt
   *[other] spart in der Bodenreihe { $difference } Punkte
}
why-line-completed = füllt { ordinal-line }
why-line-completable = lässt genug Fliesen in { colour-name } liegen, um { ordinal-line } noch in dieser Runde zu füllen
why-tile-points = { $other ->
    [0] bereitet eine Fliese für { points } vor
   *[other] bereitet eine Fliese vor, die { points } statt { $other } bringt
}
points = { $best ->
    [one] { $best } Punkt
   *[other] { $best } Punkte
}
why-tiles = { $other ->
    [0] bringt { tiles } in einer Reihe unter
   *[other] bringt { tiles } statt { $other } in einer Reihe unter
}
tiles = { $best ->
    [one] eine Fliese
   *[other] { $best } Fliesen
}
why-tiles-missing = { $best ->
    [one] lässt auf { ordinal-line } nur noch eine Fliese fehlen
   *[other] lässt auf { ordinal-line } nur noch { $best } Fliesen fehlen
}
why-follow-up = { $best ->
    [one] hält { ordinal-line } für einen Punkt in Reichweite
   *[other] hält { ordinal-line } für { $best } Punkte in Reichweite
}
why-start-token = holt den Startstein für die nächste Runde
why-column-completed = füllt { ordinal-column } der Wand für 7 Punkte
why-column-tiles = { $best ->
    [3] legt die dritte Fliese in { ordinal-column } der Wand
   *[4] legt die vierte Fliese in { ordinal-column } der Wand
}
why-colour-completed = bringt 10 Punkte für die fünfte Fliese in { colour-name }
why-colour-tiles = { $best ->
    [3] legt die dritte Fliese in { colour-name } an die Wand
   *[4] legt die vierte Fliese in { colour-name } an die Wand
}
why-game-end = füllt eine Reihe der Wand und beendet damit das Spiel
why-game-open = hält das Spiel am Laufen
why-deny = hindert { who } daran, als Nächstes { ordinal-line } mit { colour-name } zu füllen
why-opponent-loss = { $best ->
    [one] zwingt { who } zu mindestens einem Minuspunkt in der Bodenreihe
   *[other] zwingt { who } zu mindestens { $best } Minuspunkten in der Bodenreihe
}
why-opponent-points = { $best ->
    [0] lässt { who } mit den nächsten Fliesen nichts verdienen
    [one] lässt { who } mit den nächsten Fliesen nur einen Punkt statt { $other }
   *[other] lässt { who } mit den nächsten Fliesen nur { $best } Punkte statt { $other }
}
why-opponent-tiles = { $best ->
    [0] lässt { who } keine Fliese für eine Reihe
    [one] lässt { who } nur einzelne Fliesen für eine Reihe
   *[other] lässt { who } höchstens { $best } statt { $other } Fliesen für eine Reihe
}

picture-title = Azul
picture-round = Runde
picture-bag = Beutel
picture-box-lid = Schachteldeckel
picture-empty = leer
picture-start-token = Startstein
picture-colour = { colour-name }
picture-tiles = { $count } × { colour-name }
picture-factory = Manufaktur { $number }: { $tiles }
picture-centre = Tischmitte: { $tiles }
picture-pattern-line = { $count ->
    [0] Musterreihe { $number }: { $capacity ->
        [one] { $capacity } freies Feld
       *[other] { $capacity } freie Felder
    }
   *[other] Musterreihe { $number }: { $count } von { $capacity } { colour-name }
}
picture-wall-row = Wandreihe { $number }: { $spaces }
picture-free-space = { $colour ->
    [none] frei
   *[other] frei für { colour-name }
}
picture-floor-line = { $losses ->
    [0] Bodenreihe: { $pieces }
    [one] Bodenreihe: { $pieces }; −{ $losses } Punkt
   *[other] Bodenreihe: { $pieces }; −{ $losses } Punkte
}
