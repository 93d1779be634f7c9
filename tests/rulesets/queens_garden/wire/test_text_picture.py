"""Tables of Queen's Garden in plain text, as `print(position)` shows them."""

from __future__ import annotations

from tests.rulesets.queens_garden.build import board, passer, state

NEW_GAME = r"""
Queen's Garden, standard side, round 1, play: seat 1 decides
Seat 1 started the round, the first-player marker is in the display

top         b1 d2 y3 k4  on a stack of 3
expansions  1: l1 l2  2: p3
scores      tree 1  blue 1  dark green 1  pavilion 1
left        bag 101  tower 0  supply 16  round stacks 15  unseen faces 36

Seat 1: 15 points, decides              Seat 2: 15 points

          a5          a6                          a5          a6
                ==                                      ==
          !!  ..  ..  !!                          !!  ..  ..  !!
    a4      ..  ~~  ..      a1              a4      ..  ~~  ..      a1
          ==  ..  ..  ==                          ==  ..  ..  ==
                !!                                      !!
          a3          a2                          a3          a2

storage  .. .. .. .. .. ..              storage  .. .. .. .. .. ..
         .. .. .. ** ** ** [..] [..]             .. .. .. ** ** ** [..] [..]

b blue, d dark green, l light green, y yellow, p light purple, k dark purple
1 tree, 2 bird, 3 butterfly, 4 flower, 5 plant, 6 bellflower, ' printed, [b1] an expansion
~~ fountain, !! statue, == bench, /\ pavilion, .. free space, a1 free area 1, ** joker

queens-garden standard 1 play 0 0 d 3;2;b1d2y3k4;0:l12/1:p3 16 b123456d123456l123456y123456p123456k123456 b11222333444555666d11122333444555666l1122333444555666y11122233444555666p11122233444555666k11122233344555666 - 15;-;3;-;-;0;......;-/-/-/-/-/-/- 15;-;3;-;-;0;......;-/-/-/-/-/-/-
"""  # noqa: E501 - a position in one line

MID_GAME = r"""
Queen's Garden, standard side, round 2, play: seat 1 decides
Seat 2 started the round, the first-player marker is with seat 2

top         ..  on a stack of 0
expansions  1: b1 d2  2: [d3]  4: y3
scores      bird 1  butterfly 2  dark purple 1  pavilion 1
left        bag 97  tower 0  supply 18  round stacks 10  unseen faces 31

Seat 1: 23 points, decides              Seat 2: 1 point, passed

          a5          a6                          a5          a6
                ==                                      ==
          !!  ..  ..  !!  p1  ..                  !!  ..  ..  !!
    a4      ..  ~~  b1  b4' /\  ..          a4      l2  ~~  ..      a1
          ==  ..  b3  ==  ..  ..                  ==  ..  ..  ==
                !!  ..  ..                              !!
          a3      ..  ..  ..                      a3          a2
                    ..  ..
storage  b2 b2 d4 .. .. ..              storage  y1 .. .. .. .. ..
         .. .. .. .. .. ** [y3] [..]             .. .. .. .. ** ** [k4] [k5]

b blue, d dark green, l light green, y yellow, p light purple, k dark purple
1 tree, 2 bird, 3 butterfly, 4 flower, 5 plant, 6 bellflower, ' printed, [b1] an expansion
~~ fountain, !! statue, == bench, /\ pavilion, .. free space, a1 free area 1, ** joker

queens-garden standard 2 play 0 1 1 0;5;-;0:b1d2/1[d3]/3:y3 18 b12356d12456l123456y12456p123456k1236 b1233444555666d1112233344555666l11122333444555666y1122233444555666p11222333444555666k111222333444555666 - 23;-;1;b22d4;y3;0;3d....;b1b3..../...b4p1../-/-/-/-/- 1;passed;2;y1;k45;0;......;...l2../-/-/-/-/-/-
"""  # noqa: E501 - a position in one line


def test_text_picture_of_a_new_game_shows_the_display_and_empty_gardens() -> None:
    position = state(board(storage="***"), board(storage="***"), top="b1 d2 y3 k4", beside=("l1 l2", "p3"))
    assert NEW_GAME.strip("\n") == str(position)


def test_text_picture_shows_hexagons_areas_and_elements_of_gardens() -> None:
    position = state(
        board(23, "b2 b2 ^y3 d4 *", {(1, 0): "b1", (0, 1): "b3", (2, 0): "b4", (3, -1): "p1"}, {0: 3, 1: "down"}),
        passer(1, "y1 ** ^k4 ^k5", {(-1, 0): "l2"}),
        round_number=2,
        start_seat=1,
        beside=("b1 d2", "^d3", "", "y3"),
    )
    assert MID_GAME.strip("\n") == str(position)


def test_undrawn_face_is_shown_as_unknown() -> None:
    position = state(phase="turn", next_seat=1, beside=("?", "b1"), top="b2")
    assert "expansions  1: [??]  2: b1" in str(position).split("\n")


def test_storage_points_are_shown_at_the_end() -> None:
    position = state(passer(9), passer(7), phase="over", round_number=4, marker=0)
    assert "counted  0" in str(position)
    assert "Queen's Garden, standard side, round 4, over" == str(position).split("\n")[0]
