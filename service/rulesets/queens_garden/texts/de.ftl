# Azul: Der Garten der Königin auf Deutsch. Plätze, Bereiche und die Erweiterungen neben dem Stapel zählen ab 1.
# Ein Feld heißt nach seinem Bereich und seiner Richtung von dessen Mitte aus.

hexagon = { $hexagon_pattern ->
    [tree] Baum in { hexagon-colour }
    [bird] Vogel in { hexagon-colour }
    [butterfly] Schmetterling in { hexagon-colour }
    [flower] Blume in { hexagon-colour }
    [plant] Pflanze in { hexagon-colour }
   *[bellflower] Glockenblume in { hexagon-colour }
}
hexagon-colour = { $hexagon_colour ->
    [blue] Blau
    [dark_green] Dunkelgrün
    [light_green] Hellgrün
    [yellow] Gelb
    [light_purple] Hellviolett
   *[dark_purple] Dunkelviolett
}
the-hexagon = { $hexagon_pattern ->
    [tree] den { hexagon }
    [bird] den { hexagon }
    [butterfly] den { hexagon }
   *[flower] die { hexagon }
}
value = { $value ->
    [blue] Blau
    [dark_green] Dunkelgrün
    [light_green] Hellgrün
    [yellow] Gelb
    [light_purple] Hellviolett
    [dark_purple] Dunkelviolett
    [tree] Bäume
    [bird] Vögel
    [butterfly] Schmetterlinge
    [flower] Blumen
    [plant] Pflanzen
   *[bellflower] Glockenblumen
}
who = { $seat ->
    [0] Platz 1
    [1] Platz 2
    [2] Platz 3
   *[3] Platz 4
}
area = { $area ->
    [0] Bereich 1
    [1] Bereich 2
    [2] Bereich 3
    [3] Bereich 4
    [4] Bereich 5
   *[5] Bereich 6
}
rotation = { $rotation ->
    [0] rechts
    [1] rechts unten
    [2] links unten
    [3] links
    [4] links oben
   *[5] rechts oben
}
space = { $space_0 ->
    [-4] { $space_1 ->
        [0] auf Bereich 4, links
        [1] auf Bereich 4, links unten
        [3] auf Bereich 3, links
       *[4] auf Bereich 3, links unten
    }
    [-3] { $space_1 ->
        [-1] auf Bereich 4, links oben
        [0] auf Bereich 4, Mitte
        [1] auf Bereich 4, rechts unten
        [2] auf Bereich 3, links oben
        [3] auf Bereich 3, Mitte
       *[4] auf Bereich 3, rechts unten
    }
    [-2] { $space_1 ->
        [-1] auf Bereich 4, rechts oben
        [0] auf Bereich 4, rechts
        [2] auf Bereich 3, rechts oben
       *[3] auf Bereich 3, rechts
    }
    [-1] { $space_1 ->
        [-3] auf Bereich 5, links
        [-2] auf Bereich 5, links unten
        [0] an den Brunnen, links
        [1] an den Brunnen, links unten
        [3] auf Bereich 2, links
       *[4] auf Bereich 2, links unten
    }
    [0] { $space_1 ->
        [-4] auf Bereich 5, links oben
        [-3] auf Bereich 5, Mitte
        [-2] auf Bereich 5, rechts unten
        [-1] an den Brunnen, links oben
        [1] an den Brunnen, rechts unten
        [2] auf Bereich 2, links oben
        [3] auf Bereich 2, Mitte
       *[4] auf Bereich 2, rechts unten
    }
    [1] { $space_1 ->
        [-4] auf Bereich 5, rechts oben
        [-3] auf Bereich 5, rechts
        [-1] an den Brunnen, rechts oben
        [0] an den Brunnen, rechts
        [2] auf Bereich 2, rechts oben
       *[3] auf Bereich 2, rechts
    }
    [2] { $space_1 ->
        [-3] auf Bereich 6, links
        [-2] auf Bereich 6, links unten
        [0] auf Bereich 1, links
       *[1] auf Bereich 1, links unten
    }
    [3] { $space_1 ->
        [-4] auf Bereich 6, links oben
        [-3] auf Bereich 6, Mitte
        [-2] auf Bereich 6, rechts unten
        [-1] auf Bereich 1, links oben
        [0] auf Bereich 1, Mitte
       *[1] auf Bereich 1, rechts unten
    }
   *[4] { $space_1 ->
        [-4] auf Bereich 6, rechts oben
        [-3] auf Bereich 6, rechts
        [-1] auf Bereich 1, rechts oben
       *[0] auf Bereich 1, rechts
    }
}

payment-tiles = { $payment_tiles_listed }
payment-expansions = { $payment_expansions_listed }
discard-tiles = { $discard_tiles_listed }
discard-expansions = { $discard_expansions_listed }
payment-jokers = { $payment_jokers } Joker
payment = { $payment_tiles ->
    [0] { $payment_expansions ->
        [0] { $payment_jokers ->
            [0] nichts weiter
           *[other] { payment-jokers }
        }
       *[other] { $payment_jokers ->
            [0] { payment-expansions }
           *[other] { payment-expansions } und { payment-jokers }
        }
    }
   *[other] { $payment_expansions ->
        [0] { $payment_jokers ->
            [0] { payment-tiles }
           *[other] { payment-tiles } und { payment-jokers }
        }
       *[other] { $payment_jokers ->
            [0] { payment-tiles } und { payment-expansions }
           *[other] { payment-tiles }, { payment-expansions } und { payment-jokers }
        }
    }
}
discard = { $discard_tiles ->
    [0] { $discard_expansions ->
        [0] nichts
       *[other] { discard-expansions }
    }
   *[other] { $discard_expansions ->
        [0] { discard-tiles }
       *[other] { discard-tiles } und { discard-expansions }
    }
}

listed = { $first } und { $last }
plain-colour = { $colour ->
    [blue] Blau
    [dark_green] Dunkelgrün
    [light_green] Hellgrün
    [yellow] Gelb
    [light_purple] Hellviolett
   *[dark_purple] Dunkelviolett
}
plain-hexagon = { $pattern ->
    [tree] Baum in { plain-colour }
    [bird] Vogel in { plain-colour }
    [butterfly] Schmetterling in { plain-colour }
    [flower] Blume in { plain-colour }
    [plant] Pflanze in { plain-colour }
   *[bellflower] Glockenblume in { plain-colour }
}
piece-place = { $from ->
    [beside_0] von Erweiterung 1
    [beside_1] von Erweiterung 2
    [beside_2] von Erweiterung 3
    [beside_3] von Erweiterung 4
    [beside_4] von Erweiterung 5
    [beside_5] von Erweiterung 6
    [beside_6] von Erweiterung 7
    [beside_7] von Erweiterung 8
   *[top] vom Stapel
}
part-pieces = { $kind ->
    [expansion] Erweiterung mit { hexagon }
   *[tile] { hexagon } { piece-place }
}
part-payment-tiles = { plain-hexagon }
part-payment-expansions = Erweiterung mit { plain-hexagon }
part-discard-tiles = { plain-hexagon }
part-discard-expansions = Erweiterung mit { plain-hexagon }

action-acquire = Nimm { value }: { $pieces_listed }.
action-place-tile = Lege { the-hexagon } { space } (Bezahlung: { payment }).
action-place-expansion = Lege die Erweiterung mit { hexagon } auf { area }, Sechseck { rotation } (Bezahlung: { payment }).
action-buy-expansion = Kaufe eine Erweiterung für { area }.
action-pass = Passe und wirf { discard } ab.

log-acquire = nahm { value }: { $pieces_listed }
log-place-tile = legte { the-hexagon } { space } (Bezahlung: { payment })
log-place-expansion = legte die Erweiterung mit { hexagon } auf { area }, Sechseck { rotation } (Bezahlung: { payment })
log-buy-expansion = kaufte eine Erweiterung für { area }
log-pass = passte und warf { discard } ab

taken = { $pieces ->
    [one] ein Teil { taken-by }
   *[other] { $pieces } Teile { taken-by }
}
taken-by = { $value ->
    [bird] mit Vögeln
    [butterfly] mit Schmetterlingen
    [flower] mit Blumen
    [plant] mit Pflanzen
    [bellflower] mit Glockenblumen
    [tree] mit Bäumen
   *[blue] in { value }
}
story-acquire = nahm { taken }
story-place-tile = legte { the-hexagon } { space }
story-place-expansion = legte die Erweiterung mit { hexagon } auf { area }
story-buy-expansion = { log-buy-expansion }
story-pass = passte
instead-acquire = { taken } nehmen
instead-place-tile = { the-hexagon } { space }, legen
instead-place-expansion = die Erweiterung mit { hexagon } auf { area } legen
instead-buy-expansion = eine Erweiterung für { area } kaufen
instead-pass = passen
bonus-storage = das Lager
bonus-groups = die Gruppen

draw-first-seat = { who } wurde ausgelost und beginnt.
draw-fill = { $tiles ->
    [one] { $tiles } Fliese wurde auf den Stapel gezogen.
   *[other] { $tiles } Fliesen wurden auf den Stapel gezogen.
}
draw-turn = { $faces ->
    [one] Die Vorderseite von { $faces } Erweiterung wurde ausgelost.
   *[other] Die Vorderseiten von { $faces } Erweiterungen wurden ausgelost.
}

reason-unknown-action = Diese Aktion gibt es nicht.
reason-game-over = Das Spiel ist zu Ende.
reason-drawing = Es werden Fliesen oder Erweiterungen gezogen. Gerade ist niemand am Zug.
reason-nothing-matches = Kein Teil der Auslage hat diese Farbe oder dieses Motiv.
reason-piece-not-there = Eines dieser Teile liegt nicht dort.
reason-pieces-incomplete = Nimm von jedem verschiedenen Sechseck mit dieser Farbe oder diesem Motiv ein Teil.
reason-pieces-repeat = Nimm jedes Sechseck nur einmal.
reason-piece-does-not-match = Eines dieser Teile hat eine andere Farbe oder ein anderes Motiv.
reason-no-room-for-tiles = In deinem Lager sind nicht genug Felder für diese Fliesen frei.
reason-no-room-for-expansions = In deinem Lager sind nicht genug Felder für diese Erweiterungen frei.
reason-tile-not-in-storage = Diese Fliese ist nicht in deinem Lager.
reason-no-board-there = Hier ist kein freies Feld.
reason-space-taken = Auf diesem Feld liegt schon ein Sechseck.
reason-expansion-not-in-storage = Diese Erweiterung ist nicht in deinem Lager.
reason-area-taken = Auf diesem Bereich liegt schon eine Erweiterung.
reason-payment-mixed = Alle Teile der Bezahlung müssen die Farbe oder alle das Motiv des gelegten Sechsecks haben.
reason-payment-repeats = In einer Bezahlung darf kein Sechseck zweimal vorkommen. Das gelegte zählt mit.
reason-payment-number = Ein Sechseck kostet so viele Teile, wie es wert ist. Es selbst zählt mit.
reason-payment-not-in-storage = Diese Teile sind nicht in deinem Lager.
reason-neighbours-differ = Mindestens ein Nachbar muss die Farbe oder das Motiv teilen.
reason-group-repeats-hexagon = In einer Gruppe einer Farbe oder eines Motivs darf kein Sechseck zweimal vorkommen.
reason-supply-empty = Es gibt keine Erweiterung mehr zu kaufen.
reason-too-few-points = Deine Punkte reichen nicht für eine Erweiterung.
reason-discard-not-in-storage = Abwerfen kannst du nur Teile aus deinem Lager.

why-points-of-round = { $difference ->
    [one] bringt bis zum Ende der Runde einen Punkt mehr
   *[other] bringt bis zum Ende der Runde { $difference } Punkte mehr
}
why-later-points = { $difference ->
    [one] bringt in den späteren Runden einen Punkt mehr
   *[other] bringt in den späteren Runden { $difference } Punkte mehr
}
why-group-points = { $difference ->
    [one] macht die Gruppen am Ende einen Punkt mehr wert
   *[other] macht die Gruppen am Ende { $difference } Punkte mehr wert
}
why-group = { $by ->
    [colour] bringt die größte Gruppe in { value } auf { $best }
   *[pattern] bringt die größte Gruppe { value } auf { $best }
}
why-element-completed = { $kind ->
    [fountain] umbaut den Brunnen für { $best } Joker
    [statue] umbaut eine Statue für { $best } Joker
    [bench] umbaut eine Bank für { $best } Joker
   *[pavilion] umbaut einen Pavillon für { $best } Joker
}
why-element-ready = { $kind ->
    [fountain] lässt um den Brunnen nur noch ein Feld frei
    [statue] lässt um eine Statue nur noch ein Feld frei
    [bench] lässt um eine Bank nur noch ein Feld frei
   *[pavilion] lässt um einen Pavillon nur noch ein Feld frei
}
why-expansions-placed = legt eine Erweiterung in den Garten
why-expansions = { $difference ->
    [one] lässt eine Erweiterung mehr im Lager
   *[other] lässt { $difference } Erweiterungen mehr im Lager
}
why-jokers = { $difference ->
    [one] lässt einen Joker mehr im Lager
   *[other] lässt { $difference } Joker mehr im Lager
}
why-tiles = { $other ->
    [0] bringt { pieces }
   *[other] bringt { pieces } statt { $other }
}
pieces = { $best ->
    [one] ein Teil
   *[other] { $best } Teile
}
why-tiles-kept = { $other ->
    [0] lässt { pieces } im Lager
   *[other] lässt { pieces } statt { $other } im Lager
}
why-storage = { $difference ->
    [one] kostet am Ende einen Punkt weniger für das Lager
   *[other] kostet am Ende { $difference } Punkte weniger für das Lager
}
why-placeable = { $kind ->
    [expansion] bereitet die Erweiterung mit { hexagon } für den nächsten Zug vor
   *[tile] bereitet { the-hexagon } für den nächsten Zug vor
}
why-covered = deckt keine neuen Fliesen auf
why-start-token = holt den Startspielermarker
why-in-round = bleibt in der Runde
why-deny = { $best ->
    [0] lässt { who } keine Teile ({ value })
    [one] lässt { who } höchstens ein Teil statt { $other } ({ value })
   *[other] lässt { who } höchstens { $best } statt { $other } Teile ({ value })
}

picture-title = Azul: Der Garten der Königin
picture-round = Runde
picture-bag = Beutel
picture-tower = Turm
picture-supply = Vorrat
picture-stacks = Stapel
picture-passed = gepasst
picture-empty = leer
picture-free = frei
picture-nothing = nichts
picture-marker = Startspielermarker
picture-hexagon = { hexagon }
picture-expansion = Erweiterung mit { hexagon }
picture-wheel = Rad, jetzt Runde { $round }. { $quarters }. In jeder Runde: Pavillons { $pavilion }
picture-quarter = Runde { $round }: { $shown }
picture-scores = { value } { $points }
picture-stack = Stapel mit { $count }, darauf: { $tiles }
picture-beside-stack = Erweiterung { $number }: { $content }
picture-free-area = Bereich { $number }: frei
picture-area = { $face ->
    [up] Bereich { $number }, um einen Pavillon: { $spaces }
   *[down] Bereich { $number }: { $spaces }
}
picture-fountain = Um den Brunnen: { $spaces }
picture-garden-space = { $rotation ->
    [middle] Mitte { $content }
   *[other] { rotation } { $content }
}
picture-surrounded = Umbaut: { $elements }
picture-element = { $kind ->
    [fountain] Brunnen
    [statue] { $count ->
        [one] { $count } Statue
       *[other] { $count } Statuen
    }
    [bench] { $count ->
        [one] { $count } Bank
       *[other] { $count } Bänke
    }
   *[pavilion] { $count ->
        [one] { $count } Pavillon
       *[other] { $count } Pavillons
    }
}
picture-storage = Lager: { $pieces }; Joker { $jokers }; freie Felder { $free }
