"""Tables of Azul in plain text, as `print(position)` shows them."""

from __future__ import annotations

from tests.rulesets.azul.build import board, read, table

NEW_GAME = """
Azul, coloured side, round 1, draft: seat 1 decides
Seat 1 started the round, the start token T is in the centre

factories  1 bbyk  2 rrkw  3 byrk  4 wwww  5 bykw
centre     T
bag        80: 16b 17y 17r 16k 14w
box lid    0

Seat 1: 0 points, decides     Seat 2: 0 points
        . | . . . . .                 . | . . . . .
      . . | . . . . .               . . | . . . . .
    . . . | . . . . .             . . . | . . . . .
  . . . . | . . . . .           . . . . | . . . . .
. . . . . | . . . . .         . . . . . | . . . . .
floor  .  .  .  .  .  .  .    floor  .  .  .  .  .  .  .
      -1 -1 -2 -2 -2 -3 -3          -1 -1 -2 -2 -2 -3 -3

b blue, y yellow, r red, k black, w white, T start token
Printed on the walls, row by row: b y r k w | w b y r k | k w b y r | r k w b y | y r k w b

azul coloured 1 draft 0 0 c 0 - - b2yk/r2kw/byrk/w4/bykw - b16y17r17k16w14 - 0;-,-,-,-,-;5/5/5/5/5;- 0;-,-,-,-,-;5/5/5/5/5;-
"""  # noqa: E501 - a position in one line

MID_GAME = """
Azul, coloured side, round 3, draft: seat 2 decides
Seat 3 started the round, the start token T is with seat 1, rounds without a wall tile: 1

factories  1 ....  2 rrkw  3 ....  4 bykw  5 ....  6 ....  7 ....
centre     bbb  k  w
bag        57: 9b 13y 10r 10k 15w
box lid    4: 2r 2k

Seat 1: 12 points             Seat 2: 1 point, decides      Seat 3: 7 points
        . | b y . . .                 w | . . . . .                 . | . . . . .
      . b | . . y . .               . . | . . . . .               . . | . . . . .
    r r r | . . . . .             . . . | k . . . .             . . . | . . . . .
  . . . . | r . . . y           . b b b | . . . . .           . . . . | . . . . .
. . . k k | . . . . .         . . . . . | . . . . .         . . . . . | y . k . .
floor  T  w  .  .  .  .  .    floor  .  .  .  .  .  .  .    floor  b  b  y  y  r  r  k
      -1 -1 -2 -2 -2 -3 -3          -1 -1 -2 -2 -2 -3 -3          -1 -1 -2 -2 -2 -3 -3

b blue, y yellow, r red, k black, w white, T start token
Printed on the walls, row by row: b y r k w | w b y r k | k w b y r | r k w b y | y r k w b

azul coloured 3 draft 1 2 0 1 - - -/r2kw/-/bykw/-/-/- b3kw b9y13r10k10w15 r2k2 12;-,b,r3,-,k2;by3/2y2/5/r3y/5;Tw 1;w,-,-,b3,-;5/5/k4/5/5;- 7;-,-,-,-,-;5/5/5/5/y1k2;bbyyrrk
"""  # noqa: E501 - a position in one line

GREY_SIDE = """
Azul, grey side, round 2, tile: seat 1 decides
Seat 1 started the round, the start token T is with seat 1

factories  1 ....  2 ....  3 ....  4 ....  5 ....  6 ....  7 ....  8 ....  9 ....
centre     .
bag        98: 20b 20y 19r 19k 20w
box lid    0

Seat 1: 4 points, decides     Seat 2: 0 points
        k | r . . . .                 . | . . . . .
      . . | . . . . .               . . | . . . . .
    . . . | . . . . .             . . . | . . . . .
  . . . . | . . . . .           . . . . | . . . . .
. . . . . | . . . . .         . . . . . | . . . . .
floor  T  .  .  .  .  .  .    floor  .  .  .  .  .  .  .
      -1 -1 -2 -2 -2 -3 -3          -1 -1 -2 -2 -2 -3 -3

Seat 3: 0 points              Seat 4: 0 points
        . | . . . . .                 . | . . . . .
      . . | . . . . .               . . | . . . . .
    . . . | . . . . .             . . . | . . . . .
  . . . . | . . . . .           . . . . | . . . . .
. . . . . | . . . . .         . . . . . | . . . . .
floor  .  .  .  .  .  .  .    floor  .  .  .  .  .  .  .
      -1 -1 -2 -2 -2 -3 -3          -1 -1 -2 -2 -2 -3 -3

b blue, y yellow, r red, k black, w white, T start token

azul grey 2 tile 0 0 0 0 - - -/-/-/-/-/-/-/-/- - b20y20r19k19w20 - 4;k,-,-,-,-;r4/5/5/5/5;T 0;-,-,-,-,-;5/5/5/5/5;- 0;-,-,-,-,-;5/5/5/5/5;- 0;-,-,-,-,-;5/5/5/5/5;-
"""  # noqa: E501 - a position in one line


def test_a_new_game_shows_full_factories_and_empty_boards() -> None:
    position = read(table(round_number=1, factories=("bbyk", "rrkw", "byrk", "wwww", "bykw")))
    assert NEW_GAME.strip("\n") == str(position)


def test_a_board_shows_its_pattern_lines_beside_the_wall_and_its_floor_line() -> None:
    position = read(
        table(
            board(12, {1: "b", 2: "rrr", 4: "kk"}, {0: "by...", 1: "..y..", 3: "r...y"}, "Tw"),
            board(1, {0: "w", 3: "bbb"}, {2: "k...."}),
            board(7, wall={4: "y.k.."}, floor="bbyyrrk"),
            seats=3,
            round_number=3,
            to_decide=1,
            start_seat=2,
            rounds_without_tile=1,
            factories=("", "rrkw", "", "bykw"),
            centre="bbbkw",
            lid="rrkk",
        )
    )
    assert MID_GAME.strip("\n") == str(position)


def test_the_grey_side_has_no_printed_colours_and_four_boards_are_shown_in_two_rows() -> None:
    position = read(
        table(
            board(4, {0: "k"}, {0: "r...."}, "T"),
            seats=4,
            variant="grey",
            phase="tile",
            round_number=2,
        )
    )
    assert GREY_SIDE.strip("\n") == str(position)


def test_a_finished_game_shows_the_reason_for_its_end() -> None:
    over = {**table(board(3, wall={0: "byrkw"}), phase="over", start_seat=1), "to_decide": None}
    actual = str(read({**over, "reason_of_end": "row_completed"})).split("\n")
    assert "Azul, coloured side, round 6, over: row completed" == actual[0]
    assert "Seat 2 started the round, the start token T is in the centre" == actual[1]
