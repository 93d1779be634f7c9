"""Every code a problem document can carry: its HTTP status, its title in each language, and what it means.

The table is the one source: answers, the document and the page at /docs are made from it. Codes never change and
are never reused; a program decides by them, so a refusal that a client must tell apart has its own.
"""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """A line of the table."""

    status: int
    en: str
    de: str
    meaning: str  # what to do about it, in English, for /docs

    def title(self, language: str) -> str:
        """The title for people."""
        return self.de if language == "de" else self.en


CODES: dict[str, Code] = {
    # ------------------------------------------------------------------------------------------- requests
    "request/malformed": Code(
        400,
        "The request cannot be read",
        "Die Anfrage ist nicht lesbar",
        "The body is not JSON in UTF-8, its chunks are malformed, or it ends before its `Content-Length`.",
    ),
    "request/bad_etag": Code(
        400,
        "If-Match names no revision",
        "If-Match nennt keine Revision",
        'If-Match takes one entity tag as the API gave it: `If-Match: "17"`.',
    ),
    "request/not_found": Code(
        404, "There is nothing here", "Hier ist nichts", "No operation has this path; look at the document."
    ),
    "request/method_not_allowed": Code(
        405, "Not by this method", "Nicht mit dieser Methode", "`Allow` lists the methods this path knows."
    ),
    "request/not_acceptable": Code(
        406,
        "Not available in this form",
        "In dieser Form nicht verfügbar",
        "The stream is `text/event-stream` or `application/x-ndjson`; `Accept` excludes both.",
    ),
    "request/timeout": Code(
        408,
        "The body has not come in time",
        "Der Inhalt kam nicht rechtzeitig",
        "A body has 15 seconds to arrive. Nothing was done; the connection is closed.",
    ),
    "request/too_large": Code(
        413,
        "The body is too large",
        "Der Inhalt ist zu groß",
        "A body has at most 64 KB, that of an import 4 MB. Nothing was done.",
    ),
    "request/unsupported_media_type": Code(
        415, "The body is not JSON", "Der Inhalt ist kein JSON", "Send `Content-Type: application/json`."
    ),
    "request/invalid": Code(
        422,
        "Something in the request is not valid",
        "Etwas in der Anfrage ist nicht gültig",
        "`errors` tells each fault: `in` (`body`, `query`, `header`), a JSON pointer, and what is wrong there. "
        "Unknown fields and unknown query parameters are faults, too.",
    ),
    # ------------------------------------------------------------------------------------------- callers
    "auth/token_required": Code(
        401, "A token is needed", "Ein Token wird gebraucht", "Send `Authorization: Bearer <token>`."
    ),
    "auth/token_unknown": Code(
        401, "This token is unknown", "Dieses Token ist unbekannt", "The token is not one of this game."
    ),
    "auth/read_only": Code(
        403,
        "This token only reads",
        "Dieses Token liest nur",
        "The token's scopes do not include `play`: the player has, or makes, another one for that.",
    ),
    "auth/wrong_seat": Code(
        403,
        "This token does not play",
        "Dieses Token spielt nicht",
        "The token is the host's, a watcher's or an invitation's; only a seat's token decides for a seat.",
    ),
    "auth/host_only": Code(
        403,
        "Only the host may",
        "Das darf nur der Gastgeber",
        "Use the game's `host` token; of a competition, that of the player who has announced it.",
    ),
    "auth/invite_required": Code(
        403,
        "An invitation is needed",
        "Eine Einladung wird gebraucht",
        "A seat of a private game is claimed with its `invite` token.",
    ),
    "auth/player_required": Code(
        403,
        "This needs a player's token",
        "Dafür braucht es das Token eines Spielers",
        "The token is one of a game; `POST /v1/players` gives one that is a player's in all games.",
    ),
    "auth/not_taking_part": Code(
        403,
        "Only for those who take part",
        "Nur für Beteiligte",
        "Messages are for the seats, the host and who holds the `watch` token.",
    ),
    "auth/admin_only": Code(
        403, "Only the operator may", "Das darf nur der Betreiber", "Use the token of the setting ADMIN_TOKEN."
    ),
    "auth/ticket_unknown": Code(
        401,
        "This ticket is not good",
        "Dieses Ticket gilt nicht",
        "A ticket is good once, for a minute, and for one game.",
    ),
    "auth/api_key_required": Code(
        401,
        "An API key is needed",
        "Ein API-Schlüssel wird gebraucht",
        "This service answers applications it knows: send `X-Api-Key`. Its operator makes the keys.",
    ),
    "auth/api_key_unknown": Code(
        401,
        "This API key is unknown",
        "Dieser API-Schlüssel ist unbekannt",
        "`X-Api-Key` is none of the keys that the operator has made; without it, the address is counted.",
    ),
    "auth/not_owner": Code(
        403,
        "Only who asked for it may",
        "Das darf nur, wer es verlangt hat",
        "It was asked for with another token; that one ends it.",
    ),
    # ------------------------------------------------------------------------------------------- players
    "player/not_found": Code(
        404,
        "No such player",
        "Diesen Spieler gibt es nicht",
        "No player has this id or handle: there never was one, they were deleted, or they gave the handle up.",
    ),
    "player/handle_taken": Code(
        409,
        "The handle is taken",
        "Dieser Name ist vergeben",
        "A player has it, or one that looks like it: case, dashes, and letters that look alike do not count.",
    ),
    "player/handle_too_soon": Code(
        409,
        "The handle was changed lately",
        "Der Name wurde erst kürzlich geändert",
        "A week has to pass between two changes: it may be changed from `until` on.",
    ),
    "player/blocked": Code(
        403,
        "A player of this game has blocked you",
        "Ein Spieler dieses Spiels hat dich blockiert",
        "Whoever is blocked takes no seat beside that player, and writes nothing to them. Play elsewhere.",
    ),
    "player/banned": Code(
        403,
        "The operator has banned this player",
        "Der Betreiber hat diesen Spieler gesperrt",
        "No token of the player is good any more, and none is given. Ask the operator.",
    ),
    "player/yourself": Code(409, "That is yourself", "Das bist du selbst", "This can be done to other players only."),
    "bot/not_found": Code(
        404,
        "No such bot",
        "Diesen Bot gibt es nicht",
        "The player is no bot that one can find, or it is one that is called where nobody is; or it is not the "
        "caller's.",
    ),
    "bot/no_program": Code(
        409,
        "The player is no program",
        "Der Spieler ist kein Programm",
        "Only a player who was created with `bot` can be found as one.",
    ),
    "bot/declines": Code(
        409,
        "The bot does not play that",
        "Das spielt der Bot nicht",
        "`errors` tells each field at fault and what the bot accepts; the empty pointer: it does not play with the "
        "caller's kind. `GET /v1/bots/{player}` tells all of it.",
    ),
    "bot/busy": Code(
        409,
        "The bot is busy",
        "Der Bot ist beschäftigt",
        "It plays as many games as it does at once, `limit`. Ask again later, or another one.",
    ),
    "challenge/not_found": Code(
        404,
        "No such challenge",
        "Diese Herausforderung gibt es nicht",
        "The caller has sent and received none of this id; a day after its end it is forgotten.",
    ),
    "challenge/answered": Code(
        409,
        "The challenge is not open any more",
        "Die Herausforderung ist nicht mehr offen",
        "`became` tells what has become of it: it was accepted, declined or withdrawn, or has expired.",
    ),
    "seek/not_found": Code(
        404,
        "No such seek",
        "Diese Suche gibt es nicht",
        "It has ended because nobody asked for it, was withdrawn, or is another player's.",
    ),
    # ----------------------------------------------------------------------------------------- competitions
    "competition/not_found": Code(
        404,
        "No such competition",
        "Dieses Turnier gibt es nicht",
        "There is none of this id; 30 days after its end it is forgotten.",
    ),
    "competition/closed": Code(
        409,
        "The competition is too far for that",
        "Dafür ist das Turnier zu weit",
        "`became` tells how far it is. A Swiss is entered before it begins, an arena while it runs, too; what is over "
        "stays as it is.",
    ),
    "competition/full": Code(
        409, "The competition is full", "Das Turnier ist voll", "`limit` players have entered: somebody may leave yet."
    ),
    "competition/not_for_you": Code(
        403,
        "The competition is open to others",
        "Das Turnier ist für andere",
        "`open_to` tells whether people or bots may enter.",
    ),
    "competition/invitation": Code(
        403,
        "An invitation to the competition is needed",
        "Eine Einladung zum Turnier wird gebraucht",
        "Enter with the `invitation` that its host was told.",
    ),
    "competition/removed": Code(
        403,
        "The host has removed you",
        "Der Gastgeber hat dich entfernt",
        "Whom the host has removed cannot enter this competition again.",
    ),
    "competition/not_entered": Code(
        409, "They have not entered", "Sie nehmen nicht teil", "Only who has entered can be removed."
    ),
    "competition/too_few": Code(
        409, "Too few have entered", "Zu wenige nehmen teil", "A competition begins with two players at least."
    ),
    # ------------------------------------------------------------------------------------------- identities
    "identity/no_sign_in": Code(
        404,
        "No such sign-in",
        "Diese Anmeldung gibt es nicht",
        "It was completed, or ten minutes have passed: begin another one.",
    ),
    "identity/refused": Code(
        422,
        "The identity is not proved",
        "Die Identität ist nicht nachgewiesen",
        "`reason` says why the ID token, or the code, is not accepted: `unreadable`, `signature`, `issuer`, "
        "`audience`, `expired`, `nonce` (another sign-in's), `code` (the provider refuses it).",
    ),
    "identity/unavailable": Code(
        503,
        "The provider does not answer",
        "Der Anbieter antwortet nicht",
        "The provider of OpenID Connect cannot be reached. Try again after `Retry-After` seconds: the sign-in can "
        "still be completed.",
    ),
    "identity/taken": Code(
        409,
        "The identity is another player's",
        "Die Identität gehört einem anderen Spieler",
        "It is linked to another player: sign in with it to be that player.",
    ),
    "identity/linked": Code(
        409,
        "Another identity of this provider is linked",
        "Eine andere Identität dieses Anbieters ist verknüpft",
        "A player has one of each provider: unlink it first.",
    ),
    "identity/unknown": Code(
        404,
        "The identity is nobody's",
        "Die Identität gehört niemandem",
        "It is linked to no player. With `create` it gets a new one.",
    ),
    "identity/busy": Code(
        409,
        "The identity is just being linked",
        "Die Identität wird gerade verknüpft",
        "Another request does the same at this moment: sign in again.",
    ),
    "identity/not_found": Code(
        404,
        "No such identity",
        "Diese Identität gibt es nicht",
        "No identity of this provider is linked to the player.",
    ),
    "token/not_found": Code(
        404, "No such token", "Dieses Token gibt es nicht", "The player has no token of this id: it may have ended."
    ),
    # ------------------------------------------------------------------------------------------- calls to the outside
    "outgoing/off": Code(
        403,
        "This service calls nobody",
        "Dieser Dienst ruft niemanden an",
        "Its operator has not allowed opponents and webhooks that are named by URL (the setting OUTGOING). A bot can "
        "play a seat of kind `player` and poll `GET /v1/me/turns`.",
    ),
    "webhook/not_found": Code(
        404, "No such webhook", "Kein solcher Webhook", "The caller has none with this id, or has deleted it."
    ),
    "webhook/disabled": Code(
        409,
        "The webhook is disabled",
        "Der Webhook ist abgeschaltet",
        "Nothing is delivered to it. `disabled_reason` says why; its owner enables it again by `PATCH`.",
    ),
    "device/not_found": Code(
        404, "No such device", "Kein solches Gerät", "The caller has none with this id; it may have been forgotten."
    ),
    # ------------------------------------------------------------------------------------------- tasks
    "task/not_found": Code(
        404,
        "No such analysis, tournament or import",
        "Keine solche Analyse, kein solches Turnier, kein solcher Import",
        "There is none with this id, it was ended, or it has expired.",
    ),
    # ------------------------------------------------------------------------------------------- rulesets
    "ruleset/not_found": Code(
        404, "No such ruleset", "Kein solches Regelwerk", "`GET /v1/rulesets` lists what can be played."
    ),
    "ruleset/no_picture": Code(404, "No picture", "Kein Bild", "The game's ruleset has none."),
    # ------------------------------------------------------------------------------------------- games
    "game/not_found": Code(
        404,
        "No such game",
        "Kein solches Spiel",
        "There is no game with this id, it has expired, or it is private and the token is not one of its own.",
    ),
    "game/help_forbidden": Code(
        403,
        "This game is played without help",
        "Dieses Spiel wird ohne Hilfe gespielt",
        "Its creator has set `help` to false: it is analysed when it is over, and not before.",
    ),
    "game/nobody_decides": Code(
        409,
        "Nobody decides there",
        "Dort entscheidet niemand",
        "Only decisions are analysed: not a draw, not an open game, not one that is over.",
    ),
    "game/revision_not_found": Code(
        404,
        "The game has no such revision",
        "Das Spiel hat keine solche Revision",
        "`revision` is the game's present one; its first is 1.",
    ),
    "game/rebased": Code(
        410,
        "Too old to be shown",
        "Zu alt, um gezeigt zu werden",
        "The rules have changed since; positions before revision `since` can no longer be computed.",
    ),
    "game/not_started": Code(
        409, "The game has not started", "Das Spiel hat noch nicht begonnen", "Seats are still open."
    ),
    "game/already_started": Code(
        409, "The game has started", "Das Spiel hat schon begonnen", "It can be started once."
    ),
    "game/over": Code(409, "The game is over", "Das Spiel ist zu Ende", "Nothing changes it any more."),
    "game/not_your_turn": Code(
        409, "It is not your turn", "Du bist nicht am Zug", "`to_decide` is the seat whose turn it is, or null."
    ),
    "game/illegal_action": Code(
        409,
        "The rules do not allow it",
        "Die Regeln erlauben es nicht",
        "`reason` is a code of the ruleset, `detail` the sentence. `GET …/actions` lists what is allowed.",
    ),
    "game/stale_revision": Code(
        412,
        "The game has moved on",
        "Das Spiel ist weiter",
        "Somebody was faster: `revision` is the present one, `href` the game. Nothing was changed: read, decide anew.",
    ),
    "game/revision_required": Code(
        428,
        "Say which revision you decided on",
        "Sag, auf welcher Revision du entschieden hast",
        'Send `If-Match: "17"`, or `"revision": 17` in the body.',
    ),
    "game/revision_conflict": Code(
        400,
        "Two different revisions",
        "Zwei verschiedene Revisionen",
        "If-Match and the body's `revision` name different revisions.",
    ),
    "game/full": Code(409, "No seat is open", "Kein Platz ist frei", "All seats are taken, or the game has started."),
    "game/seat_taken": Code(
        409, "The seat is taken", "Der Platz ist vergeben", "Claim another one, or none in particular."
    ),
    "game/rated": Code(
        409,
        "The game is rated",
        "Das Spiel wird gewertet",
        "In a rated game nothing is taken back, no seat is handed over, and nobody pauses without another person.",
    ),
    "game/not_rated": Code(
        409,
        "The game is not rated",
        "Das Spiel wird nicht gewertet",
        "It was not created with `rated`: its end changes no rating.",
    ),
    "game/not_mixed": Code(
        409,
        "People and programs are not rated together here",
        "Menschen und Programme werden hier nicht gemeinsam gewertet",
        "A rated game of people and programs needs `mixed` of all of them: of who creates, seeks or challenges, and of "
        "who claims, joins or accepts.",
    ),
    "game/already_seated": Code(
        409,
        "You have a seat there",
        "Du hast dort schon einen Platz",
        "In a rated game a player has one seat: the other one is for somebody else.",
    ),
    "game/too_late_to_abort": Code(
        409,
        "Too late to abort",
        "Zu spät zum Abbrechen",
        "Every person has made a decision; a seat can still resign.",
    ),
    "game/resigned": Code(409, "The seat has resigned", "Der Platz hat aufgegeben", "An AI plays on for it."),
    "game/timed_out": Code(
        409, "The seat has lost on time", "Der Platz hat durch Zeit verloren", "An AI plays on for it."
    ),
    "game/away": Code(
        409,
        "The seat has fallen to an AI",
        "Für den Platz spielt eine KI",
        "Its time was up. Claim it, with its own token or the invite token, and decide again.",
    ),
    "game/time_is_up": Code(
        409, "The time is up", "Die Zeit ist um", "The clock's `deadline` has passed; in a moment the log will say so."
    ),
    "game/paused": Code(
        409, "The game is paused", "Das Spiel macht Pause", "It goes on at `until`, or when its people agree to."
    ),
    "game/not_paused": Code(
        409, "The game is not paused", "Das Spiel macht keine Pause", "There is nothing to resume."
    ),
    "game/not_over": Code(
        409,
        "The game is not over",
        "Das Spiel ist nicht zu Ende",
        "Rematches, animations and some analyses are for games that are over.",
    ),
    "game/not_reviewed": Code(
        404,
        "The game has not been reviewed",
        "Das Spiel wurde noch nicht besprochen",
        "Nobody has asked for a review, it was ended, or it has expired; `POST …/analyses` asks for one.",
    ),
    "game/log_full": Code(
        409,
        "The game's log is full",
        "Das Protokoll des Spiels ist voll",
        "It has more than `limit` events: the game is played to its end, but nothing is taken back, offered or handed "
        "over any more.",
    ),
    # ------------------------------------------------------------------------------------------- offers
    "offer/not_found": Code(
        409,
        "No such offer",
        "Kein solches Angebot",
        "`offers` of the game has none of this id: it was answered, withdrawn, or the game has moved on.",
    ),
    "offer/not_asked": Code(
        409,
        "Your answer is not needed",
        "Deine Antwort wird nicht gebraucht",
        "`awaiting` of the offer lists who is asked.",
    ),
    "offer/open": Code(
        409, "You have an offer open", "Du hast schon ein Angebot offen", "Withdraw it first: answer it with no."
    ),
    "offer/declined": Code(
        409, "It was declined", "Es wurde abgelehnt", "The same may be offered again when the game has moved on."
    ),
    "offer/nothing_to_take_back": Code(
        409, "There is nothing to take back", "Es gibt nichts zurückzunehmen", "The seat has made no decision yet."
    ),
    "game/newer_ruleset": Code(
        503,
        "The service is being updated",
        "Der Dienst wird gerade erneuert",
        "The game is played by newer rules than this process has. Try again after `Retry-After` seconds.",
    ),
    # ------------------------------------------------------------------------------------------- records
    "record/illegal_event": Code(
        422,
        "The record cannot be played",
        "Die Aufzeichnung ist nicht spielbar",
        "`event` is the number of the first event, from 1, that cannot be where it stands; `detail` says why.",
    ),
    "notation/unreadable": Code(
        422,
        "The notation cannot be read",
        "Die Notation ist nicht lesbar",
        "`line` and `column`, from 1, are where the text goes wrong, `token` is what stands there, and `errors` tells "
        "what was expected. `field` is the JSON pointer of what it would be in JSON. The guide has the grammars.",
    ),
    # ------------------------------------------------------------------------------------------- idempotency
    "idempotency/bad_key": Code(
        400,
        "The key cannot be used",
        "Der Schlüssel ist nicht brauchbar",
        "Idempotency-Key has 1 to 255 visible ASCII characters; at least 22 where no token says who asks "
        "(a UUID will do): such a key must not be guessed.",
    ),
    "idempotency/mismatch": Code(
        422,
        "The key was used for another request",
        "Der Schlüssel gehört zu einer anderen Anfrage",
        "A repeated request must have the same body; a new one needs a new key.",
    ),
    # ------------------------------------------------------------------------------------------- limits
    "limit/requests": Code(
        429,
        "Too many requests",
        "Zu viele Anfragen",
        "The budget named by `budget` is used up. Nothing was done: come back after `Retry-After` seconds. The other "
        "budgets are counted apart, so a caller who has read too much can still act.",
    ),
    "limit/streams": Code(
        429,
        "Too many open streams",
        "Zu viele offene Ströme",
        "The caller follows as many games at one time as the service allows: end a stream first.",
    ),
    "limit/open_games": Code(
        429,
        "Too many unfinished games",
        "Zu viele unfertige Spiele",
        "The caller has created as many unfinished games as the service allows: finish or abort some first.",
    ),
    "limit/background": Code(
        429,
        "Too much work is waiting",
        "Zu viel Arbeit wartet schon",
        "The caller has analyses, games of tournaments and imports waiting that take as long as the service allows, "
        "about `limit` seconds: ask for less, end some, or come back after `Retry-After` seconds.",
    ),
    "limit/challenges": Code(
        409,
        "Too many challenges",
        "Zu viele Herausforderungen",
        "At most 10 challenges that a player has sent wait at one time, and 50 for one player; `limit` tells which.",
    ),
    "limit/seeks": Code(
        409,
        "Too many seeks",
        "Zu viele Suchen",
        "A player has at most 3 seeks at one time, the lobby 2,000: `limit` tells which. Withdraw one, or come back.",
    ),
    "limit/competitions": Code(
        409,
        "Too many competitions",
        "Zu viele Turniere",
        "A player hosts at most 3 competitions that are not over, and takes part in 10; in 120 days they announce and "
        "enter 500 each. Of all players together there are 200: `limit` tells which.",
    ),
    "limit/blocked": Code(
        409,
        "No more blocked players",
        "Keine weiteren Blockierungen",
        "A player has at most `limit` others blocked: unblock one.",
    ),
    "limit/tokens": Code(
        409,
        "No more tokens",
        "Keine weiteren Token",
        "A player has at most `limit` tokens: end one that is not used any more.",
    ),
    "limit/devices": Code(
        409,
        "No more devices",
        "Keine weiteren Geräte",
        "A player has at most `limit` devices that get notices: delete one.",
    ),
    "limit/bots": Code(
        409,
        "No more bots",
        "Keine weiteren Bots",
        "There are at most 500 bots that one can find, and 10 of one owner: `limit` tells which.",
    ),
    "limit/webhooks": Code(
        409,
        "No more webhooks",
        "Keine weiteren Webhooks",
        "A player has at most `limit` webhooks: delete one, or change its URL.",
    ),
    # ------------------------------------------------------------------------------------------- service
    "service/unavailable": Code(
        503,
        "The service cannot reach its store",
        "Der Dienst erreicht seinen Speicher nicht",
        "Try again after `Retry-After` seconds, with the same Idempotency-Key: it is safe. `outage` says what is wrong "
        "with the store; where it cannot be written, reading goes on. `archive`: an older game cannot be read now.",
    ),
    "service/damaged": Code(
        503,
        "The store is damaged",
        "Der Speicher ist beschädigt",
        "What is stored cannot be used, and nothing was written. Its operator finds more in the log by `request_id`.",
    ),
    "service/compiling": Code(
        503,
        "The service has just started",
        "Der Dienst ist gerade gestartet",
        "The rules are still being compiled, and to list so many actions would take too long. Try again after "
        "`Retry-After` seconds; all else is served.",
    ),
    "service/not_ready": Code(
        503,
        "The service is not ready",
        "Der Dienst ist nicht bereit",
        "`checks` tells what is missing: the store, a worker, a keeper, or that jobs wait too long.",
    ),
    "service/internal": Code(
        500,
        "Something went wrong here",
        "Hier ist etwas schiefgegangen",
        "Our fault. Report the `request_id`; the log has the rest.",
    ),
}
