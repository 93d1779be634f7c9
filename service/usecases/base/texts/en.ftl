# Events between players, the words around a picture, and notifications, in English. Seats count from 1.

who = { $seat ->
    [0] Seat 1
    [1] Seat 2
    [2] Seat 3
   *[3] Seat 4
}
seat = { $seat ->
    [0] seat 1
    [1] seat 2
    [2] seat 3
   *[3] seat 4
}
move = { $name } { $move }.
why = { $second ->
    [none] { why-subject } { $first }.
   *[other] { why-subject } { $first }, and it { $second }.
}
why-subject = { $subject ->
    [best] The best move
   *[it] It
}
event-created = The game was created.
event-join = { $name ->
    [none] A player took { seat }.
   *[other] { $name } took { seat }.
}
event-start = The game started.
event-resignation = { who } resigned.
event-abort = { $cause ->
    [resigned] { who } left before every player had made a decision. The game was aborted.
    [timed_out] { who } ran out of time before every player had made a decision. The game was aborted.
    [failed] The bot at { seat } did not answer before every player had made a decision. The game was aborted.
   *[None] The game was aborted.
}
event-adjudication = { $result ->
    [win] The organiser decided that { seat } won.
    [draw] The organiser decided that the game is a draw.
   *[double_forfeit] The organiser decided that nobody won.
}
event-hand-over = { $name ->
    [none] Another player took over { seat }.
   *[other] { $name } took over { seat }.
}
event-timeout = { $then ->
    [lose] { who } ran out of time and lost.
   *[ai] { who } ran out of time. An AI plays on.
}
event-offer = { $offer ->
    [takeback] { who } asked to take back the last turn.
    [pause] { who } asked for a pause.
    [resume] { who } asked to resume.
   *[rematch] { who } asked for a rematch.
}
event-answer = { $accept ->
    [True] { who } accepted.
   *[False] { who } declined.
}
event-takeback = { who } took back the last turn.
event-pause = The game was paused.
event-resume = The game resumed.
event-rematch = A rematch was created.
event-imported = The game was imported.
event-call-failed = { $then ->
    [lose] The bot at { seat } did not return a valid action and lost.
    [ai] The bot at { seat } did not return a valid action. An AI plays on.
   *[None] The bot at { seat } did not return a valid action. The service asks it again.
}
picture-nameless = Anonymous
picture-open = open
picture-away = away
picture-resigned = resigned
picture-timed-out = out of time
picture-failed = failed
picture-ai = { $character } (AI)
picture-points = { $points ->
    [one] { $name } has { $points } point.
   *[other] { $name } has { $points } points.
}
picture-last = Last move: { $move }
picture-decides = { $name } plays next.
picture-won = { $winners ->
    [0] Nobody won.
    [one] { $names } won.
   *[other] { $names } share the victory.
}
puzzle-share = { $title }, puzzle of { $day } { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
} { $year }: can you find the best move?
pages-rules = Rules
pages-conduct = Conduct
pages-contents = On this page
pages-play = Play
pages-here = English
pages-contact = { $contact ->
    [none] The operator of this service has given no contact address, so appeals are not possible here.
   *[other] If you think that a decision is wrong, write once to the operator of this service: { $contact }. Give your name or handle, the decision, and why it is wrong.
}
rules-you = You
push-game-started = The game started.
push-your-turn = It is your turn.
push-offer = { $offer ->
    [takeback] A player asks to take back a turn.
    [pause] A player asks for a pause.
    [resume] A player asks to resume the game.
   *[rematch] A player asks for a rematch.
}
push-seat-lost = { $then ->
    [lose] Your time ran out. You lost the game.
   *[ai] Your time ran out. An AI plays for you.
}
push-game-over = The game is over.
push-rematch = The rematch is ready.
push-challenge = { $name ->
    [none] You have a new challenge.
   *[other] { $name } challenges you to a game.
}
push-rounds-changed = { $rounds ->
    [one] { $name } has only one round, because there are too few players.
   *[other] { $name } has only { $rounds } rounds, because there are too few players.
}
push-challenge-answered = { $status ->
    [accepted] Your challenge was accepted.
    [declined] Your challenge was declined.
   *[withdrawn] A challenge was withdrawn.
}
push-endpoint-disabled = { $kind ->
    [webhook] Your webhook no longer works and is disabled.
    [device] A device could not be reached for a day and no longer gets notices.
   *[bot] Your bot has failed for a day and is disabled.
}
character-random = Cuckoo
character-novice = Duckling
character-beginner = Sparrow
character-learner = Finch
character-casual = Lark
character-club = Blackbird
character-greedy = Magpie
character-planner = Stork
character-strategist = Raven
character-veteran = Heron
character-expert = Falcon
character-candidate-master = Eagle
character-master = Owl
