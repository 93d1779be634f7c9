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
place = { $wilds ->
    [0] { a-colour } Fliese auf Feld { $slot } { star }
   *[other] { a-colour } Fliese auf Feld { $slot } { star }, mit { $wilds } Joker
}
keep = { $keep ->
    [0] keine Fliese
    [one] { $keep_listed } Fliese
   *[other] { $keep_listed } Fliesen
}
kept = { $kept ->
    [0] keine Fliese
    [one] { $kept_listed } Fliese
   *[other] { $kept_listed } Fliesen
}
discarded = { $discarded ->
    [0] keine Fliese
    [one] { $discarded_listed } Fliese
   *[other] { $discarded_listed } Fliesen
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

draw-first-seat = { who } wurde ausgelost und beginnt.
draw-deal = { $tiles ->
    [0] Es war keine Fliese mehr da.
    [one] { $tiles } Fliese wurde ausgelegt.
   *[other] { $tiles } Fliesen wurden ausgelegt.
}
draw-refill = { tiles-came } in den Vorrat.

effect-tiles-acquired = { $wilds ->
    [0] { who } nahm { colour } { source }: { count-tiles }.
   *[other] { who } nahm { colour } { source }: { count-tiles }, darunter ein Joker.
}
effect-tiles-moved-to-centre = { tiles-came } in die Tischmitte.
effect-start-token-taken = { $points ->
    [0] { who } nahm den Startspielerstein.
   *[other] { who } nahm den Startspielerstein: { points }.
}
effect-play-began = { who } durfte zuerst legen oder passen.
effect-tile-placed = { who } legte { a-colour } Fliese auf Feld { $slot } { star }: { points }.
effect-feature-surrounded = { who } umschloss { feature }: { bonus-tiles }.
effect-bonus-owed = { $tiles ->
    [0] Der Vorrat war leer. { who } bekam keine Bonusfliese.
   *[other] { who } bekam { bonus-tiles }.
}
effect-bonus-taken = { $owed ->
    [0] { who } nahm { a-colour } Bonusfliese.
    [one] { who } nahm { a-colour } Bonusfliese; eine weitere folgt.
   *[other] { who } nahm { a-colour } Bonusfliese; { $owed } weitere folgen.
}
effect-passed = { $discarded ->
    [0] { who } passte und behielt { kept }.
   *[other] { who } passte, behielt { kept } und warf { discarded } ab: { points }.
}
effect-round-ended = Runde { $round } ist zu Ende.
effect-end-bonus = { $points ->
    [0] { who } bekam keinen Bonus.
   *[other] { who } bekam { points } für { $stars ->
        [one] { $stars } vollen Stern
       *[other] { $stars } volle Sterne
    } und { $numbers ->
        [one] { $numbers } vollständige Zahl
       *[other] { $numbers } vollständige Zahlen
    }.
}
effect-leftover-penalty = { who } hatte noch { tiles } in den Ecken: { points }.
effect-game-ended = Das Spiel ist zu Ende.
effect-first-seat-drawn = { who } beginnt.
effect-supply-refilled = { $tower_used ->
    [true] Der Turm wurde in den Beutel geleert. { tiles-came } in den Vorrat.
   *[false] { tiles-came } in den Vorrat.
}
effect-dealt = { $tower_used ->
    [true] Runde { $round } begann. Joker ist { wild }. Der Turm wurde in den Beutel geleert.
   *[false] Runde { $round } begann. Joker ist { wild }.
}
effect-corners-returned = { who } nahm { $tiles ->
    [one] { $tiles } behaltene Fliese
   *[other] { $tiles } behaltene Fliesen
} zurück.

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

picture-title = Azul: Der Sommerpavillon
picture-round = Runde
picture-bag = Beutel
picture-tower = Turm
picture-supply = Vorrat
picture-wild = Jokerfarbe
picture-passed = hat gepasst
