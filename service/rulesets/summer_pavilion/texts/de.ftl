# Azul: Der Sommerpavillon auf Deutsch. Plätze, Felder und Manufakturen werden ab 1 gezählt, wie Menschen zählen.

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
wild = { $wild ->
    [purple] Violett
    [green] Grün
    [orange] Orange
    [yellow] Gelb
    [blue] Blau
   *[red] Rot
}
points = { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkte
}
count-tiles = { $count ->
    [one] { $count } Fliese
   *[other] { $count } Fliesen
}
tiles = { $tiles ->
    [one] { $tiles } Fliese
   *[other] { $tiles } Fliesen
}
bonus-tiles = { $tiles ->
    [one] { $tiles } Bonusfliese
   *[other] { $tiles } Bonusfliesen
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
star = { $star ->
    [orange] des orangefarbenen Sterns
    [red] des roten Sterns
    [blue] des blauen Sterns
    [yellow] des gelben Sterns
    [green] des grünen Sterns
    [purple] des violetten Sterns
   *[centre] des Sterns in der Mitte
}
feature = { $feature ->
    [pillar_orange] die Säule des orangefarbenen Sterns
    [pillar_red] die Säule des roten Sterns
    [pillar_blue] die Säule des blauen Sterns
    [pillar_yellow] die Säule des gelben Sterns
    [pillar_green] die Säule des grünen Sterns
    [pillar_purple] die Säule des violetten Sterns
    [statue_orange_red] die Statue zwischen Orange und Rot
    [statue_red_blue] die Statue zwischen Rot und Blau
    [statue_blue_yellow] die Statue zwischen Blau und Gelb
    [statue_yellow_green] die Statue zwischen Gelb und Grün
    [statue_green_purple] die Statue zwischen Grün und Violett
    [statue_purple_orange] die Statue zwischen Violett und Orange
    [window_orange] das Fenster des orangefarbenen Sterns
    [window_red] das Fenster des roten Sterns
    [window_blue] das Fenster des blauen Sterns
    [window_yellow] das Fenster des gelben Sterns
    [window_green] das Fenster des grünen Sterns
   *[window_purple] das Fenster des violetten Sterns
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
part-kept = { $count } { kind }
part-discarded = { $count } { kind }

action-acquire = Nimm { colour } { source }.
action-place = { $wilds ->
    [0] Lege { a-colour } Fliese auf Feld { $slot } { star }, ohne Joker.
   *[other] Lege { a-colour } Fliese auf Feld { $slot } { star }, mit { $wilds } Joker.
}
action-take-bonus = Nimm { a-colour } Bonusfliese aus dem Vorrat.
action-pass = Passe und behalte { $keep ->
        [0] nichts
        [one] { $keep_listed } Fliese
       *[other] { $keep_listed } Fliesen
    }.


draw-first-seat = Wer beginnt, wird ausgelost: { who }.
draw-deal = { $tiles ->
    [0] Es ist keine Fliese mehr da.
    [one] { $tiles } Fliese wird ausgelegt.
   *[other] { $tiles } Fliesen werden ausgelegt.
}
draw-refill = { $tiles ->
    [one] { $tiles } Fliese kommt in den Vorrat.
   *[other] { $tiles } Fliesen kommen in den Vorrat.
}

effect-tiles-acquired = { $wilds ->
    [0] { who } nimmt { colour } { source }: { count-tiles }.
   *[other] { who } nimmt { colour } { source }: { count-tiles }, darunter ein Joker.
}
effect-tiles-moved-to-centre = { $tiles ->
    [one] { $tiles } Fliese wandert in die Tischmitte.
   *[other] { $tiles } Fliesen wandern in die Tischmitte.
}
effect-start-token-taken = { $points ->
    [0] { who } nimmt den Startspielerstein.
   *[other] { who } nimmt den Startspielerstein: { points }.
}
effect-play-began = { who } darf als Erstes legen oder passen.
effect-tile-placed = { who } legt { a-colour } Fliese auf Feld { $slot } { star }: { points }.
effect-feature-surrounded = { who } umschließt { feature }: { bonus-tiles }.
effect-bonus-owed = { $tiles ->
    [0] Der Vorrat ist leer; { who } bekommt keine Bonusfliese.
   *[other] { who } nimmt { bonus-tiles } aus dem Vorrat.
}
effect-bonus-taken = { $owed ->
    [0] { who } nimmt { a-colour } Bonusfliese.
    [one] { who } nimmt { a-colour } Bonusfliese; { $owed } weitere folgt.
   *[other] { who } nimmt { a-colour } Bonusfliese; { $owed } weitere folgen.
}
effect-passed = { $discarded ->
    [0] { who } passt und behält { $kept ->
        [0] nichts
        [one] { $kept_listed } Fliese
       *[other] { $kept_listed } Fliesen
    }.
   *[other] { who } passt, behält { $kept ->
        [0] nichts
        [one] { $kept_listed } Fliese
       *[other] { $kept_listed } Fliesen
    } und wirft { $discarded ->
        [0] nichts
        [one] { $discarded_listed } Fliese
       *[other] { $discarded_listed } Fliesen
    } ab: { points }.
}
effect-round-ended = Runde { $round } ist zu Ende.
effect-end-bonus = { $points ->
    [0] { who } erhält keinen Bonus.
   *[other] { who } erhält { points } für { $stars ->
        [one] { $stars } vollständigen Stern
       *[other] { $stars } vollständige Sterne
    } und { $numbers ->
        [one] { $numbers } vollständige Zahl
       *[other] { $numbers } vollständige Zahlen
    }.
}
effect-leftover-penalty = { who } hat noch { tiles } in den Ecken des Spielplans: { points }.
effect-game-ended = Das Spiel ist zu Ende.
effect-first-seat-drawn = { who } beginnt.
effect-supply-refilled = { $tower_used ->
    [true] { $tiles ->
        [one] { $tiles } Fliese kommt
       *[other] { $tiles } Fliesen kommen
    } in den Vorrat; der Turm wurde in den Beutel geleert.
   *[false] { $tiles ->
        [one] { $tiles } Fliese kommt
       *[other] { $tiles } Fliesen kommen
    } in den Vorrat.
}
effect-dealt = { $tower_used ->
    [true] Runde { $round } beginnt, { wild } ist Joker; der Turm wurde in den Beutel geleert.
   *[false] Runde { $round } beginnt, { wild } ist Joker.
}
effect-corners-returned = { $tiles ->
    [one] { who } bekommt { $tiles } behaltene Fliese zurück.
   *[other] { who } bekommt { $tiles } behaltene Fliesen zurück.
}

reason-unknown-action = Eine solche Aktion gibt es nicht.
reason-game-over = Das Spiel ist zu Ende.
reason-drawing = Es wird gezogen; niemand ist an der Reihe.
reason-not-acquiring = Aus Manufakturen und Tischmitte wird nur genommen, solange dort Fliesen liegen.
reason-take-bonus-first = Zuerst sind die Bonusfliesen zu nehmen.
reason-not-playing = Es werden noch Fliesen genommen; gelegt und gepasst wird, wenn Manufakturen und Tischmitte leer sind.
reason-no-bonus-owed = Es ist jetzt keine Bonusfliese zu nehmen.
reason-source-empty = Dort liegen keine Fliesen.
reason-colour-not-in-source = Dort liegt keine Fliese dieser Farbe.
reason-wild-not-alone = Die Jokerfarbe kann nur genommen werden, wo keine andere Farbe liegt.
reason-space-taken = Auf diesem Feld liegt schon eine Fliese.
reason-star-takes-other-colour = Dieser Stern nimmt nur eine andere Farbe auf.
reason-star-holds-colour = Dieser Stern sammelt sechs verschiedene Farben und hat diese schon.
reason-colour-not-in-hand = In der Hand ist keine Fliese dieser Farbe.
reason-wild-needs-no-wilds = Diese Farbe ist selbst die Jokerfarbe; bezahlt wird mit ihr, ohne Joker.
reason-too-many-wilds = Mindestens eine bezahlte Fliese muss die Farbe selbst haben.
reason-not-enough-tiles = In der Hand sind nicht genug Fliesen dieser Farbe.
reason-not-enough-wilds = In der Hand sind nicht so viele Joker.
reason-colour-not-in-supply = Im Vorrat liegt keine Fliese dieser Farbe.
reason-kept-not-in-hand = Behalten werden können nur Fliesen der Hand.

picture-title = Azul: Der Sommerpavillon
picture-round = Runde
picture-bag = Beutel
picture-tower = Turm
picture-supply = Vorrat
picture-wild = Jokerfarbe
picture-passed = hat gepasst
