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
wild = { $wild ->
    [purple] purple
    [green] green
    [orange] orange
    [yellow] yellow
    [blue] blue
   *[red] red
}
points = { $points ->
    [one] { $points } point
   *[other] { $points } points
}
count-tiles = { $count ->
    [one] { $count } tile
   *[other] { $count } tiles
}
tiles = { $tiles ->
    [one] { $tiles } tile
   *[other] { $tiles } tiles
}
bonus-tiles = { $tiles ->
    [one] { $tiles } bonus tile
   *[other] { $tiles } bonus tiles
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
star = { $star ->
    [orange] the orange star
    [red] the red star
    [blue] the blue star
    [yellow] the yellow star
    [green] the green star
    [purple] the purple star
   *[centre] the centre star
}
feature = { $feature ->
    [pillar_orange] the pillar of the orange star
    [pillar_red] the pillar of the red star
    [pillar_blue] the pillar of the blue star
    [pillar_yellow] the pillar of the yellow star
    [pillar_green] the pillar of the green star
    [pillar_purple] the pillar of the purple star
    [statue_orange_red] the statue between orange and red
    [statue_red_blue] the statue between red and blue
    [statue_blue_yellow] the statue between blue and yellow
    [statue_yellow_green] the statue between yellow and green
    [statue_green_purple] the statue between green and purple
    [statue_purple_orange] the statue between purple and orange
    [window_orange] the window of the orange star
    [window_red] the window of the red star
    [window_blue] the window of the blue star
    [window_yellow] the window of the yellow star
    [window_green] the window of the green star
   *[window_purple] the window of the purple star
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
part-kept = { $count } { kind }
part-discarded = { $count } { kind }
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
kept = { $kept ->
    [0] no tiles
    [one] { $kept_listed } tile
   *[other] { $kept_listed } tiles
}
discarded = { $discarded ->
    [0] no tiles
    [one] { $discarded_listed } tile
   *[other] { $discarded_listed } tiles
}

action-acquire = Take { colour } from { source }.
action-place = Place { place }.
action-take-bonus = Take { a-colour } bonus tile.
action-pass = Pass and keep { keep }.

log-acquire = took { colour } from { source }
log-place = placed { place }
log-take-bonus = took { a-colour } bonus tile
log-pass = passed and kept { keep }

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

effect-tiles-acquired = { $wilds ->
    [0] { who } took { colour } from { source }: { count-tiles }.
   *[other] { who } took { colour } from { source }: { count-tiles }, one of them wild.
}
effect-tiles-moved-to-centre = { $tiles ->
    [one] { $tiles } tile moved to the centre.
   *[other] { $tiles } tiles moved to the centre.
}
effect-start-token-taken = { $points ->
    [0] { who } took the start token.
   *[other] { who } took the start token: { points }.
}
effect-play-began = { who } was first to place or pass.
effect-tile-placed = { who } placed { a-colour } tile on space { $slot } of { star }: { points }.
effect-feature-surrounded = { who } surrounded { feature }: { bonus-tiles }.
effect-bonus-owed = { $tiles ->
    [0] The supply was empty. { who } got no bonus tiles.
   *[other] { who } earned { bonus-tiles }.
}
effect-bonus-taken = { $owed ->
    [0] { who } took { a-colour } bonus tile.
   *[other] { who } took { a-colour } bonus tile, with { $owed } still to take.
}
effect-passed = { $discarded ->
    [0] { who } passed and kept { kept }.
   *[other] { who } passed, kept { kept } and discarded { discarded }: { points }.
}
effect-round-ended = Round { $round } ended.
effect-end-bonus = { $points ->
    [0] { who } scored no bonus.
   *[other] { who } scored { points } for { $stars ->
        [one] { $stars } full star
       *[other] { $stars } full stars
    } and { $numbers ->
        [one] { $numbers } complete number
       *[other] { $numbers } complete numbers
    }.
}
effect-leftover-penalty = { who } had { tiles } left in the corners: { points }.
effect-game-ended = The game ended.
effect-first-seat-drawn = { who } starts.
effect-supply-refilled = { $tower_used ->
    [true] The tower was emptied into the bag. The supply got { tiles }.
   *[false] The supply got { tiles }.
}
effect-dealt = { $tower_used ->
    [true] Round { $round } began. The wild colour is { wild }. The tower was emptied into the bag.
   *[false] Round { $round } began. The wild colour is { wild }.
}
effect-corners-returned = { who } took back { $tiles ->
    [one] { $tiles } kept tile.
   *[other] { $tiles } kept tiles.
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

picture-title = Azul: Summer Pavilion
picture-round = Round
picture-bag = bag
picture-tower = tower
picture-supply = Supply
picture-wild = Wild colour
picture-passed = passed
