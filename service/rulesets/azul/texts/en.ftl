# Azul in English. Seats, factories, lines, rows and columns count from 1.

colour = { $colour ->
    [blue] blue
    [yellow] yellow
    [red] red
    [black] black
   *[white] white
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
line-name = { $line ->
    [0] line 1
    [1] line 2
    [2] line 3
    [3] line 4
    [4] line 5
   *[floor] floor line
}
ordinal-line = { $line ->
    [0] line 1
    [1] line 2
    [2] line 3
    [3] line 4
    [4] line 5
   *[floor] the floor line
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

action-draft = Take { colour } from { place } and place it on { ordinal-line }.
action-tile = Place the tile from { ordinal-line } in { ordinal-column } of the wall.

log-draft = took { colour } from { place } → { line-name }
log-tile = moved a tile from { line-name } → { ordinal-column }

story-draft = took { colour } from { place } for { ordinal-line }
story-tile = moved the tile from { ordinal-line } to { ordinal-column }
instead-draft = taken { colour } from { place } for { ordinal-line }
instead-tile = moved the tile from { ordinal-line } to { ordinal-column }
bonus-rows = full rows
bonus-columns = full columns
bonus-colours = complete colours
tie-break = the number of full rows

draw-first-seat = { who } was drawn to start.
draw-deal = { $tiles ->
    [0] No tiles were left to deal.
    [one] { $tiles } tile was dealt.
   *[other] { $tiles } tiles were dealt.
}

reason-unknown-action = This action does not exist.
reason-game-over = The game is over.
reason-drawing = Tiles are being drawn. No player can act now.
reason-not-drafting = The walls are being tiled. You cannot take tiles now.
reason-not-tiling = The walls are tiled after all tiles are taken.
reason-source-empty = There are no tiles here.
reason-colour-not-in-source = There are no tiles of this colour here.
reason-line-full = The pattern line is full.
reason-line-holds-other-colour = The pattern line holds another colour.
reason-wall-row-holds-colour = The wall row already holds this colour.
reason-wrong-line = Tile full lines from top to bottom. Another line is next.
reason-space-taken = This wall space already holds a tile.
reason-column-holds-colour = The wall column already holds this colour.

why-points-of-round = { $difference ->
    [one] scores one more point by the end of the round
   *[other] scores { $difference } more points by the end of the round
}
why-floor = { $difference ->
    [one] saves a point on the floor line
   *[other] saves { $difference } points on the floor line
}
why-line-completed = completes { ordinal-line }
why-line-completable = leaves enough { colour } tiles to complete { ordinal-line } in this round
why-tile-points = { $other ->
    [0] prepares a tile worth { points }
   *[other] prepares a tile worth { points } instead of { $other }
}
points = { $best ->
    [one] { $best } point
   *[other] { $best } points
}
why-tiles = { $other ->
    [0] places { tiles } on a line
   *[other] places { tiles } on a line instead of { $other }
}
tiles = { $best ->
    [one] a tile
   *[other] { $best } tiles
}
why-tiles-missing = { $best ->
    [one] leaves only one tile missing on { ordinal-line }
   *[other] leaves only { $best } tiles missing on { ordinal-line }
}
why-follow-up = { $best ->
    [one] keeps { ordinal-line } in reach for a point
   *[other] keeps { ordinal-line } in reach for { $best } points
}
why-start-token = takes the start token for the next round
why-column-completed = completes { ordinal-column } of the wall for 7 points
why-column-tiles = { $best ->
    [3] puts the third tile into { ordinal-column } of the wall
   *[4] puts the fourth tile into { ordinal-column } of the wall
}
why-colour-completed = puts the fifth { colour } tile on the wall for 10 points
why-colour-tiles = { $best ->
    [3] puts the third { colour } tile on the wall
   *[4] puts the fourth { colour } tile on the wall
}
why-game-end = completes a row of the wall, which ends the game
why-game-open = keeps the game going
why-deny = keeps { seat } from completing { ordinal-line } with { colour } next
why-opponent-loss = { $best ->
    [one] forces { seat } to lose at least a point on the floor line
   *[other] forces { seat } to lose at least { $best } points on the floor line
}
why-opponent-points = { $best ->
    [0] lets { seat } score nothing with its next tiles
    [one] lets { seat } score only one point with its next tiles instead of { $other }
   *[other] lets { seat } score only { $best } points with its next tiles instead of { $other }
}
why-opponent-tiles = { $best ->
    [0] leaves { seat } no tile for a line
    [one] leaves { seat } only single tiles for a line
   *[other] leaves { seat } at most { $best } tiles for a line instead of { $other }
}
seat = { $seat ->
    [0] seat 1
    [1] seat 2
    [2] seat 3
   *[3] seat 4
}

picture-title = Azul
picture-round = Round
picture-bag = bag
picture-box-lid = box lid
picture-empty = empty
picture-start-token = start token
picture-colour = { colour }
picture-tiles = { $count } { colour }
picture-factory = Factory { $number }: { $tiles }
picture-centre = Centre: { $tiles }
picture-pattern-line = { $count ->
    [0] Pattern line { $number }: { $capacity ->
        [one] { $capacity } free space
       *[other] { $capacity } free spaces
    }
   *[other] Pattern line { $number }: { $count } of { $capacity } { colour }
}
picture-wall-row = Wall row { $number }: { $spaces }
picture-free-space = { $colour ->
    [none] free
   *[other] free for { colour }
}
picture-floor-line = { $losses ->
    [0] Floor line: { $pieces }
    [one] Floor line: { $pieces }; −{ $losses } point
   *[other] Floor line: { $pieces }; −{ $losses } points
}
