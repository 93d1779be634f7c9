# Ereignisse zwischen Spielern, Wörter um ein Bild und Benachrichtigungen, auf Deutsch. Plätze zählen ab 1.

who = { $seat ->
    [0] Platz 1
    [1] Platz 2
    [2] Platz 3
   *[3] Platz 4
}
move = { $name } { $move }.
why = { $second ->
    [none] { why-subject } { $first }.
   *[other] { why-subject } { $first }, und er { $second }.
}
why-subject = { $subject ->
    [best] Der beste Zug
   *[it] Der Zug
}
event-created = Das Spiel wurde angelegt.
event-join = { $name ->
    [none] { who } wurde besetzt.
   *[other] { $name } spielt auf { who }.
}
event-start = Das Spiel hat begonnen.
event-resignation = { who } hat aufgegeben.
event-abort = { $cause ->
    [resigned] { who } ist gegangen, bevor alle einen Zug gemacht haben. Das Spiel wurde abgebrochen.
    [timed_out] { who } hat die Zeit überschritten, bevor alle einen Zug gemacht haben. Das Spiel wurde abgebrochen.
    [failed] Der Bot auf { who } hat nicht geantwortet, bevor alle einen Zug gemacht haben. Das Spiel wurde abgebrochen.
   *[None] Das Spiel wurde abgebrochen.
}
event-adjudication = { $result ->
    [win] Die Turnierleitung hat entschieden: { who } hat gewonnen.
    [draw] Die Turnierleitung hat entschieden: Das Spiel endet unentschieden.
   *[double_forfeit] Die Turnierleitung hat entschieden: Niemand hat gewonnen.
}
event-hand-over = { $name ->
    [none] { who } wurde übernommen.
   *[other] { $name } hat { who } übernommen.
}
event-timeout = { $then ->
    [lose] { who } hat die Zeit überschritten und verloren.
   *[ai] { who } hat die Zeit überschritten. Eine KI spielt weiter.
}
event-offer = { $offer ->
    [takeback] { who } möchte den letzten Zug zurücknehmen.
    [pause] { who } möchte eine Pause.
    [resume] { who } möchte weiterspielen.
   *[rematch] { who } möchte eine Revanche.
}
event-answer = { $accept ->
    [True] { who } hat zugestimmt.
   *[False] { who } hat abgelehnt.
}
event-takeback = { who } hat den letzten Zug zurückgenommen.
event-pause = Das Spiel wurde unterbrochen.
event-resume = Das Spiel geht weiter.
event-rematch = Eine Revanche wurde angelegt.
event-imported = Das Spiel wurde importiert.
event-call-failed = { $then ->
    [lose] Der Bot auf { who } hat keine gültige Aktion geschickt und verloren.
    [ai] Der Bot auf { who } hat keine gültige Aktion geschickt. Eine KI spielt weiter.
   *[None] Der Bot auf { who } hat keine gültige Aktion geschickt. Er wird noch einmal gefragt.
}
picture-nameless = Anonym
picture-open = frei
picture-away = abwesend
picture-resigned = aufgegeben
picture-timed-out = Zeit abgelaufen
picture-failed = ausgefallen
picture-ai = { $character } (KI)
picture-points = { $points ->
    [one] { $name } hat { $points } Punkt.
   *[other] { $name } hat { $points } Punkte.
}
picture-last = Letzter Zug: { $move }
picture-decides = { $name } ist am Zug.
picture-won = { $winners ->
    [0] Niemand hat gewonnen.
    [one] { $names } hat gewonnen.
   *[other] { $names } teilen sich den Sieg.
}
puzzle-share = { $title }, Rätsel vom { $day }. { $month ->
    [1] Januar
    [2] Februar
    [3] März
    [4] April
    [5] Mai
    [6] Juni
    [7] Juli
    [8] August
    [9] September
    [10] Oktober
    [11] November
   *[12] Dezember
} { $year }: Findest du den besten Zug?
pages-rules = Regeln
pages-conduct = Miteinander
pages-contents = Auf dieser Seite
pages-play = Spielen
pages-here = Deutsch
pages-contact = { $contact ->
    [none] Für diesen Dienst ist keine Kontaktadresse angegeben. Einspruch ist hier deshalb nicht möglich.
   *[other] Wenn du eine Entscheidung für falsch hältst, schreib einmal an den Betreiber dieses Dienstes: { $contact }. Nenne deinen Namen oder Kurznamen, die Entscheidung und warum sie falsch ist.
}
rules-you = Du
push-game-started = Das Spiel hat begonnen.
push-your-turn = Du bist am Zug.
push-offer = { $offer ->
    [takeback] Jemand möchte einen Zug zurücknehmen.
    [pause] Jemand möchte eine Pause.
    [resume] Jemand möchte weiterspielen.
   *[rematch] Jemand möchte eine Revanche.
}
push-seat-lost = { $then ->
    [lose] Deine Zeit ist um. Du hast verloren.
   *[ai] Deine Zeit ist um. Eine KI spielt für dich.
}
push-game-over = Das Spiel ist zu Ende.
push-rematch = Die Revanche ist bereit.
push-challenge = { $name ->
    [none] Du hast eine neue Herausforderung.
   *[other] { $name } fordert dich zu einem Spiel heraus.
}
push-rounds-changed = { $rounds ->
    [one] { $name } hat nur eine Runde, weil zu wenige mitspielen.
   *[other] { $name } hat nur { $rounds } Runden, weil zu wenige mitspielen.
}
push-challenge-answered = { $status ->
    [accepted] Deine Herausforderung wurde angenommen.
    [declined] Deine Herausforderung wurde abgelehnt.
   *[withdrawn] Eine Herausforderung wurde zurückgezogen.
}
push-endpoint-disabled = { $kind ->
    [webhook] Dein Webhook funktioniert nicht mehr und ist abgeschaltet.
    [device] Ein Gerät war einen Tag lang nicht erreichbar und bekommt keine Nachrichten mehr.
   *[bot] Dein Bot antwortet seit einem Tag nicht und ist abgeschaltet.
}
character-random = Kuckuck
character-novice = Entlein
character-beginner = Spatz
character-learner = Fink
character-casual = Lerche
character-club = Amsel
character-greedy = Elster
character-planner = Storch
character-strategist = Rabe
character-veteran = Reiher
character-expert = Falke
character-candidate-master = Adler
character-master = Eule
