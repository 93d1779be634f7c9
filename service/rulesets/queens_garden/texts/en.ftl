# Azul: Queen's Garden in English. Seats, areas and the expansions beside the stack count from 1.
# The name of a space is its area and its direction from the middle of the area.

hexagon = { $hexagon_pattern ->
    [tree] { hexagon-colour } tree
    [bird] { hexagon-colour } bird
    [butterfly] { hexagon-colour } butterfly
    [flower] { hexagon-colour } flower
    [plant] { hexagon-colour } plant
   *[bellflower] { hexagon-colour } bellflower
}
hexagon-colour = { $hexagon_colour ->
    [blue] blue
    [dark_green] dark green
    [light_green] light green
    [yellow] yellow
    [light_purple] light purple
   *[dark_purple] dark purple
}
value = { $value ->
    [blue] blue
    [dark_green] dark green
    [light_green] light green
    [yellow] yellow
    [light_purple] light purple
    [dark_purple] dark purple
    [tree] trees
    [bird] birds
    [butterfly] butterflies
    [flower] flowers
    [plant] plants
   *[bellflower] bellflowers
}
who = { $seat ->
    [0] Seat 1
    [1] Seat 2
    [2] Seat 3
   *[3] Seat 4
}
area = { $area ->
    [0] area 1
    [1] area 2
    [2] area 3
    [3] area 4
    [4] area 5
   *[5] area 6
}
rotation = { $rotation ->
    [0] right
    [1] lower right
    [2] lower left
    [3] left
    [4] upper left
   *[5] upper right
}
space = { $space_0 ->
    [-4] { $space_1 ->
        [0] in area 4, to the left
        [1] in area 4, to the lower left
        [3] in area 3, to the left
       *[4] in area 3, to the lower left
    }
    [-3] { $space_1 ->
        [-1] in area 4, to the upper left
        [0] in the middle of area 4
        [1] in area 4, to the lower right
        [2] in area 3, to the upper left
        [3] in the middle of area 3
       *[4] in area 3, to the lower right
    }
    [-2] { $space_1 ->
        [-1] in area 4, to the upper right
        [0] in area 4, to the right
        [2] in area 3, to the upper right
       *[3] in area 3, to the right
    }
    [-1] { $space_1 ->
        [-3] in area 5, to the left
        [-2] in area 5, to the lower left
        [0] beside the fountain, to the left
        [1] beside the fountain, to the lower left
        [3] in area 2, to the left
       *[4] in area 2, to the lower left
    }
    [0] { $space_1 ->
        [-4] in area 5, to the upper left
        [-3] in the middle of area 5
        [-2] in area 5, to the lower right
        [-1] beside the fountain, to the upper left
        [1] beside the fountain, to the lower right
        [2] in area 2, to the upper left
        [3] in the middle of area 2
       *[4] in area 2, to the lower right
    }
    [1] { $space_1 ->
        [-4] in area 5, to the upper right
        [-3] in area 5, to the right
        [-1] beside the fountain, to the upper right
        [0] beside the fountain, to the right
        [2] in area 2, to the upper right
       *[3] in area 2, to the right
    }
    [2] { $space_1 ->
        [-3] in area 6, to the left
        [-2] in area 6, to the lower left
        [0] in area 1, to the left
       *[1] in area 1, to the lower left
    }
    [3] { $space_1 ->
        [-4] in area 6, to the upper left
        [-3] in the middle of area 6
        [-2] in area 6, to the lower right
        [-1] in area 1, to the upper left
        [0] in the middle of area 1
       *[1] in area 1, to the lower right
    }
   *[4] { $space_1 ->
        [-4] in area 6, to the upper right
        [-3] in area 6, to the right
        [-1] in area 1, to the upper right
       *[0] in area 1, to the right
    }
}

payment-tiles = { $payment_tiles_listed }
payment-expansions = { $payment_expansions_listed }
discard-tiles = { $discard_tiles_listed }
discard-expansions = { $discard_expansions_listed }
payment-jokers = { $payment_jokers ->
    [one] { $payment_jokers } joker
   *[other] { $payment_jokers } jokers
}
payment = { $payment_tiles ->
    [0] { $payment_expansions ->
        [0] { $payment_jokers ->
            [0] nothing else
           *[other] { payment-jokers }
        }
       *[other] { $payment_jokers ->
            [0] { payment-expansions }
           *[other] { payment-expansions } and { payment-jokers }
        }
    }
   *[other] { $payment_expansions ->
        [0] { $payment_jokers ->
            [0] { payment-tiles }
           *[other] { payment-tiles } and { payment-jokers }
        }
       *[other] { $payment_jokers ->
            [0] { payment-tiles } and { payment-expansions }
           *[other] { payment-tiles }, { payment-expansions } and { payment-jokers }
        }
    }
}
discard = { $discard_tiles ->
    [0] { $discard_expansions ->
        [0] nothing
       *[other] { discard-expansions }
    }
   *[other] { $discard_expansions ->
        [0] { discard-tiles }
       *[other] { discard-tiles } and { discard-expansions }
    }
}

listed = { $first } and { $last }
plain-colour = { $colour ->
    [blue] blue
    [dark_green] dark green
    [light_green] light green
    [yellow] yellow
    [light_purple] light purple
   *[dark_purple] dark purple
}
plain-hexagon = { $pattern ->
    [tree] { plain-colour } tree
    [bird] { plain-colour } bird
    [butterfly] { plain-colour } butterfly
    [flower] { plain-colour } flower
    [plant] { plain-colour } plant
   *[bellflower] { plain-colour } bellflower
}
piece-place = { $from ->
    [beside_0] from expansion 1
    [beside_1] from expansion 2
    [beside_2] from expansion 3
    [beside_3] from expansion 4
    [beside_4] from expansion 5
    [beside_5] from expansion 6
    [beside_6] from expansion 7
    [beside_7] from expansion 8
   *[top] from the stack
}
part-pieces = { $kind ->
    [expansion] expansion with the { hexagon }
   *[tile] { hexagon } { piece-place }
}
part-payment-tiles = { plain-hexagon }
part-payment-expansions = expansion with the { plain-hexagon }
part-discard-tiles = { plain-hexagon }
part-discard-expansions = expansion with the { plain-hexagon }

action-acquire = Take { value }: { $pieces_listed }.
action-place-tile = Place the { hexagon } { space } (payment: { payment }).
action-place-expansion = Place the expansion with the { hexagon } on { area }, hexagon to the { rotation } (payment: { payment }).
action-buy-expansion = Buy an expansion for { area }.
action-pass = Pass and discard { discard }.

log-acquire = took { value }: { $pieces_listed }
log-place-tile = placed the { hexagon } { space } (payment: { payment })
log-place-expansion = placed the expansion with the { hexagon } on { area }, hexagon to the { rotation } (payment: { payment })
log-buy-expansion = bought an expansion for { area }
log-pass = passed and discarded { discard }

taken = { $pieces ->
    [one] a piece { taken-by }
   *[other] { $pieces } pieces { taken-by }
}
taken-by = { $by ->
    [colour] in { value }
   *[pattern] with { value }
}
story-acquire = took { taken }
story-place-tile = placed the { hexagon } { space }
story-place-expansion = placed the expansion with the { hexagon } on { area }
story-buy-expansion = { log-buy-expansion }
story-pass = passed
instead-acquire = taken { taken }
instead-place-tile = placed the { hexagon } { space }
instead-place-expansion = placed the expansion with the { hexagon } on { area }
instead-buy-expansion = bought an expansion for { area }
instead-pass = passed
bonus-storage = the storage
bonus-groups = the groups

draw-first-seat = { who } was drawn to start.
draw-fill = { $tiles ->
    [one] { $tiles } tile was drawn onto the stack.
   *[other] { $tiles } tiles were drawn onto the stack.
}
draw-turn = { $faces ->
    [one] The face of { $faces } expansion was drawn.
   *[other] The faces of { $faces } expansions were drawn.
}

reason-unknown-action = This action does not exist.
reason-game-over = The game is over.
reason-drawing = Tiles or expansions are being drawn. No player can act now.
reason-nothing-matches = No piece in the display has this colour or pattern.
reason-piece-not-there = One of these pieces is not in that place.
reason-pieces-incomplete = Take one piece of every different hexagon with this colour or pattern.
reason-pieces-repeat = Take each hexagon only once.
reason-piece-does-not-match = One of these pieces has another colour or pattern.
reason-no-room-for-tiles = Your storage does not have enough free spaces for these tiles.
reason-no-room-for-expansions = Your storage does not have enough free spaces for these expansions.
reason-tile-not-in-storage = Your storage does not hold this tile.
reason-no-board-there = There is no free space here.
reason-space-taken = This space already holds a hexagon.
reason-expansion-not-in-storage = Your storage does not hold this expansion.
reason-area-taken = This area already holds an expansion.
reason-payment-mixed = The pieces you pay must all share the colour, or all share the pattern, of the hexagon you place.
reason-payment-repeats = A payment cannot hold the same hexagon twice. The hexagon you place counts.
reason-payment-number = A hexagon costs as many pieces as its value, including itself.
reason-payment-not-in-storage = Your storage does not hold these pieces.
reason-neighbours-differ = At least one neighbour must share the colour or the pattern.
reason-group-repeats-hexagon = A group of one colour or pattern cannot hold the same hexagon twice.
reason-supply-empty = There are no expansions left to buy.
reason-too-few-points = You do not have enough points for an expansion.
reason-discard-not-in-storage = You can discard only pieces in your storage.

why-points-of-round = { $difference ->
    [one] scores one more point by the end of the round
   *[other] scores { $difference } more points by the end of the round
}
why-later-points = { $difference ->
    [one] scores one more point in the later rounds
   *[other] scores { $difference } more points in the later rounds
}
why-group-points = { $difference ->
    [one] makes the groups worth one more point at the end
   *[other] makes the groups worth { $difference } more points at the end
}
why-group = { $by ->
    [colour] builds a group of { $best } in { value }
   *[pattern] builds a group of { $best } { value }
}
why-element-completed = { $kind ->
    [fountain] surrounds the fountain for { jokers }
    [statue] surrounds a statue for { jokers }
    [bench] surrounds a bench for { jokers }
   *[pavilion] surrounds a pavilion for { jokers }
}
jokers = { $best ->
    [one] a joker
   *[other] { $best } jokers
}
why-element-ready = { $kind ->
    [fountain] leaves only one space open around the fountain
    [statue] leaves only one space open around a statue
    [bench] leaves only one space open around a bench
   *[pavilion] leaves only one space open around a pavilion
}
why-expansions-placed = adds an expansion to the garden
why-expansions = { $difference ->
    [one] leaves one more expansion in the storage
   *[other] leaves { $difference } more expansions in the storage
}
why-jokers = { $difference ->
    [one] leaves one more joker in the storage
   *[other] leaves { $difference } more jokers in the storage
}
why-tiles = { $other ->
    [0] takes { pieces }
   *[other] takes { pieces } instead of { $other }
}
pieces = { $best ->
    [one] a piece
   *[other] { $best } pieces
}
why-tiles-kept = { $other ->
    [0] leaves { pieces } in the storage
   *[other] leaves { pieces } in the storage instead of { $other }
}
why-storage = { $difference ->
    [one] loses one point less for the storage at the end
   *[other] loses { $difference } points less for the storage at the end
}
why-placeable = { $kind ->
    [expansion] prepares the expansion with the { hexagon } for the next turn
   *[tile] prepares the { hexagon } for the next turn
}
why-covered = uncovers no new tiles
why-start-token = takes the first-player marker
why-in-round = stays in the round
why-deny = { $best ->
    [0] leaves { seat } no { value } to take
    [one] leaves { seat } at most one piece ({ value }) to take instead of { $other }
   *[other] leaves { seat } at most { $best } pieces ({ value }) to take instead of { $other }
}
seat = { $seat ->
    [0] seat 1
    [1] seat 2
    [2] seat 3
   *[3] seat 4
}

picture-title = Azul: Queen's Garden
picture-round = Round
picture-bag = bag
picture-tower = tower
picture-supply = supply
picture-stacks = stacks
picture-passed = passed
picture-empty = empty
picture-free = free
picture-nothing = none
picture-marker = first-player marker
picture-hexagon = { hexagon }
picture-expansion = expansion with the { hexagon }
picture-wheel = Wheel, now round { $round }. { $quarters }. In every round: pavilions { $pavilion }
picture-quarter = Round { $round }: { $shown }
picture-scores = { value } { $points }
picture-stack = Stack of { $count }, on top: { $tiles }
picture-beside-stack = Expansion { $number }: { $content }
picture-free-area = Area { $number }: free
picture-area = { $face ->
    [up] Area { $number }, around a pavilion: { $spaces }
   *[down] Area { $number }: { $spaces }
}
picture-fountain = Around the fountain: { $spaces }
picture-garden-space = { $rotation ->
    [middle] middle { $content }
   *[other] { rotation } { $content }
}
picture-surrounded = Surrounded: { $elements }
picture-element = { $kind ->
    [fountain] fountain
    [statue] { $count ->
        [one] { $count } statue
       *[other] { $count } statues
    }
    [bench] { $count ->
        [one] { $count } bench
       *[other] { $count } benches
    }
   *[pavilion] { $count ->
        [one] { $count } pavilion
       *[other] { $count } pavilions
    }
}
picture-storage = Storage: { $pieces }; jokers { $jokers }; free spaces { $free }
