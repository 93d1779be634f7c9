# What happens between the people of a game, in English. Seats are told from 1.

who = { $seat ->
    [0] Seat 1
    [1] Seat 2
    [2] Seat 3
   *[3] Seat 4
}
event-created = The game is set up.
event-join = { $name ->
    [none] { who } is taken.
   *[other] { $name } takes a seat: { who }.
}
event-start = The game begins.
event-resignation = { who } resigns.
event-abort = The game is aborted.
