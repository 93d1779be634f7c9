# Azul: Summer Pavilion in English. Seats, slots and factories are told from 1, as people count.

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

action-acquire = Take { colour } from { source }.
action-place = { $wilds ->
    [0] Place { a-colour } tile on slot { $slot } of { star }, without wild tiles.
    [one] Place { a-colour } tile on slot { $slot } of { star }, with { $wilds } wild tile.
   *[other] Place { a-colour } tile on slot { $slot } of { star }, with { $wilds } wild tiles.
}
action-take-bonus = Take { a-colour } bonus tile from the supply.
action-pass = Pass and keep { $keep ->
        [0] nothing
        [one] { $keep_listed } tile
       *[other] { $keep_listed } tiles
    }.


draw-first-seat = The first seat is drawn: { who }.
draw-deal = { $tiles ->
    [0] No tile is left to deal.
    [one] { $tiles } tile is dealt.
   *[other] { $tiles } tiles are dealt.
}
draw-refill = { $tiles ->
    [one] { $tiles } tile fills up the supply.
   *[other] { $tiles } tiles fill up the supply.
}

effect-tiles-acquired = { $wilds ->
    [0] { who } takes { colour } from { source }: { count-tiles }.
   *[other] { who } takes { colour } from { source }: { count-tiles }, a wild one among them.
}
effect-tiles-moved-to-centre = { $tiles ->
    [one] { $tiles } tile moves to the centre.
   *[other] { $tiles } tiles move to the centre.
}
effect-start-token-taken = { $points ->
    [0] { who } takes the start token.
   *[other] { who } takes the start token: { points }.
}
effect-play-began = { who } is the first to place or pass.
effect-tile-placed = { who } places { a-colour } tile on slot { $slot } of { star }: { points }.
effect-feature-surrounded = { who } surrounds { feature }: { bonus-tiles }.
effect-bonus-owed = { $tiles ->
    [0] The supply is empty; there is no bonus tile for { who }.
   *[other] { who } takes { bonus-tiles } from the supply.
}
effect-bonus-taken = { $owed ->
    [0] { who } takes { a-colour } bonus tile.
   *[other] { who } takes { a-colour } bonus tile; { $owed } still to take.
}
effect-passed = { $discarded ->
    [0] { who } passes and keeps { $kept ->
        [0] nothing
        [one] { $kept_listed } tile
       *[other] { $kept_listed } tiles
    }.
   *[other] { who } passes, keeps { $kept ->
        [0] nothing
        [one] { $kept_listed } tile
       *[other] { $kept_listed } tiles
    } and discards { $discarded ->
        [0] nothing
        [one] { $discarded_listed } tile
       *[other] { $discarded_listed } tiles
    }: { points }.
}
effect-round-ended = Round { $round } has ended.
effect-end-bonus = { $points ->
    [0] { who } gets no bonus.
   *[other] { who } gets { points } for { $stars ->
        [one] { $stars } complete star
       *[other] { $stars } complete stars
    } and { $numbers ->
        [one] { $numbers } complete number
       *[other] { $numbers } complete numbers
    }.
}
effect-leftover-penalty = { who } still has { tiles } in the corners of the board: { points }.
effect-game-ended = The game has ended.
effect-first-seat-drawn = { who } begins.
effect-supply-refilled = { $tower_used ->
    [true] The supply gets { tiles }; the tower was emptied into the bag.
   *[false] The supply gets { tiles }.
}
effect-dealt = { $tower_used ->
    [true] Round { $round } begins, { wild } is wild; the tower was emptied into the bag.
   *[false] Round { $round } begins, { wild } is wild.
}
effect-corners-returned = { $tiles ->
    [one] { who } gets { $tiles } kept tile back.
   *[other] { who } gets { $tiles } kept tiles back.
}

reason-unknown-action = There is no such action.
reason-game-over = The game is over.
reason-drawing = Tiles are being drawn; nobody decides.
reason-not-acquiring = Tiles are taken from factories and centre only until none is left there.
reason-take-bonus-first = Bonus tiles are to be taken first.
reason-not-playing = Tiles are still being taken; placing and passing begin when factories and centre are empty.
reason-no-bonus-owed = No bonus tile is to be taken now.
reason-source-empty = No tiles lie there.
reason-colour-not-in-source = No tile of that colour lies there.
reason-wild-not-alone = The wild colour can be taken only where no other colour lies.
reason-space-taken = That space holds a tile already.
reason-star-takes-other-colour = That star takes another colour only.
reason-star-holds-colour = That star holds six different colours, and has this one already.
reason-colour-not-in-hand = There is no tile of that colour in the hand.
reason-wild-needs-no-wilds = That colour is the wild one: its tiles are paid as themselves, with no wilds.
reason-too-many-wilds = At least one tile of the payment must have the colour itself.
reason-not-enough-tiles = There are not enough tiles of that colour in the hand.
reason-not-enough-wilds = There are not so many wild tiles in the hand.
reason-colour-not-in-supply = No tile of that colour lies in the supply.
reason-kept-not-in-hand = Only tiles of the hand can be kept.

picture-title = Azul: Summer Pavilion
picture-round = Round
picture-bag = bag
picture-tower = tower
picture-supply = Supply
picture-wild = Wild colour
picture-passed = passed
