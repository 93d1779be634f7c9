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
event-hand-over = { $name ->
    [none] { who } wechselt den Besitzer.
   *[other] { who } gehört jetzt { $name }.
}
event-timeout = { $then ->
    [lose] Die Zeit ist um: { who } verliert.
   *[ai] Die Zeit ist um: Für { who } spielt eine KI weiter.
}
event-offer = { $offer ->
    [takeback] { who } möchte den letzten Zug zurücknehmen.
    [pause] { who } möchte eine Pause.
    [resume] { who } möchte weiterspielen.
   *[rematch] { who } möchte eine Revanche.
}
event-answer = { $accept ->
    [True] { who } ist einverstanden.
   *[False] { who } lehnt ab.
}
event-takeback = { who } nimmt den letzten Zug zurück.
event-pause = Das Spiel macht Pause.
event-resume = Das Spiel geht weiter.
event-rematch = Es gibt eine Revanche.
event-imported = Das Spiel wurde aus einer Aufzeichnung gelesen.
event-call-failed = { $then ->
    [lose] Der Bot von { who } antwortet nicht, wie er soll, und verliert.
    [ai] Der Bot von { who } antwortet nicht, wie er soll; eine KI spielt weiter.
   *[None] Der Bot von { who } hat nicht geantwortet, wie er soll; er wird noch einmal gefragt.
}
picture-open = frei
picture-away = abwesend
picture-resigned = aufgegeben
picture-timed-out = Zeit abgelaufen
picture-failed = ausgefallen
picture-ai = KI: { $level }
picture-points = { $points ->
    [one] { $name } hat { $points } Punkt.
   *[other] { $name } hat { $points } Punkte.
}
picture-last = Zuletzt, von { $name }: { $action }
picture-decides = { $name } ist am Zug.
picture-won = { $winners ->
    [one] { $names } hat gewonnen.
   *[other] { $names } haben gemeinsam gewonnen.
}
rules-rules = Regeln
rules-games = Spiele
rules-contents = Auf dieser Seite
rules-play = An einem Tisch spielen
rules-here = Auf Deutsch
rules-you = Du
push-game-started = Das Spiel beginnt.
push-your-turn = Du bist am Zug.
push-offer = { $offer ->
    [takeback] Du wirst gefragt, ob ein Zug zurückgenommen werden darf.
    [pause] Du wirst um eine Pause gebeten.
    [resume] Du wirst gebeten weiterzuspielen.
   *[rematch] Du wirst um eine Revanche gebeten.
}
push-seat-lost = { $then ->
    [lose] Deine Zeit ist um: Du hast verloren.
   *[ai] Deine Zeit ist um: Eine KI spielt für dich.
}
push-game-over = Das Spiel ist zu Ende.
push-rematch = Die Revanche ist da.
push-challenge = { $name ->
    [none] Du wirst zu einem Spiel herausgefordert.
   *[other] { $name } fordert dich zu einem Spiel heraus.
}
push-challenge-answered = { $status ->
    [accepted] Deine Herausforderung ist angenommen.
    [declined] Deine Herausforderung ist abgelehnt.
   *[withdrawn] Eine Herausforderung ist zurückgezogen.
}
level-random = Zufällig
level-novice = Neuling
level-beginner = Anfänger
level-learner = Lernend
level-casual = Gemütlich
level-club = Vereinsniveau
level-greedy = Gierig
level-planner = Planend
level-strategist = Strategisch
level-veteran = Erfahren
level-expert = Experte
level-candidate-master = Meisteranwärter
level-master = Meister
