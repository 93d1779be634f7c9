# The story of a reviewed game, in English. Rounds count from 1; chances are whole percent.
# Messages that end in a letter are variants of one sentence.

listed = { $first } and { $last }
standing = { $name } ({ $score })
when = { $round ->
    [0] during the game
   *[other] in round { $round }
}
when-first = { $round ->
    [0] During the game
   *[other] In round { $round }
}
points-lost = { $points ->
    [one] a point
   *[other] { $points } points
}
margin-points = { $margin ->
    [one] a single point
   *[other] { $margin } points
}
decider = { $tie_break ->
    [none] the tie-break
   *[other] { $tie_break }
}

result-narrow-a = { $winner } edged out { $loser }, { $score } to { $other }.
result-narrow-b = In the end it came down to { margin-points }: { $winner } beat { $loser } { $score } to { $other }.
result-narrow-c = It was close to the end: { $score } to { $other } for { $winner } against { $loser }.
result-clear-a = { $winner } beat { $loser } { $score } to { $other }.
result-clear-b = { $winner } won with { $score } points; { $loser } finished on { $other }.
result-clear-c = The game went to { $winner } by { margin-points }, { $score } to { $other } against { $loser }.
result-wide-a = { $winner } won by a wide margin: { $score } to { $other } against { $loser }.
result-wide-b = { $winner } left { $loser } far behind, { $score } to { $other }.
result-wide-c = A clear result: { $winner } { $score }, { $loser } { $other }.
result-level-a = { $winner } and { $loser } both finished on { $score } points. { $winner } won because of { decider }.
result-level-b = Level on { $score } points, { $winner } beat { $loser } only by { decider }.
result-shared-a = { $names } share the victory with { $score } points each.
result-shared-b = It ended level: { $names } share first place on { $score } points.
result-many-a = { $winner } won with { $score } points, ahead of { $standings }.
result-many-b = First place went to { $winner } with { $score } points, before { $standings }.
result-many-c = { $score } points were enough for { $winner } to beat { $standings }.
result-many-level-a = { $winner } won with { $score } points because of { decider }, ahead of { $standings }.
result-resignation-a = { $loser } resigned { when }, so { $winner } won. { $winner } had { $score } points by then, { $loser } { $other }.
result-resignation-b = { $winner } ({ $score } points) won because { $loser } ({ $other }) resigned { when }.
result-timeout-a = { $loser } ran out of time { when }, so { $winner } won. { $winner } had { $score } points by then, { $loser } { $other }.
result-timeout-b = { $winner } ({ $score } points) won { when } because { $loser } ({ $other }) ran out of time.
result-failure-a = { $loser } stopped answering { when }, so { $winner } won. { $winner } had { $score } points by then, { $loser } { $other }.
result-last-a = { $winner } won as the last player in the game.
result-last-b = Only { $winner } played on, and so won the game.
result-awarded-a = The organiser awarded the game to { $winner }.
result-draw-a = The organiser declared the game a draw.
result-nobody-a = The organiser decided that nobody won.
result-aborted-a = The game was aborted before every player had made a decision.

out-resigned-a = { $name } resigned before the end.
out-resigned-b = { $name } gave up early.
out-timed-out-a = { $name } ran out of time.
out-failed-a = { $name } stopped answering.

course-comeback-a = It did not look like that { when }: the chance of { $winner } was down to { $low }%.
course-comeback-b = { $winner } came from behind. { when-first } the chance of winning was only { $low }%.
course-comeback-c = { $winner } had to turn the game around, with the chance of winning at { $low }% { when }.
course-behind-a = Going into the last round, { $winner } was still { $behind } points behind.
course-behind-b = { $rival } led { $other } to { $score } before the last round, but that was not enough.
course-behind-c = The last round changed everything: before it, { $rival } led { $other } to { $score }.
course-changes-a = The advantage changed hands { $changes } times, for the last time { when }.
course-changes-b = It went back and forth, and the favourite changed { $changes } times.
course-changes-c = The advantage swung from side to side { $changes } times before it settled { when }.
course-late-a = The game was open until the last round.
course-late-b = Nothing was decided before the last round.
course-late-c = It took the last round to decide this game.
course-start-a = { $winner } was the favourite from the first round and stayed so to the end.
course-start-b = { $winner } took control in the first round and never let go of it.
course-start-c = From the first round on, the advantage was with { $winner }.
course-middle-a = { $winner } gained the advantage { when } and kept it.
course-middle-b = The game was balanced at first; { when } { $winner } pulled ahead.
course-middle-c = { when-first } { $winner } took the lead for good.
course-clear-a = { $winner } was well ahead by then: the chance of winning was { $chance }%.
course-clear-b = By then { $winner } was the clear favourite, at { $chance }%.
course-unlikely-a = { $winner } was well behind by then, with the chance of winning at { $chance }%.
course-open-a = The game was still open: the chance of { $winner } was { $chance }% at that point.
course-open-b = Until then much was possible; the chance of { $winner } was { $chance }%.

turn-a = The game turned { when }: { $name } { $played }, and the chance of winning fell from { $before }% to { $after }%.
turn-b = The turning point came { when }. { $name } { $played }: from favourite to underdog, from { $before }% to { $after }%.
turn-c = { when-first } it tipped. { $name } { $played }, and the chance of winning dropped from { $before }% to { $after }%.
swing-a = The biggest swing came { when }: { $name } { $played }, and the chance of winning shrank from { $before }% to { $after }%.
swing-b = { $name } lost most ground { when }. The chance of winning was { $before }% before { $name } { $played }, and { $after }% after.
swing-c = One move mattered most: { when } { $name } { $played }, and the chance of winning fell from { $before }% to { $after }%.
draw-a = The draw for round { $round } helped { $winner }: the chance of winning rose from { $before }% to { $after }%.
draw-b = Luck had its say, too. With the new pieces of round { $round }, the chance of { $winner } went from { $before }% to { $after }%.
draw-c = { $winner } got the right pieces { when }: the draw alone lifted the chance of winning from { $before }% to { $after }%.

better-enough-a = { $name } should have { $instead }. That was worth about { points-lost } more, and the game was lost by { margin-points }.
better-enough-b = Had { $name } { $instead }, that would have been worth about { points-lost } more; the game was lost by { margin-points }.
better-some-a = { $name } should have { $instead }, which was worth about { points-lost } more. The final gap was { margin-points }.
better-some-b = Had { $name } { $instead }, the gap of { margin-points } would have been about { points-lost } smaller.
better-chance-a = { $name } should have { $instead }.
better-chance-b = Had { $name } { $instead }, the chance would have stayed at { $before }%.
missed-enough-a = The defeat by { margin-points } was avoidable: { when } { $name } { $played }, but should have { $instead }, worth about { points-lost } more.
missed-enough-b = { when-first } { $name } { $played }. To have { $instead } was worth about { points-lost } more, and the game was lost by { margin-points }.
missed-some-a = { when-first } { $name } { $played }, but should have { $instead }, which was worth about { points-lost } more. The final gap was { margin-points }.
missed-some-b = For { $name }, one move { when } cost about { points-lost }: { $name } { $played }, and should have { $instead }.
missed-chance-a = { $name } missed a chance { when }: { $name } { $played }, but should have { $instead }.

best-a = The best move of the game came { when }: { $name } { $played }. Nothing else came within { $margin } percentage points of it.
best-b = { when-first } { $name } found the one strong move and { $played }; any other would have cost at least { $margin } percentage points.
best-c = { $name } showed a good eye { when } and { $played }. The next best move was { $margin } percentage points worse.
slip-a = Not everything went to plan for { $name }: { when } { $name } { $played }, but should have { $instead }.
slip-b = { $name } slipped { when } and { $played }, but should have { $instead }.

bonus-a = The final scoring decided it. Without the points for { $bonus } ({ $score } to { $other }), { $rival } would have won.
bonus-b = { $winner } owes the victory to { $bonus }: { $score } points against { $other } for { $rival }.
bonus-c = Take away the points for { $bonus }, { $score } to { $other }, and { $rival } would be the winner.
bonus-cost-a = For { $bonus }, { $rival } lost { $other } points and { $winner } only { $score }; otherwise { $rival } would have won.
bonus-all-a = Before the final scoring, { $rival } was still ahead, { $other } to { $score }.
bonus-all-b = The final scoring turned the result around: without it, { $rival } would have won { $other } to { $score }.

clean-a = Nobody made a serious mistake.
clean-b = There was no serious mistake on any side.
accuracy-a = { $name } found the best move, or one as good, in { $good } of { $all } decisions.
accuracy-b = { $good } of { $all } decisions by { $name } were the best or as good as the best.
