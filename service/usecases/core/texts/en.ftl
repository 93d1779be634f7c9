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
event-hand-over = { $name ->
    [none] { who } changes hands.
   *[other] { who } is { $name }'s now.
}
event-timeout = { $then ->
    [lose] { who } has run out of time and loses.
   *[ai] { who } has run out of time; an AI plays on.
}
event-offer = { $offer ->
    [takeback] { who } asks to take back the last turn.
    [pause] { who } asks for a pause.
    [resume] { who } asks to go on.
   *[rematch] { who } asks for a rematch.
}
event-answer = { $accept ->
    [True] { who } agrees.
   *[False] { who } says no.
}
event-takeback = { who } takes the last turn back.
event-pause = The game is paused.
event-resume = The game goes on.
event-rematch = There is a rematch.
event-imported = The game was read from a record.
event-call-failed = { $then ->
    [lose] The bot of { who } does not answer as it should, and loses.
    [ai] The bot of { who } does not answer as it should; an AI plays on.
   *[None] The bot of { who } has not answered as it should; it is asked again.
}
picture-open = open
picture-away = away
picture-resigned = resigned
picture-timed-out = out of time
picture-failed = failed
picture-ai = AI: { $level }
picture-points = { $points ->
    [one] { $name } has { $points } point.
   *[other] { $name } has { $points } points.
}
picture-last = Last action, by { $name }: { $action }
picture-decides = { $name } is to decide.
picture-won = { $winners ->
    [one] { $names } has won.
   *[other] { $names } have won together.
}
rules-rules = rules
rules-games = Games
rules-contents = On this page
rules-play = Play it at a table
rules-here = In English
rules-you = You
push-game-started = The game begins.
push-your-turn = It is your turn.
push-offer = { $offer ->
    [takeback] You are asked whether a turn may be taken back.
    [pause] You are asked for a pause.
    [resume] You are asked to go on.
   *[rematch] You are asked for a rematch.
}
push-seat-lost = { $then ->
    [lose] Your time is up: you have lost.
   *[ai] Your time is up: an AI plays for you.
}
push-game-over = The game is over.
push-rematch = The rematch is there.
push-challenge = { $name ->
    [none] You are challenged to a game.
   *[other] { $name } challenges you to a game.
}
push-challenge-answered = { $status ->
    [accepted] Your challenge is accepted.
    [declined] Your challenge is declined.
   *[withdrawn] A challenge is withdrawn.
}
level-random = Random
level-novice = Novice
level-beginner = Beginner
level-learner = Learner
level-casual = Casual
level-club = Club player
level-greedy = Greedy
level-planner = Planner
level-strategist = Strategist
level-veteran = Veteran
level-expert = Expert
level-candidate-master = Candidate master
level-master = Master
