# Azul: Summer Pavilion in English. Seats, factories and spaces count from 1.

colour = { $colour ->
    [purple] purple
    [green] green
    [orange] orange
    [yellow] yellow
    [blue] blue
   *[red] red
}
a-colour = { $colour ->
    [orange] an orange
   *[other] a { colour }
}
source = { $source ->
    [factory_0] factory 1
    [factory_1] factory 2
    [factory_2] factory 3
    [factory_3] factory 4
    [factory_4] factory 5
    [factory_5] factory 6
    [factory_6] factory 7
    [factory_7] factory 8
    [factory_8] factory 9
   *[centre] the centre
}
star = { $variant ->
    [grey] { star-by-place }
   *[coloured] { star-by-colour }
}
star-by-colour = { $star ->
    [orange] the orange star
    [red] the red star
    [blue] the blue star
    [yellow] the yellow star
    [green] the green star
    [purple] the purple star
   *[centre] the centre star
}
star-by-place = { $star ->
    [orange] the upper left star
    [red] the upper right star
    [blue] the right star
    [yellow] the lower right star
    [green] the lower left star
    [purple] the left star
   *[centre] the centre star
}
who = { $seat ->
    [0] Seat 1
    [1] Seat 2
    [2] Seat 3
   *[3] Seat 4
}

listed = { $first } and { $last }
kind = { $kind ->
    [purple] purple
    [green] green
    [orange] orange
    [yellow] yellow
    [blue] blue
   *[red] red
}
part-keep = { $count } { kind }
place = { $wilds ->
    [0] { a-colour } tile on space { $slot } of { star }
    [one] { a-colour } tile on space { $slot } of { star }, using { $wilds } wild tile
   *[other] { a-colour } tile on space { $slot } of { star }, using { $wilds } wild tiles
}
keep = { $keep ->
    [0] no tiles
    [one] { $keep_listed } tile
   *[other] { $keep_listed } tiles
}

action-acquire = Take { colour } from { source }.
action-place = Place { place }.
action-take-bonus = Take { a-colour } bonus tile.
action-pass = Pass and keep { keep }.

log-acquire = took { colour } from { source }
log-place = placed { place }
log-take-bonus = took { a-colour } bonus tile
log-pass = passed and kept { keep }

story-acquire = { log-acquire }
story-place = { log-place }
story-take-bonus = { log-take-bonus }
story-pass = { log-pass }
instead-acquire = taken { colour } from { source }
instead-place = placed { place }
instead-take-bonus = taken { a-colour } bonus tile
instead-pass = passed and kept { keep }
bonus-stars = complete stars
bonus-numbers = complete numbers
bonus-leftover = leftover tiles

draw-first-seat = { who } was drawn to start.
draw-deal = { $tiles ->
    [0] No tiles were left to deal.
    [one] { $tiles } tile was dealt.
   *[other] { $tiles } tiles were dealt.
}
draw-refill = { $tiles ->
    [one] { $tiles } tile was added to the supply.
   *[other] { $tiles } tiles were added to the supply.
}

reason-unknown-action = This action does not exist.
reason-game-over = The game is over.
reason-drawing = Tiles are being drawn. No player can act now.
reason-not-acquiring = The factories and the centre are empty. You can place a tile or pass.
reason-take-bonus-first = Take your bonus tiles first.
reason-not-playing = You can place or pass once the factories and the centre are empty.
reason-no-bonus-owed = You have no bonus tile to take.
reason-source-empty = There are no tiles here.
reason-colour-not-in-source = There are no tiles of this colour here.
reason-wild-not-alone = You can take the wild colour only where no other colour is left.
reason-space-taken = This space already holds a tile.
reason-star-takes-other-colour = This star takes tiles of another colour.
reason-star-holds-colour = This star takes six different colours and already has this one.
reason-colour-not-in-hand = You have no tiles of this colour.
reason-wild-needs-no-wilds = This colour is wild itself. Pay with its own tiles, without wild tiles.
reason-too-many-wilds = At least one of the tiles you pay must have the colour itself.
reason-not-enough-tiles = You do not have enough tiles of this colour.
reason-not-enough-wilds = You do not have enough wild tiles.
reason-colour-not-in-supply = The supply has no tiles of this colour.
reason-kept-not-in-hand = You can keep only tiles that you have.

why-points = { $gain ->
    [true] { $difference ->
        [one] scores one more point at once
       *[other] scores { $difference } more points at once
    }
   *[false] { $difference ->
        [one] loses one point less
       *[other] loses { $difference } points less
    }
}
why-points-of-round = { $other ->
    [0] allows { points } in this round
   *[other] allows { points } in this round instead of { $other }
}
points = { $best ->
    [one] { $best } point
   *[other] { $best } points
}
why-bonus = { $best ->
    [one] earns a bonus tile
   *[other] earns { $best } bonus tiles
}
why-star-completed = completes { star } for { $best } points
why-star-tiles = extends { star } to { $best } tiles
why-number-completed = covers all spaces with a { $number } for { $best } points
why-number-tiles = leaves { $best } of the { $spaces } spaces with a { $number } covered
why-feature-ready = { $kind ->
    [pillar] leaves only one space open around a pillar
    [statue] leaves only one space open around a statue
   *[window] leaves only one space open around a window
}
why-affordable = { $kept ->
    [true] keeps enough tiles for the { $best } of { star }
   *[false] gathers enough tiles for the { $best } of { star }
}
why-tiles = { $best ->
    [one] takes a tile instead of { $other }
   *[other] takes { $best } tiles instead of { $other }
}
why-jokers = takes a wild tile
why-tiles-kept = { $other ->
    [0] keeps { tiles }
   *[other] keeps { tiles } instead of { $other }
}
tiles = { $best ->
    [one] a tile
   *[other] { $best } tiles
}
why-jokers-kept = { $gained ->
    [true] gains a wild tile
   *[false] { $difference ->
        [one] saves a wild tile
       *[other] saves { $difference } wild tiles
    }
}
why-next-jokers = { $gained ->
    [true] gains { a-colour } tile, which is wild in the next round
   *[false] { $best ->
        [one] keeps { a-colour } tile, which is wild in the next round
       *[other] keeps { $best } { colour } tiles, which are wild in the next round
    }
}
why-colour-tiles = { $gained ->
    [true] { $best ->
        [one] adds { a-colour } tile to the hand
       *[other] brings the hand to { $best } { colour } tiles
    }
   *[false] { $best ->
        [one] keeps { a-colour } tile
       *[other] keeps { $best } { colour } tiles
    }
}
why-start-token = takes the start token
why-in-round = stays in the round
why-deny = { $best ->
    [0] leaves { seat } no { colour } tiles to take
    [one] leaves { seat } only single { colour } tiles to take instead of { $other }
   *[other] leaves { seat } at most { $best } { colour } tiles to take instead of { $other }
}
why-opponent-loss = { $best ->
    [one] forces { seat } to lose a point or more for the start token
   *[other] forces { seat } to lose { $best } points or more for the start token
}
why-opponent-tiles = { $best ->
    [one] leaves { seat } only single tiles to take
   *[other] leaves { seat } at most { $best } tiles to take instead of { $other }
}
seat = { $seat ->
    [0] seat 1
    [1] seat 2
    [2] seat 3
   *[3] seat 4
}

picture-title = Azul: Summer Pavilion
picture-round = Round
picture-bag = bag
picture-tower = tower
picture-supply = Supply
picture-wild = Wild colour
picture-passed = passed
picture-empty = empty
picture-start-token = start token
picture-colour = { colour }
picture-tiles = { $count } { colour }
picture-place = { $place }: { $content }
picture-factory = Factory { $number }: { $tiles }
picture-centre = Centre: { $tiles }
picture-wild-colours = { $colour ->
    [none] Wild colours by round: { $all }
   *[other] Wild colour: { colour }. By round: { $all }
}
picture-star = { $variant ->
    [grey] { star-label-by-place }
   *[coloured] { $star ->
        [centre] Centre star
       *[other] Star { colour }
    }
}
star-label-by-place = { $star ->
    [orange] Star upper left
    [red] Star upper right
    [blue] Star right
    [yellow] Star lower right
    [green] Star lower left
    [purple] Star left
   *[centre] Centre star
}
picture-star-space = { $colour ->
    [none] space { $slot } free, costs { $number }
   *[other] space { $slot } { colour }
}
picture-surrounded = Surrounded: { $features }
picture-feature = { $kind ->
    [pillar] { $count } of { $all } pillars
    [statue] { $count } of { $all } statues
   *[window] { $count } of { $all } windows
}
picture-corners = Corners, kept tiles: { $tiles }
picture-hand = Tiles in hand: { $tiles }
