# Azul in English. Seats, lines, columns and factories are told from 1, as people count.

colour = { $colour ->
    [blue] blue
    [yellow] yellow
    [red] red
    [black] black
   *[white] white
}
tiles = { $count ->
    [one] { $count } { colour } tile
   *[other] { $count } { colour } tiles
}
plain-tiles = { $tiles ->
    [one] { $tiles } tile
   *[other] { $tiles } tiles
}
points = { $points ->
    [one] { $points } point
   *[other] { $points } points
}
place = { $source ->
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
ordinal-line = { $line ->
    [0] pattern line 1
    [1] pattern line 2
    [2] pattern line 3
    [3] pattern line 4
    [4] pattern line 5
   *[floor] the floor line
}
row = { $line ->
    [0] row 1
    [1] row 2
    [2] row 3
    [3] row 4
   *[4] row 5
}
ordinal-column = { $column ->
    [0] column 1
    [1] column 2
    [2] column 3
    [3] column 4
   *[4] column 5
}
who = { $seat ->
    [0] Seat 1
    [1] Seat 2
    [2] Seat 3
   *[3] Seat 4
}

action-draft = Take the { colour } tiles from { place } and put them on { ordinal-line }.
action-tile = Tile { row } of the wall in { ordinal-column }.

draw-first-seat = The first seat is drawn: { who }.
draw-deal = { $tiles ->
    [0] No tile is left to deal.
    [one] { $tiles } tile is dealt.
   *[other] { $tiles } tiles are dealt.
}

effect-tiles-taken = { who } takes { tiles } from { place }.
effect-tiles-moved-to-centre = { plain-tiles } moved to the centre.
effect-start-token-taken = { who } takes the start token.
effect-tiles-placed = { tiles } on { ordinal-line } of { who }.
effect-tiles-fallen = { who } drops { tiles }; { $lost } of them found no space on the floor line.
effect-tile-placed = { who } places a { colour } tile in { row }, { ordinal-column }: { points }.
effect-line-fallen = { who } finds no space for { row }: { tiles } fall, { $lost } of them past the floor line.
effect-floor-penalty = { who } pays for { $tiles ->
    [one] { $tiles } floor space
   *[other] { $tiles } floor spaces
}: { points }.
effect-round-ended = Round { $round } has ended.
effect-end-bonus = { who } gets { points } for { $rows } full rows, { $columns } full columns and { $colours } complete colours.
effect-game-ended = { $reason ->
    [row_completed] The game has ended: a wall row is complete.
    [no_tile_dealt] The game has ended: no tile could be dealt.
   *[no_wall_gained] The game has ended: five rounds in a row brought no wall a tile.
}
effect-first-seat-drawn = { who } begins.
effect-dealt = { $box_lid_used ->
    [true] The factories are filled; the box lid went into the bag.
   *[false] The factories are filled from the bag.
}

reason-unknown-action = There is no such action.
reason-game-over = The game is over.
reason-drawing = Tiles are being drawn; nobody decides.
reason-not-drafting = The walls are being tiled; no tiles can be taken now.
reason-not-tiling = Tiles are being taken; the walls are tiled when no tile is left.
reason-source-empty = No tiles lie there.
reason-colour-not-in-source = No tile of that colour lies there.
reason-line-full = The pattern line is full.
reason-line-holds-other-colour = The pattern line holds another colour.
reason-wall-row-holds-colour = The wall row already holds that colour.
reason-wrong-line = It is another line's turn: complete lines are tiled from top to bottom.
reason-space-taken = That wall space holds a tile already.
reason-column-holds-colour = The wall column already holds that colour.

picture-title = Azul
picture-round = Round
picture-bag = bag
picture-box-lid = lid
