# Was zwischen den Menschen eines Spiels geschieht, auf Deutsch. Plätze werden ab 1 gezählt.

who = { $seat ->
    [0] Platz 1
    [1] Platz 2
    [2] Platz 3
   *[3] Platz 4
}
event-created = Das Spiel ist angelegt.
event-join = { $name ->
    [none] { who } ist besetzt.
   *[other] { $name } nimmt Platz: { who }.
}
event-start = Das Spiel beginnt.
event-resignation = { who } gibt auf.
event-abort = Das Spiel wird abgebrochen.
