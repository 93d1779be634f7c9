"""Tables of Summer Pavilion in plain text, as `print(position)` shows them."""

from __future__ import annotations

from tests.rulesets.summer_pavilion.build import board, passer, read, state, table

NEW_GAME = """
Summer Pavilion, coloured side, round 1, acquire: seat 1 decides
Seat 1 started the round, the start token T is in the centre, purple is wild

factories  1 pybb  2 gorr  3 pooy  4 yyyy  5 pgbr
centre     T
supply     ppggooyybr
bag        102: 17p 18g 17o 14y 18b 18r
tower      0

Seat 1: 5 points, decides                    Seat 2: 5 points
        orange         red                           orange         red
        1 2 3 4 5 6    1 2 3 4 5 6                   1 2 3 4 5 6    1 2 3 4 5 6
purple         centre         blue           purple         centre         blue
1 2 3 4 5 6    1 2 3 4 5 6    1 2 3 4 5 6    1 2 3 4 5 6    1 2 3 4 5 6    1 2 3 4 5 6
        green          yellow                        green          yellow
        1 2 3 4 5 6    1 2 3 4 5 6                   1 2 3 4 5 6    1 2 3 4 5 6
hand     0                                   hand     0
corners  ....                                corners  ....

p purple, g green, o orange, y yellow, b blue, r red, T start token
A number is a free space and its cost in tiles; spaces 1 to 6 run from left to right

summer-pavilion coloured 1 acquire 0 0 c 0 p2g2o2y2br pyb2/gor2/po2y/y4/pgbr - p17g18o17y14b18r18 - 5;-;-;-;0;6/6/6/6/6/6/6 5;-;-;-;0;6/6/6/6/6/6/6
"""  # noqa: E501 - a position in one line

MID_GAME = """
Summer Pavilion, coloured side, round 4, take bonus: seat 1 decides
Seat 2 started the round, the start token T is with seat 2, yellow is wild, bonus tiles to take: 2

factories  1 ....  2 ....  3 ....  4 ....  5 ....
centre     .
supply     ppggooybbr
bag        96: 15p 16g 15o 17y 16b 17r
tower      4: 2p 2r

Seat 1: 31 points, decides                   Seat 2: 1 point, passed
        orange         red                           orange         red
        o o 3 4 o o    1 2 3 4 5 6                   1 2 3 4 5 6    r 2 3 4 5 6
purple         centre         blue           purple         centre         blue
1 2 3 4 5 6    p g o 4 5 6    1 2 b b b b    1 2 3 4 5 6    1 2 3 4 5 6    1 2 3 4 5 6
        green          yellow                        green          yellow
        1 2 3 4 5 6    1 2 3 4 5 6                   1 2 3 4 5 6    1 2 3 4 5 6
hand     7: 2p 1g 4y                         hand     0
corners  ....                                corners  ggr.

p purple, g green, o orange, y yellow, b blue, r red, T start token
A number is a free space and its cost in tiles; spaces 1 to 6 run from left to right

summer-pavilion coloured 4 take_bonus 0 1 1 2 p2g2o2yb2r -/-/-/-/- - p15g16o15y17b16r17 p2r2 31;-;p2gy4;-;0;oo2oo/6/2bbbb/6/6/6/pgo3 1;passed;-;g2r;0;6/r5/6/6/6/6/6
"""  # noqa: E501 - a position in one line

GREY_SIDE = """
Summer Pavilion, grey side, round 2, acquire: seat 2 decides
Seat 2 started the round, the start token T is in the centre, green is wild

factories  1 ....  2 pgbr  3 ....  4 ....  5 ....  6 ....  7 ....
centre     T  g  oo
supply     ppggooyybr
bag        102: 17p 14g 18o 16y 20b 17r
tower      0

Seat 1: 31 points                            Seat 2: 5 points, decides
        orange         red                           orange         red
        r r 1 4 5 r    3 2 1 4 5 6                   3 2 1 4 5 6    3 2 1 4 5 6
purple         centre         blue           purple         centre         blue
3 2 1 4 5 6    g g 3 3 g 3    3 2 1 4 5 6    3 2 1 4 5 6    3 3 3 3 3 3    3 2 1 4 5 6
        green          yellow                        green          yellow
        3 2 1 4 5 6    3 2 1 4 5 6                   3 2 1 4 5 6    3 2 1 4 5 6
hand     7: 2p 1g 4y                         hand     0
corners  ....                                corners  ....

Seat 3: 5 points
        orange         red
        3 2 1 4 5 6    3 2 1 4 5 6
purple         centre         blue
3 2 1 4 5 6    3 3 3 3 3 3    3 2 1 4 5 6
        green          yellow
        3 2 1 4 5 6    3 2 1 4 5 6
hand     0
corners  ....

p purple, g green, o orange, y yellow, b blue, r red, T start token
A number is a free space and its cost in tiles; spaces 1 to 6 run from left to right

summer-pavilion grey 2 acquire 1 1 c 0 p2g2o2y2br -/pgbr/-/-/-/-/- go2 p17g14o18y16b20r17 - 31;-;p2gy4;-;0;rr3r/6/6/6/6/6/gg2g1 5;-;-;-;0;6/6/6/6/6/6/6 5;-;-;-;0;6/6/6/6/6/6/6
"""  # noqa: E501 - a position in one line


def test_a_new_game_shows_full_factories_and_the_numbers_of_all_spaces() -> None:
    position = state(factories=("bbyp", "rrgo", "ooyp", "yyyy", "bgpr"))
    assert NEW_GAME.strip("\n") == str(position)


def test_a_board_shows_placed_tiles_instead_of_numbers_and_the_hand_and_the_corners() -> None:
    position = state(
        board(31, {"o": "oo..oo", "c": "pgo...", "b": "..bbbb"}, hand="ppgyyyy"),
        passer(1, {"r": "r....."}, corners="ggr"),
        round_number=4,
        phase="take_bonus",
        bonus_owed=2,
        token=1,
        start_seat=1,
        tower="rrpp",
        supply="ppggooybbr",
    )
    assert MID_GAME.strip("\n") == str(position)


def test_the_grey_side_has_different_numbers_and_a_third_board_is_shown_below() -> None:
    position = state(
        board(31, {"o": "rr...r", "c": "gg..g."}, hand="ppgyyyy"),
        seats=3,
        variant="grey",
        round_number=2,
        to_decide=1,
        factories=("", "bgpr"),
        centre="oog",
    )
    assert GREY_SIDE.strip("\n") == str(position)


def test_a_finished_game_shows_the_points_lost_for_tiles_in_the_corners() -> None:
    actual = table(
        board(9, passed=True, leftover=3),
        passer(7),
        phase="over",
        to_decide=None,
        round_number=6,
        start_seat=0,
        token=0,
    )
    assert "lost     3 for tiles in the corners" in str(read(actual)).split("\n")
