# Azul: Der Garten der Königin auf Deutsch. Plätze, Bereiche und Erweiterungen neben dem Stapel werden ab 1 gezählt,
# wie Menschen zählen. Ein Feld heißt nach seinem Bereich und danach, wo es von dessen Mitte aus liegt.

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
beside = { $number ->
    [0] Erweiterung 1
    [1] Erweiterung 2
    [2] Erweiterung 3
    [3] Erweiterung 4
    [4] Erweiterung 5
    [5] Erweiterung 6
    [6] Erweiterung 7
   *[7] Erweiterung 8
}
space = { $space_0 ->
    [-4] { $space_1 ->
        [0] in Bereich 4, links
        [1] in Bereich 4, links unten
        [3] in Bereich 3, links
       *[4] in Bereich 3, links unten
    }
    [-3] { $space_1 ->
        [-1] in Bereich 4, links oben
        [0] in die Mitte von Bereich 4
        [1] in Bereich 4, rechts unten
        [2] in Bereich 3, links oben
        [3] in die Mitte von Bereich 3
       *[4] in Bereich 3, rechts unten
    }
    [-2] { $space_1 ->
        [-1] in Bereich 4, rechts oben
        [0] in Bereich 4, rechts
        [2] in Bereich 3, rechts oben
       *[3] in Bereich 3, rechts
    }
    [-1] { $space_1 ->
        [-3] in Bereich 5, links
        [-2] in Bereich 5, links unten
        [0] neben den Brunnen, links
        [1] neben den Brunnen, links unten
        [3] in Bereich 2, links
       *[4] in Bereich 2, links unten
    }
    [0] { $space_1 ->
        [-4] in Bereich 5, links oben
        [-3] in die Mitte von Bereich 5
        [-2] in Bereich 5, rechts unten
        [-1] neben den Brunnen, links oben
        [1] neben den Brunnen, rechts unten
        [2] in Bereich 2, links oben
        [3] in die Mitte von Bereich 2
       *[4] in Bereich 2, rechts unten
    }
    [1] { $space_1 ->
        [-4] in Bereich 5, rechts oben
        [-3] in Bereich 5, rechts
        [-1] neben den Brunnen, rechts oben
        [0] neben den Brunnen, rechts
        [2] in Bereich 2, rechts oben
       *[3] in Bereich 2, rechts
    }
    [2] { $space_1 ->
        [-3] in Bereich 6, links
        [-2] in Bereich 6, links unten
        [0] in Bereich 1, links
       *[1] in Bereich 1, links unten
    }
    [3] { $space_1 ->
        [-4] in Bereich 6, links oben
        [-3] in die Mitte von Bereich 6
        [-2] in Bereich 6, rechts unten
        [-1] in Bereich 1, links oben
        [0] in die Mitte von Bereich 1
       *[1] in Bereich 1, rechts unten
    }
   *[4] { $space_1 ->
        [-4] in Bereich 6, rechts oben
        [-3] in Bereich 6, rechts
        [-1] in Bereich 1, rechts oben
       *[0] in Bereich 1, rechts
    }
}
points = { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkte
}

tiles = { $tiles ->
    [one] { $tiles } Fliese
   *[other] { $tiles } Fliesen
}
jokers = { $jokers } Joker
payment-tiles = { $payment_tiles_listed }
payment-expansions = { $payment_expansions_listed }
discard-tiles = { $discard_tiles_listed }
discard-expansions = { $discard_expansions_listed }
discarded-tiles = { $discarded_tiles_listed }
discarded-expansions = { $discarded_expansions_listed }
payment-jokers = { $payment_jokers ->
    [one] { $payment_jokers } Joker
   *[other] { $payment_jokers } Jokern
}
payment = { $payment_tiles ->
    [0] { $payment_expansions ->
        [0] { $payment_jokers ->
            [0] keinem weiteren Teil
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
discarded = { $discarded_tiles ->
    [0] { $discarded_expansions ->
        [0] nichts
       *[other] { discarded-expansions }
    }
   *[other] { $discarded_expansions ->
        [0] { discarded-tiles }
       *[other] { discarded-tiles } und { discarded-expansions }
    }
}
element = { $element ->
    [fountain] den Brunnen
    [bench0] die Bank zwischen den Bereichen 1 und 2
    [statue1] die Statue zwischen den Bereichen 2 und 3
    [bench2] die Bank zwischen den Bereichen 3 und 4
    [statue3] die Statue zwischen den Bereichen 4 und 5
    [bench4] die Bank zwischen den Bereichen 5 und 6
    [statue5] die Statue zwischen den Bereichen 6 und 1
    [pavilion0] den Pavillon auf Bereich 1
    [pavilion1] den Pavillon auf Bereich 2
    [pavilion2] den Pavillon auf Bereich 3
    [pavilion3] den Pavillon auf Bereich 4
    [pavilion4] den Pavillon auf Bereich 5
   *[pavilion5] den Pavillon auf Bereich 6
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
    [expansion] die Erweiterung { hexagon }
   *[tile] { hexagon } { piece-place }
}
part-payment-tiles = { plain-hexagon }
part-payment-expansions = der Erweiterung { plain-hexagon }
part-discard-tiles = { plain-hexagon }
part-discard-expansions = die Erweiterung { plain-hexagon }
part-discarded-tiles = { plain-hexagon }
part-discarded-expansions = die Erweiterung { plain-hexagon }

action-acquire = Nimm { value }: { $pieces_listed }.
action-place-tile = Lege die Fliese { hexagon } { space }, bezahlt mit { payment }.
action-place-expansion = Lege die Erweiterung mit { hexagon } auf { area }, das Motiv { rotation }, bezahlt mit { payment }.
action-buy-expansion = Kaufe eine Erweiterung für { area }.
action-pass = Passe und wirf { discard } ab.

draw-first-seat = Wer beginnt, wird ausgelost: { who }.
draw-fill = { $tiles ->
    [one] { $tiles } Fliese wird auf den Stapel gezogen.
   *[other] { $tiles } Fliesen werden auf den Stapel gezogen.
}
draw-turn = { $faces ->
    [one] Die Vorderseite von { $faces } Erweiterung wird ausgelost.
   *[other] Die Vorderseiten von { $faces } Erweiterungen werden ausgelost.
}

effect-pieces-acquired = { who } nimmt { value }: { $pieces_listed }.
effect-top-moved-beside = { $tiles ->
    [0] Die oberste Erweiterung kommt als { beside } neben den Stapel, ohne Fliesen.
   *[other] Die oberste Erweiterung kommt als { beside } neben den Stapel, mit { tiles }.
}
effect-stack-spread = { $numbers ->
    [one] Für den Stapel ist keine Fliese mehr da: Seine letzte Erweiterung kommt daneben.
   *[other] Für den Stapel ist keine Fliese mehr da: Seine { $numbers } Erweiterungen kommen daneben.
}
effect-stack-filled = { $tower_used ->
    [true] { $tiles ->
        [one] { $tiles } Fliese kommt
       *[other] { $tiles } Fliesen kommen
    } auf den Stapel; der Turm wurde in den Beutel geleert.
   *[false] { $tiles ->
        [one] { $tiles } Fliese kommt
       *[other] { $tiles } Fliesen kommen
    } auf den Stapel.
}
effect-expansions-turned = { $expansions ->
    [one] { $expansions } Erweiterung wird aufgedeckt.
   *[other] { $expansions } Erweiterungen werden aufgedeckt.
}
effect-first-seat-drawn = { who } beginnt.
effect-tile-placed = { who } legt die Fliese { hexagon } { space }, bezahlt mit { payment }.
effect-element-completed = { who } umschließt { element }: { jokers }.
effect-jokers-gained = { $lost ->
    [0] { who } bekommt { jokers }.
    [one] { who } bekommt { jokers }; für einen weiteren ist kein Platz.
   *[other] { who } bekommt { jokers }; für { $lost } weitere ist kein Platz.
}
effect-expansion-placed = { who } legt die Erweiterung mit { hexagon } auf { area }, bezahlt mit { payment }.
effect-expansion-bought = { who } kauft eine Erweiterung für { area }: { points }.
effect-passed = { $points ->
    [0] { who } passt und wirft { discarded } ab.
   *[other] { who } passt und wirft { discarded } ab: { points }.
}
effect-marker-taken = { who } nimmt den Startspielerstein: { points }.
effect-round-scored = { who } erhält { points } für den Garten.
effect-round-ended = Runde { $round } ist zu Ende.
effect-round-began = Runde { $round } beginnt; { who } fängt an.
effect-storage-counted = { who } hat noch { jokers } und Teile im Wert von { $values }: { points }.
effect-groups-scored = { $groups ->
    [0] { who } hat keine Gruppe, die zählt.
    [one] { who } erhält { points } für { $groups } Gruppe.
   *[other] { who } erhält { points } für { $groups } Gruppen.
}
effect-game-ended = Das Spiel ist zu Ende.

reason-unknown-action = Eine solche Aktion gibt es nicht.
reason-game-over = Das Spiel ist zu Ende.
reason-drawing = Es wird gezogen; niemand ist an der Reihe.
reason-nothing-matches = In der Auslage hat nichts diese Farbe oder dieses Motiv.
reason-piece-not-there = Eines dieser Teile liegt dort nicht.
reason-pieces-incomplete = Von jedem verschiedenen Sechseck mit dieser Farbe oder diesem Motiv ist ein Teil zu nehmen.
reason-pieces-repeat = Kein Sechseck darf zweimal genommen werden.
reason-piece-does-not-match = Eines dieser Teile hat eine andere Farbe oder ein anderes Motiv.
reason-no-room-for-tiles = Im Lager sind nicht genug Felder für diese Fliesen frei.
reason-no-room-for-expansions = Im Lager sind nicht genug Felder für diese Erweiterungen frei.
reason-tile-not-in-storage = Im Lager ist keine solche Fliese.
reason-no-board-there = Dort liegt kein Plan mit einem freien Feld.
reason-space-taken = Auf diesem Feld ist schon ein Sechseck.
reason-expansion-not-in-storage = Im Lager ist keine solche Erweiterung.
reason-area-taken = Auf diesem Bereich liegt schon eine Erweiterung.
reason-payment-mixed = Die Teile einer Bezahlung müssen mit dem gelegten Sechseck alle die Farbe oder alle das Motiv teilen.
reason-payment-repeats = In einer Bezahlung darf kein Sechseck zweimal vorkommen, auch nicht das gelegte.
reason-payment-number = Ein Sechseck kostet so viele Teile, wie es wert ist, es selbst mitgezählt.
reason-payment-not-in-storage = Diese Teile sind nicht im Lager.
reason-neighbours-differ = Mindestens ein Nachbar muss die Farbe oder das Motiv teilen.
reason-group-repeats-hexagon = Eine zusammenhängende Gruppe einer Farbe oder eines Motivs enthielte dasselbe Sechseck zweimal.
reason-supply-empty = Es gibt keine Erweiterung mehr zu kaufen.
reason-too-few-points = Für eine Erweiterung reichen die Punkte nicht.
reason-discard-not-in-storage = Abgeworfen werden können nur Teile des Lagers.

picture-title = Azul: Der Garten der Königin
picture-round = Runde
picture-bag = Beutel
picture-tower = Turm
picture-supply = Vorrat
picture-stacks = Stapel
picture-passed = gepasst
