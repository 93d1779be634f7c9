# Die Geschichte eines ausgewerteten Spiels, auf Deutsch. Runden zählen ab 1, Chancen sind ganze Prozent.
# Nachrichten, die mit einem Buchstaben enden, sind Varianten desselben Satzes.

listed = { $first } und { $last }
standing = { $name } ({ $score })
when = { $round ->
    [0] unterwegs
   *[other] in Runde { $round }
}
when-first = { $round ->
    [0] Unterwegs
   *[other] In Runde { $round }
}
points-lost = { $points ->
    [one] einen Punkt
   *[other] { $points } Punkte
}
margin-points = { $margin ->
    [one] einem einzigen Punkt
   *[other] { $margin } Punkten
}
missing = { $margin ->
    [one] fehlte ein einziger Punkt
   *[other] fehlten { $margin } Punkte
}
decider = { $tie_break ->
    [none] die Gleichstandsregel
   *[other] { $tie_break }
}

result-narrow-a = { $winner } hat knapp mit { $score } zu { $other } gegen { $loser } gewonnen.
result-narrow-b = { $winner } schlug { $loser } mit { margin-points } Vorsprung, { $score } zu { $other }.
result-narrow-c = Bis zum Schluss war es eng: { $score } zu { $other } für { $winner } gegen { $loser }.
result-clear-a = { $winner } hat { $loser } mit { $score } zu { $other } geschlagen.
result-clear-b = { $winner } hat mit { $score } Punkten gewonnen, { $loser } kam auf { $other }.
result-clear-c = Das Spiel ging mit { $score } zu { $other } an { $winner }, am Ende fehlten { $loser } { $margin } Punkte.
result-wide-a = { $winner } hat deutlich gewonnen: { $score } zu { $other } gegen { $loser }.
result-wide-b = { $winner } ließ { $loser } mit { $score } zu { $other } weit hinter sich.
result-wide-c = Am Ende war es eine klare Sache: { $score } zu { $other } für { $winner } gegen { $loser }.
result-level-a = { $winner } und { $loser } hatten am Ende beide { $score } Punkte. { $winner } gewann durch { decider }.
result-level-b = Bei je { $score } Punkten hat { $winner } nur durch { decider } gegen { $loser } gewonnen.
result-shared-a = { $names } teilen sich mit je { $score } Punkten den Sieg.
result-shared-b = Unentschieden: { $names } haben je { $score } Punkte.
result-many-a = { $winner } hat mit { $score } Punkten gewonnen, vor { $standings }.
result-many-b = Der Sieg ging mit { $score } Punkten an { $winner }, dahinter kamen { $standings }.
result-many-c = { $score } Punkte reichten { $winner } zum Sieg vor { $standings }.
result-many-level-a = { $winner } hat mit { $score } Punkten durch { decider } gewonnen, vor { $standings }.
result-resignation-a = { $loser } hat { when } aufgegeben, damit hat { $winner } gewonnen. { $winner } hatte da { $score } Punkte, { $loser } { $other }.
result-resignation-b = { $winner } ({ $score } Punkte) hat gewonnen, weil { $loser } ({ $other }) { when } aufgab.
result-timeout-a = { $loser } hat { when } die Zeit überschritten, damit hat { $winner } gewonnen. { $winner } hatte da { $score } Punkte, { $loser } { $other }.
result-timeout-b = { $winner } ({ $score } Punkte) hat { when } gewonnen, weil { $loser } ({ $other }) die Zeit überschritt.
result-failure-a = { $loser } hat { when } nicht mehr geantwortet, damit hat { $winner } gewonnen. { $winner } hatte da { $score } Punkte, { $loser } { $other }.
result-last-a = Am Ende war nur noch { $winner } im Spiel und hat damit gewonnen.
result-last-b = Nur { $winner } spielte weiter und hat damit gewonnen.
result-awarded-a = Die Turnierleitung hat { $winner } den Sieg zugesprochen.
result-draw-a = Die Turnierleitung hat das Spiel unentschieden gewertet.
result-nobody-a = Die Turnierleitung hat entschieden: Niemand hat gewonnen.
result-aborted-a = Das Spiel wurde abgebrochen, bevor alle einen Zug gemacht hatten.

out-resigned-a = { $name } hat vor dem Ende aufgegeben.
out-resigned-b = { $name } gab vorzeitig auf.
out-timed-out-a = { $name } hat die Zeit überschritten.
out-failed-a = { $name } hat nicht mehr geantwortet.

course-comeback-a = { when-first } sah es noch anders aus: Die Gewinnchance von { $winner } lag bei nur { $low } %.
course-comeback-b = { $winner } kam von hinten. { when-first } lag die Gewinnchance bei { $low } %.
course-comeback-c = { $winner } musste das Spiel drehen: { when-first } lag die Gewinnchance nur bei { $low } %.
course-behind-a = Vor der letzten Runde lag { $winner } noch { $behind } Punkte zurück.
course-behind-b = { $rival } führte vor der letzten Runde mit { $other } zu { $score }, aber das reichte nicht.
course-behind-c = Die letzte Runde hat alles geändert: Vorher führte { $rival } mit { $other } zu { $score }.
course-changes-a = Der Vorteil wechselte { $changes }-mal die Seite, zuletzt { when }.
course-changes-b = Es ging hin und her: { $changes }-mal wechselte der Vorteil.
course-changes-c = Der Vorteil wechselte { $changes }-mal, bis das Spiel { when } endgültig kippte.
course-late-a = Bis zur letzten Runde war alles offen.
course-late-b = Vor der letzten Runde war nichts entschieden.
course-late-c = Erst die letzte Runde hat dieses Spiel entschieden.
course-start-a = { $winner } war von der ersten Runde an im Vorteil und blieb es bis zum Schluss.
course-start-b = { $winner } hatte das Spiel ab der ersten Runde in der Hand.
course-start-c = Von der ersten Runde an sprach alles für { $winner }.
course-middle-a = { when-first } kam { $winner } in Vorteil und gab ihn nicht mehr her.
course-middle-b = Anfangs war das Spiel ausgeglichen, { when } setzte sich { $winner } ab.
course-middle-c = { when-first } ging { $winner } endgültig in Führung.
course-clear-a = Da lag { $winner } schon klar vorn, mit einer Gewinnchance von { $chance } %.
course-clear-b = Mit { $chance } % Gewinnchance war { $winner } da schon klar im Vorteil.
course-unlikely-a = { $winner } lag da eigentlich klar zurück, mit einer Gewinnchance von { $chance } %.
course-open-a = Das Spiel war noch offen: Die Gewinnchance von { $winner } lag da bei { $chance } %.
course-open-b = Bis dahin war noch viel möglich. Die Gewinnchance von { $winner } lag bei { $chance } %.

turn-a = Die Wende kam { when }: { $name } { $played }, und die Gewinnchance fiel von { $before } auf { $after } %.
turn-b = { when-first } kippte das Spiel. { $name } { $played }, und die Gewinnchance rutschte von { $before } auf { $after } %.
turn-c = Entschieden hat ein Zug { when }: { $name } { $played }. Aus { $before } % Gewinnchance wurden { $after } %.
swing-a = Am meisten veränderte sich { when }: { $name } { $played }, und die Gewinnchance sank von { $before } auf { $after } %.
swing-b = { when-first } verlor { $name } am meisten: { $name } { $played }, und von { $before } % Gewinnchance blieben { $after } %.
swing-c = Ein Zug { when } wog besonders schwer: { $name } { $played }, und die Gewinnchance fiel von { $before } auf { $after } %.
draw-a = Die Ziehung für Runde { $round } half { $winner }: Die Gewinnchance stieg von { $before } auf { $after } %.
draw-b = Etwas Glück war auch dabei. Mit den neuen Teilen der Runde { $round } stieg die Gewinnchance von { $winner } von { $before } auf { $after } %.
draw-c = Runde { $round } begann günstig für { $winner }: Allein die Ziehung hob die Gewinnchance von { $before } auf { $after } %.

better-enough-a = { $name } hätte { $instead } sollen. Das war etwa { points-lost } mehr wert, und am Ende { missing }.
better-enough-b = Mit dem besseren Zug wäre mehr möglich gewesen: { $name } hätte { $instead } sollen, etwa { points-lost } mehr wert. Am Ende { missing }.
better-some-a = { $name } hätte { $instead } sollen, das war etwa { points-lost } mehr wert. Am Ende { missing }.
better-some-b = { $name } hätte stattdessen { $instead } sollen. Der Rückstand von { margin-points } wäre um etwa { points-lost } kleiner ausgefallen.
better-chance-a = { $name } hätte { $instead } sollen.
better-chance-b = { $name } hätte lieber { $instead } sollen, dann wäre die Gewinnchance bei { $before } % geblieben.
missed-enough-a = { when-first } hätte { $name } das Spiel retten können: { $name } { $played }, hätte aber { $instead } sollen. Das war etwa { points-lost } mehr wert, und am Ende { missing }.
missed-some-a = { when-first } hätte { $name } { $instead } sollen, das war etwa { points-lost } mehr wert. Am Ende { missing }.
missed-some-b = Ein Zug { when } kostete { $name } etwa { points-lost }: { $name } { $played }, hätte aber { $instead } sollen.
missed-chance-a = { when-first } verpasste { $name } eine Gelegenheit und { $played }, hätte aber { $instead } sollen.

best-a = Der beste Zug des Spiels kam { when }: { $name } { $played }. Alles andere wäre mindestens { $margin } Prozentpunkte schlechter gewesen.
best-b = { $name } fand { when } den einen starken Zug und { $played }. Jeder andere hätte mindestens { $margin } Prozentpunkte gekostet.
best-c = Gut gesehen { when }: { $name } { $played }. Der zweitbeste Zug war { $margin } Prozentpunkte schlechter.
slip-a = Ein Fehler unterlief { $name } { when }: { $name } { $played }, hätte aber { $instead } sollen.
slip-b = { $name } patzte { when } und { $played }, hätte aber { $instead } sollen.

bonus-a = Den Ausschlag gab die Schlusswertung. Ohne die Punkte für { $bonus } ({ $score } zu { $other }) hätte { $rival } gewonnen.
bonus-b = { $winner } verdankt den Sieg den Punkten für { $bonus }: { $score } gegen { $other } für { $rival }.
bonus-c = Ohne die Punkte für { $bonus }, { $score } zu { $other }, hätte { $rival } gewonnen.
bonus-cost-a = Für { $bonus } verlor { $rival } { $other } Punkte und { $winner } nur { $score }, sonst hätte { $rival } gewonnen.
bonus-all-a = Vor der Schlusswertung lag { $rival } noch vorn, mit { $other } zu { $score }.
bonus-all-b = Die Schlusswertung hat das Ergebnis gedreht: Vorher führte { $rival } mit { $other } zu { $score }.

clean-a = Einen groben Fehler hat niemand gemacht.
clean-b = Grobe Fehler gab es auf keiner Seite.
accuracy-a = { $name } hat in { $good } von { $all } Entscheidungen den besten Zug oder einen ebenso guten gefunden.
accuracy-b = { $good } von { $all } Entscheidungen von { $name } waren die beste oder so gut wie die beste.
