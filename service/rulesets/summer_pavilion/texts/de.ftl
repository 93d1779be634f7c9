# Azul: Der Sommerpavillon auf Deutsch. Plätze, Manufakturen und Felder zählen ab 1.

colour = { $colour ->
    [purple] Violett
    [green] Grün
    [orange] Orange
    [yellow] Gelb
    [blue] Blau
   *[red] Rot
}
a-colour = { $colour ->
    [purple] eine violette
    [green] eine grüne
    [orange] eine orangefarbene
    [yellow] eine gelbe
    [blue] eine blaue
   *[red] eine rote
}
source = { $source ->
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
star = { $variant ->
    [grey] { star-by-place }
   *[coloured] { star-by-colour }
}
star-by-colour = { $star ->
    [orange] des orangefarbenen Sterns
    [red] des roten Sterns
    [blue] des blauen Sterns
    [yellow] des gelben Sterns
    [green] des grünen Sterns
    [purple] des violetten Sterns
   *[centre] des Sterns in der Mitte
}
star-by-place = { $star ->
    [orange] des Sterns oben links
    [red] des Sterns oben rechts
    [blue] des Sterns rechts
    [yellow] des Sterns unten rechts
    [green] des Sterns unten links
    [purple] des Sterns links
   *[centre] des Sterns in der Mitte
}
who = { $seat ->
    [0] Platz 1
    [1] Platz 2
    [2] Platz 3
   *[3] Platz 4
}

listed = { $first } und { $last }
kind = { $kind ->
    [purple] violette
    [green] grüne
    [orange] orangefarbene
    [yellow] gelbe
    [blue] blaue
   *[red] rote
}
part-keep = { $count } { kind }
place = { $wilds ->
    [0] { a-colour } Fliese auf Feld { $slot } { star }
   *[other] { a-colour } Fliese auf Feld { $slot } { star }, mit { $wilds } Joker
}
keep = { $keep ->
    [0] keine Fliese
    [one] { $keep_listed } Fliese
   *[other] { $keep_listed } Fliesen
}
tiles-came = { $tiles ->
    [one] { $tiles } Fliese kam
   *[other] { $tiles } Fliesen kamen
}

action-acquire = Nimm { colour } { source }.
action-place = Lege { place }.
action-take-bonus = Nimm { a-colour } Bonusfliese.
action-pass = Passe und behalte { keep }.

log-acquire = nahm { colour } { source }
log-place = legte { place }
log-take-bonus = nahm { a-colour } Bonusfliese
log-pass = passte und behielt { keep }

story-acquire = { log-acquire }
placed-tile = { $wilds ->
    [0] { a-colour } Fliese auf Feld { $slot } { star }
    [one] { a-colour } Fliese mit { $wilds } Joker auf Feld { $slot } { star }
   *[other] { a-colour } Fliese mit { $wilds } Jokern auf Feld { $slot } { star }
}
story-place = legte { placed-tile }
story-take-bonus = { log-take-bonus }
story-pass = { log-pass }
instead-acquire = { colour } { source } nehmen
instead-place = { placed-tile } legen
instead-take-bonus = { a-colour } Bonusfliese nehmen
instead-pass = passen und { keep } behalten
bonus-stars = vollständige Sterne
bonus-numbers = vollständige Zahlen
bonus-leftover = übrige Fliesen

draw-first-seat = { who } wurde ausgelost und beginnt.
draw-deal = { $tiles ->
    [0] Es war keine Fliese mehr da.
    [one] { $tiles } Fliese wurde ausgelegt.
   *[other] { $tiles } Fliesen wurden ausgelegt.
}
draw-refill = { tiles-came } in den Vorrat.

reason-unknown-action = Diese Aktion gibt es nicht.
reason-game-over = Das Spiel ist zu Ende.
reason-drawing = Es werden Fliesen gezogen. Gerade ist niemand am Zug.
reason-not-acquiring = Manufakturen und Tischmitte sind leer. Du kannst legen oder passen.
reason-take-bonus-first = Nimm zuerst deine Bonusfliesen.
reason-not-playing = Legen und passen kannst du, wenn Manufakturen und Tischmitte leer sind.
reason-no-bonus-owed = Du hast keine Bonusfliese zu nehmen.
reason-source-empty = Hier liegen keine Fliesen.
reason-colour-not-in-source = Hier liegt keine Fliese dieser Farbe.
reason-wild-not-alone = Die Jokerfarbe kannst du nur nehmen, wo keine andere Farbe mehr liegt.
reason-space-taken = Auf diesem Feld liegt schon eine Fliese.
reason-star-takes-other-colour = Auf diesen Stern gehört eine andere Farbe.
reason-star-holds-colour = Dieser Stern sammelt sechs verschiedene Farben und hat diese schon.
reason-colour-not-in-hand = Du hast keine Fliese dieser Farbe.
reason-wild-needs-no-wilds = Diese Farbe ist selbst Joker. Bezahle mit ihren Fliesen, ohne Joker.
reason-too-many-wilds = Mindestens eine bezahlte Fliese muss die Farbe selbst haben.
reason-not-enough-tiles = Du hast nicht genug Fliesen dieser Farbe.
reason-not-enough-wilds = Du hast nicht genug Joker.
reason-colour-not-in-supply = Im Vorrat liegt keine Fliese dieser Farbe.
reason-kept-not-in-hand = Behalten kannst du nur Fliesen, die du hast.

why-points = { $gain ->
    [true] { $difference ->
        [one] bringt sofort einen Punkt mehr
       *[other] bringt sofort { $difference } Punkte mehr
    }
   *[false] { $difference ->
        [one] kostet einen Punkt weniger
       *[other] kostet { $difference } Punkte weniger
    }
}
why-points-of-round = { $other ->
    [0] ermöglicht in dieser Runde { points }
   *[other] ermöglicht in dieser Runde { points } statt { $other }
}
points = { $best ->
    [one] { $best } Punkt
   *[other] { $best } Punkte
}
why-bonus = { $best ->
    [one] bringt eine Bonusfliese
   *[other] bringt { $best } Bonusfliesen
}
why-star-completed = belegt das letzte Feld { star } für { $best } Punkte
why-star-tiles = bringt die Fliesen { star } auf { $best }
why-number-completed = belegt alle Felder mit der { $number } für { $best } Punkte
why-number-tiles = bringt die Felder mit der { $number } auf { $best } von { $spaces }
why-feature-ready = { $kind ->
    [pillar] lässt um eine Säule nur noch ein Feld frei
    [statue] lässt um eine Statue nur noch ein Feld frei
   *[window] lässt um ein Fenster nur noch ein Feld frei
}
why-affordable = { $kept ->
    [true] behält genug Fliesen für die { $best } { star }
   *[false] sammelt genug Fliesen für die { $best } { star }
}
why-tiles = { $best ->
    [one] bringt eine Fliese statt { $other }
   *[other] bringt { $best } Fliesen statt { $other }
}
why-jokers = bringt einen Joker
why-tiles-kept = { $other ->
    [0] behält { tiles }
   *[other] behält { tiles } statt { $other }
}
tiles = { $best ->
    [one] eine Fliese
   *[other] { $best } Fliesen
}
why-jokers-kept = { $gained ->
    [true] bringt einen Joker
   *[false] { $difference ->
        [one] spart einen Joker
       *[other] spart { $difference } Joker
    }
}
why-next-jokers = { $gained ->
    [true] bringt { a-colour } Fliese, in der nächsten Runde ein Joker
   *[false] { $best ->
        [one] behält { a-colour } Fliese, in der nächsten Runde ein Joker
       *[other] behält { $best } Fliesen in { colour }, in der nächsten Runde Joker
    }
}
why-colour-tiles = { $gained ->
    [true] { $best ->
        [one] bringt { a-colour } Fliese auf die Hand
       *[other] bringt die Hand auf { $best } Fliesen in { colour }
    }
   *[false] { $best ->
        [one] behält { a-colour } Fliese
       *[other] behält { $best } Fliesen in { colour }
    }
}
why-start-token = holt den Startstein
why-in-round = bleibt in der Runde
why-deny = { $best ->
    [0] lässt { who } keine Fliesen in { colour }
    [one] lässt { who } nur einzelne Fliesen in { colour } statt { $other } auf einmal
   *[other] lässt { who } höchstens { $best } statt { $other } Fliesen in { colour } auf einmal
}
why-opponent-loss = { $best ->
    [one] kostet { who } mindestens einen Punkt für den Startstein
   *[other] kostet { who } mindestens { $best } Punkte für den Startstein
}
why-opponent-tiles = { $best ->
    [one] lässt { who } nur einzelne Fliesen
   *[other] lässt { who } höchstens { $best } statt { $other } Fliesen auf einmal
}

picture-title = Azul: Der Sommerpavillon
picture-round = Runde
picture-bag = Beutel
picture-tower = Turm
picture-supply = Vorrat
picture-wild = Jokerfarbe
picture-passed = hat gepasst
picture-empty = leer
picture-start-token = Startstein
picture-colour = { colour }
picture-tiles = { $count } × { colour }
picture-place = { $place }: { $content }
picture-factory = Manufaktur { $number }: { $tiles }
picture-centre = Tischmitte: { $tiles }
picture-wild-colours = { $colour ->
    [none] Jokerfarben der Runden: { $all }
   *[other] Jokerfarbe: { colour }. Je Runde: { $all }
}
picture-star = { $variant ->
    [grey] { star-label-by-place }
   *[coloured] { $star ->
        [centre] Stern in der Mitte
       *[other] Stern { colour }
    }
}
star-label-by-place = { $star ->
    [orange] Stern oben links
    [red] Stern oben rechts
    [blue] Stern rechts
    [yellow] Stern unten rechts
    [green] Stern unten links
    [purple] Stern links
   *[centre] Stern in der Mitte
}
picture-star-space = { $colour ->
    [none] Feld { $slot } frei, kostet { $number }
   *[other] Feld { $slot } { colour }
}
picture-surrounded = Umbaut: { $features }
picture-feature = { $kind ->
    [pillar] { $count } von { $all } Säulen
    [statue] { $count } von { $all } Statuen
   *[window] { $count } von { $all } Fenstern
}
picture-corners = Ecken, behaltene Fliesen: { $tiles }
picture-hand = Fliesen auf der Hand: { $tiles }
