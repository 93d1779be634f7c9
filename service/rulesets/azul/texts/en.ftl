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
