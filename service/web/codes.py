"""The codes of problem documents, with HTTP status, title in each language, and what a client can do.

Responses, the OpenAPI document and the page at /docs are generated from this table. Codes never change and are never
reused. An error that clients must handle differently has its own code.
"""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """A code and its texts."""

    status: int
    en: str
    de: str
    meaning: str  # what to do about it, in English, for /docs

    def title(self, language: str) -> str:
        """Return the title in a language."""
        return self.de if language == "de" else self.en


CODES: dict[str, Code] = {
    # ------------------------------------------------------------------------------------------- requests
    "request/malformed": Code(
        400,
        "Malformed request",
        "Fehlerhafte Anfrage",
        "The body is not JSON in UTF-8, has malformed chunks, or is shorter than its `Content-Length`.",
    ),
    "request/bad_etag": Code(
        400,
        "Invalid If-Match",
        "Ungültiges If-Match",
        'Send one entity tag exactly as returned in `ETag`: `If-Match: "17"`.',
    ),
    "request/not_found": Code(
        404,
        "Not found",
        "Nicht gefunden",
        "No operation has this path. Compare the URL with the API reference.",
    ),
    "request/method_not_allowed": Code(
        405,
        "Method not allowed",
        "Methode nicht erlaubt",
        "Use one of the methods in the `Allow` header.",
    ),
    "request/not_acceptable": Code(
        406,
        "Format not available",
        "Format nicht verfügbar",
        "Streams are available as `text/event-stream` and `application/x-ndjson`. Include one of them in `Accept`.",
    ),
    "request/timeout": Code(
        408,
        "Request timed out",
        "Zeitüberschreitung der Anfrage",
        "The body did not arrive within 15 seconds. The request had no effect, and the connection is closed. Send "
        "it again.",
    ),
    "request/too_large": Code(
        413,
        "Request too large",
        "Anfrage zu groß",
        "A body can have 64 KB, or 1 MB for an import. The request had no effect.",
    ),
    "request/unsupported_media_type": Code(
        415,
        "Unsupported content type",
        "Inhaltstyp nicht unterstützt",
        "Send `Content-Type: application/json`.",
    ),
    "request/invalid": Code(
        422,
        "Invalid request",
        "Ungültige Anfrage",
        "Correct the values listed in `errors`. Each entry has `in` (`body`, `query` or `header`), a JSON pointer "
        "and a `detail`. Unknown fields and query parameters are errors, too.",
    ),
    # ------------------------------------------------------------------------------------------- callers
    "auth/token_required": Code(
        401,
        "Token required",
        "Token erforderlich",
        "Send `Authorization: Bearer <token>`.",
    ),
    "auth/token_unknown": Code(
        401,
        "Unknown token",
        "Unbekanntes Token",
        "The token does not exist, no longer works, or belongs to another game.",
    ),
    "auth/read_only": Code(
        403,
        "Read-only token",
        "Token ohne Schreibrecht",
        "The token does not have the scope `play`. Use or create one that does.",
    ),
    "auth/wrong_seat": Code(
        403,
        "Not your seat",
        "Nicht dein Platz",
        "Only the token of a seat, or of its player, can decide for the seat. Host, watch and invite tokens cannot.",
    ),
    "auth/host_only": Code(
        403,
        "Host only",
        "Nur für den Gastgeber",
        "Use the game's `host` token. For a competition, use the token of the player who created it.",
    ),
    "auth/invite_required": Code(
        403,
        "Invitation required",
        "Einladung erforderlich",
        "Send the game's `invite` token to claim a seat of a private game, or the seat of an absent player.",
    ),
    "auth/player_required": Code(
        403,
        "Player token required",
        "Token eines Spielers erforderlich",
        "The token belongs to a game. Create a player with `POST /v1/players`, and send the player's token.",
    ),
    "auth/not_taking_part": Code(
        403,
        "Participants only",
        "Nur für Beteiligte",
        "Only the seats, the host and holders of the `watch` token can use the messages of a game.",
    ),
    "auth/admin_only": Code(
        403,
        "Operator only",
        "Nur für den Betreiber",
        "Use the token from the setting `ADMIN_TOKEN`.",
    ),
    "auth/ticket_unknown": Code(
        401,
        "Invalid ticket",
        "Ungültiges Ticket",
        "A ticket works once, within a minute, and for one game. Create a new one.",
    ),
    "auth/api_key_required": Code(
        401,
        "API key required",
        "API-Schlüssel erforderlich",
        "This service requires a key from its operator. Send it as `X-Api-Key`.",
    ),
    "auth/api_key_unknown": Code(
        401,
        "Unknown API key",
        "Unbekannter API-Schlüssel",
        "Ask the operator for a valid `X-Api-Key`. Where keys are optional, you can leave the header out.",
    ),
    "auth/not_owner": Code(
        403,
        "Only the creator can do this",
        "Das kann nur der Ersteller",
        "Send the token that started this task.",
    ),
    # ------------------------------------------------------------------------------------------- players
    "player/not_found": Code(
        404,
        "Player not found",
        "Spieler nicht gefunden",
        "No player has this id or handle. The player may have been deleted or have a new handle.",
    ),
    "player/handle_taken": Code(
        409,
        "Handle taken",
        "Name bereits vergeben",
        "Another player has this handle or a similar one: case, dashes and look-alike letters are ignored. Choose "
        "another one.",
    ),
    "player/handle_too_soon": Code(
        409,
        "Handle changed recently",
        "Name erst kürzlich geändert",
        "A handle can change once a week. Try again after `until`.",
    ),
    "player/blocked": Code(
        403,
        "A player has blocked you",
        "Ein Spieler hat dich blockiert",
        "You cannot join games of this player or write to them.",
    ),
    "player/banned": Code(
        403,
        "Player banned",
        "Spieler gesperrt",
        "All tokens of the player are revoked; no new token is issued. Contact the operator.",
    ),
    "player/yourself": Code(
        409,
        "Not possible with yourself",
        "Mit dir selbst nicht möglich",
        "Choose another player.",
    ),
    "bot/not_found": Code(
        404,
        "Bot not found",
        "Bot nicht gefunden",
        "The bot does not exist, is not published, cannot be called from this server, or is not yours.",
    ),
    "bot/no_program": Code(
        409,
        "Not a bot",
        "Kein Bot",
        "The player was not created with `bot`. Create a new player for your bot with `POST /v1/players`.",
    ),
    "bot/declines": Code(
        409,
        "The bot declines this game",
        "Der Bot lehnt dieses Spiel ab",
        "`errors` lists the settings that the bot does not accept. An empty pointer means that it does not play "
        "against your kind of player. `GET /v1/bots/{player}` returns its limits.",
    ),
    "bot/busy": Code(
        409,
        "Bot busy",
        "Bot beschäftigt",
        "The bot already plays its maximum number of games (`limit`). Try again later, or challenge another bot.",
    ),
    "challenge/not_found": Code(
        404,
        "Challenge not found",
        "Herausforderung nicht gefunden",
        "You have not sent or received a challenge with this id. Closed challenges are deleted after a day.",
    ),
    "challenge/answered": Code(
        409,
        "Challenge closed",
        "Herausforderung nicht mehr offen",
        "The challenge was accepted, declined or withdrawn, or has expired. `became` is its status.",
    ),
    "seek/not_found": Code(
        404,
        "Seek not found",
        "Suche nicht gefunden",
        "The seek has ended, has become a game, or belongs to another player.",
    ),
    # ----------------------------------------------------------------------------------------- competitions
    "competition/not_found": Code(
        404,
        "Competition not found",
        "Turnier nicht gefunden",
        "No competition has this id. Competitions are deleted 30 days after their end.",
    ),
    "competition/closed": Code(
        409,
        "Not possible at this stage",
        "In dieser Phase nicht möglich",
        "`became` is the status of the competition. Join a Swiss before it starts, and an arena until it ends. A "
        "finished competition cannot change.",
    ),
    "competition/full": Code(
        409,
        "Competition full",
        "Turnier voll",
        "All `limit` places are taken. Try again when somebody leaves.",
    ),
    "competition/not_for_you": Code(
        403,
        "Not open to you",
        "Nicht für dich offen",
        "`open_to` says whether people or bots can join.",
    ),
    "competition/invitation": Code(
        403,
        "Invitation required",
        "Einladung erforderlich",
        "Send the `invitation`. Its host can see it.",
    ),
    "competition/removed": Code(
        403,
        "Removed by the host",
        "Vom Gastgeber entfernt",
        "You cannot rejoin this competition.",
    ),
    "competition/not_entered": Code(
        409,
        "Player has not joined",
        "Spieler nimmt nicht teil",
        "Only players who have joined can be removed.",
    ),
    "competition/too_few": Code(
        409,
        "Not enough players",
        "Zu wenige Spieler",
        "A competition needs at least two players.",
    ),
    # ------------------------------------------------------------------------------------------- identities
    "identity/no_sign_in": Code(
        404,
        "Sign-in not found",
        "Anmeldung nicht gefunden",
        "The sign-in is complete, or more than ten minutes old. Start a new one.",
    ),
    "identity/refused": Code(
        422,
        "Identity not verified",
        "Identität nicht bestätigt",
        "`reason` says why the ID token or the code was rejected: `unreadable`, `signature`, `issuer`, `audience`,"
        " `expired`, `nonce` (from another sign-in), or `code` (rejected by the provider).",
    ),
    "identity/unavailable": Code(
        503,
        "Identity provider unavailable",
        "Anbieter nicht erreichbar",
        "Try again after `Retry-After` seconds. The sign-in remains valid.",
    ),
    "identity/taken": Code(
        409,
        "Identity linked to another player",
        "Identität mit einem anderen Spieler verknüpft",
        "Sign in with the identity to use that player.",
    ),
    "identity/linked": Code(
        409,
        "Provider already linked",
        "Anbieter bereits verknüpft",
        "A player can link one identity of each provider. Unlink the other one first.",
    ),
    "identity/unknown": Code(
        404,
        "Identity not linked",
        "Identität nicht verknüpft",
        "No player has linked this identity. Set `create` to get a new player.",
    ),
    "identity/busy": Code(
        409,
        "Identity is being linked",
        "Identität wird gerade verknüpft",
        "Another request is linking the same identity. Sign in again.",
    ),
    "identity/not_found": Code(
        404,
        "Identity not found",
        "Identität nicht gefunden",
        "You have not linked an identity of this provider.",
    ),
    "token/not_found": Code(
        404,
        "Token not found",
        "Token nicht gefunden",
        "You have no token with this id. It may have been deleted.",
    ),
    # ------------------------------------------------------------------------------------------- calls to the outside
    "outgoing/off": Code(
        403,
        "Outgoing calls disabled",
        "Ausgehende Aufrufe deaktiviert",
        "The operator has disabled webhooks, Web Push and HTTP bots (`OUTGOING`). A bot can take a seat of kind "
        "`player` and poll `GET /v1/me/turns` instead.",
    ),
    "webhook/not_found": Code(
        404,
        "Webhook not found",
        "Webhook nicht gefunden",
        "You have no webhook with this id. It may have been deleted.",
    ),
    "webhook/disabled": Code(
        409,
        "Webhook disabled",
        "Webhook deaktiviert",
        "`disabled_reason` of the webhook says why. Enable it again with `PATCH`.",
    ),
    "device/not_found": Code(
        404,
        "Device not found",
        "Gerät nicht gefunden",
        "You have no device with this id. It may have been deleted.",
    ),
    # ------------------------------------------------------------------------------------------- tasks
    "task/not_found": Code(
        404,
        "Task not found",
        "Aufgabe nicht gefunden",
        "No analysis, tournament or import has this id. It may have been cancelled or have expired.",
    ),
    # ------------------------------------------------------------------------------------------- rulesets
    "ruleset/not_found": Code(
        404,
        "Ruleset not found",
        "Regelwerk nicht gefunden",
        "`GET /v1/rulesets` lists the rulesets.",
    ),
    "ruleset/no_picture": Code(
        404,
        "No picture available",
        "Kein Bild verfügbar",
        "The ruleset of this game has no pictures.",
    ),
    # ------------------------------------------------------------------------------------------- games
    "game/not_found": Code(
        404,
        "Game not found",
        "Spiel nicht gefunden",
        "The game does not exist or has expired, or it is private and your token does not belong to it.",
    ),
    "game/help_forbidden": Code(
        403,
        "Analysis not allowed yet",
        "Analyse noch nicht erlaubt",
        'The game was created with `"help": false`. You can analyse it when it is over.',
    ),
    "game/nobody_decides": Code(
        409,
        "No decision at this position",
        "Hier steht keine Entscheidung an",
        "Analyse a position in which a seat decides. Draws, open games and finished games have no decision.",
    ),
    "game/revision_not_found": Code(
        404,
        "Revision not found",
        "Revision nicht gefunden",
        "Use a revision from 1 to `revision`, the current one.",
    ),
    "game/rebased": Code(
        410,
        "Revision no longer available",
        "Revision nicht mehr verfügbar",
        "Newer rules have rebased the game. Revisions before `since` are not available.",
    ),
    "game/not_started": Code(
        409,
        "Game not started",
        "Spiel noch nicht begonnen",
        "Wait until all seats are taken, or start the game as its host.",
    ),
    "game/already_started": Code(
        409,
        "Game already started",
        "Spiel bereits begonnen",
        "A game starts only once.",
    ),
    "game/over": Code(
        409,
        "Game over",
        "Spiel beendet",
        "A finished game cannot change.",
    ),
    "game/not_your_turn": Code(
        409,
        "Not your turn",
        "Du bist nicht am Zug",
        "`to_decide` is the seat that must decide, or null.",
    ),
    "game/illegal_action": Code(
        409,
        "Illegal action",
        "Aktion nicht erlaubt",
        "`reason` is a code of the ruleset, and `detail` explains it. `GET …/actions` lists the legal actions.",
    ),
    "game/stale_revision": Code(
        412,
        "The game has changed",
        "Das Spiel hat sich geändert",
        "The game is now at `revision`, and your request had no effect. Read the game at `href`, and decide again.",
    ),
    "game/revision_required": Code(
        428,
        "Revision required",
        "Revision erforderlich",
        'Send the revision that your decision is based on: `If-Match: "17"`, or `"revision": 17` in the body.',
    ),
    "game/revision_conflict": Code(
        400,
        "Conflicting revisions",
        "Widersprüchliche Revisionen",
        "`If-Match` and `revision` in the body differ. Send only one of them.",
    ),
    "game/full": Code(
        409,
        "No open seat",
        "Kein freier Platz",
        "All seats are taken, or the game has started.",
    ),
    "game/seat_taken": Code(
        409,
        "Seat taken",
        "Platz bereits vergeben",
        "Claim another seat, or leave `seat` out to get any open one.",
    ),
    "game/rated": Code(
        409,
        "Not possible in a rated game",
        "In gewerteten Spielen nicht möglich",
        "Rated games have no takebacks and no seat transfers. A pause needs the consent of another player.",
    ),
    "game/not_rated": Code(
        409,
        "Game not rated",
        "Spiel nicht gewertet",
        "The game was not created with `rated` and does not change ratings.",
    ),
    "game/not_mixed": Code(
        409,
        "People and bots are not rated together",
        "Menschen und Bots werden nicht gemeinsam gewertet",
        "In a rated game of people and bots, everyone must set `mixed`: to create, seek or challenge, and to "
        "claim, join or accept.",
    ),
    "game/already_seated": Code(
        409,
        "You already have a seat",
        "Du hast schon einen Platz",
        "A player can have only one seat of a rated game.",
    ),
    "game/too_late_to_abort": Code(
        409,
        "Too late to abort",
        "Zu spät zum Abbrechen",
        "Every player has made a decision. You can resign instead.",
    ),
    "game/resigned": Code(
        409,
        "Seat has resigned",
        "Platz hat aufgegeben",
        "An AI plays on for this seat.",
    ),
    "game/timed_out": Code(
        409,
        "Seat has lost on time",
        "Platz hat durch Zeit verloren",
        "An AI plays on for this seat.",
    ),
    "game/away": Code(
        409,
        "An AI plays for this seat",
        "Eine KI spielt für diesen Platz",
        "The seat ran out of time. Claim it with its own token or the `invite` token, and decide again.",
    ),
    "game/time_is_up": Code(
        409,
        "Time is up",
        "Zeit abgelaufen",
        "The `deadline` of the clock has passed. The timeout appears in the log shortly.",
    ),
    "game/paused": Code(
        409,
        "Game paused",
        "Spiel pausiert",
        "The game continues at `until`, or when the players agree to resume.",
    ),
    "game/not_paused": Code(
        409,
        "Game not paused",
        "Spiel nicht pausiert",
        "Only a paused game can be resumed.",
    ),
    "game/not_over": Code(
        409,
        "Game not over",
        "Spiel noch nicht beendet",
        "Rematches, animations and reviews require a finished game.",
    ),
    "game/not_reviewed": Code(
        404,
        "No review available",
        "Keine Spielanalyse verfügbar",
        "No review was requested, or it was cancelled or has expired. Start one with `POST …/analyses`.",
    ),
    "game/log_full": Code(
        409,
        "Game log full",
        "Spielprotokoll voll",
        "The log has reached `limit` events. Play on to the end; takebacks, offers and seat transfers are no "
        "longer possible.",
    ),
    # ------------------------------------------------------------------------------------------- offers
    "offer/not_found": Code(
        409,
        "Offer not found",
        "Angebot nicht gefunden",
        "The offer was answered or withdrawn, or the game has moved on. `offers` of the game lists the open ones.",
    ),
    "offer/not_asked": Code(
        409,
        "No answer expected from you",
        "Keine Antwort von dir erwartet",
        "`awaiting` of the offer lists the seats that must answer.",
    ),
    "offer/open": Code(
        409,
        "You already have an open offer",
        "Du hast schon ein offenes Angebot",
        "Decline your own offer to withdraw it.",
    ),
    "offer/declined": Code(
        409,
        "Offer declined",
        "Angebot abgelehnt",
        "You can make the same offer again when the game has moved on.",
    ),
    "offer/nothing_to_take_back": Code(
        409,
        "Nothing to take back",
        "Nichts zurückzunehmen",
        "Your seat has not made a decision yet.",
    ),
    "game/newer_ruleset": Code(
        503,
        "Service update in progress",
        "Dienst wird gerade aktualisiert",
        "The game uses newer rules than this process. Try again after `Retry-After` seconds.",
    ),
    # ------------------------------------------------------------------------------------------- records
    "record/illegal_event": Code(
        422,
        "Record cannot be replayed",
        "Aufzeichnung nicht abspielbar",
        "`event` is the number of the first illegal event, from 1, and `detail` says what is wrong with it.",
    ),
    "notation/unreadable": Code(
        422,
        "Invalid notation",
        "Ungültige Notation",
        "`line` and `column`, from 1, are the place of the error, `token` is the unexpected text, and `errors` "
        "lists what was expected. `field` is the JSON pointer of the value. The notation reference has the "
        "grammars.",
    ),
    # ------------------------------------------------------------------------------------------- idempotency
    "idempotency/bad_key": Code(
        400,
        "Invalid Idempotency-Key",
        "Ungültiger Idempotency-Key",
        "Use 1 to 255 visible ASCII characters. Operations that work without a token need at least 22, such as a "
        "UUID, because nobody may guess the key.",
    ),
    "idempotency/mismatch": Code(
        422,
        "Idempotency-Key already used",
        "Idempotency-Key bereits verwendet",
        "Repeat a request with the same body, and use a new key for a new request.",
    ),
    # ------------------------------------------------------------------------------------------- limits
    "limit/requests": Code(
        429,
        "Too many requests",
        "Zu viele Anfragen",
        "The budget named in `budget` is used up, and the request had no effect. Try again after `Retry-After` "
        "seconds. Other budgets are not affected.",
    ),
    "limit/streams": Code(
        429,
        "Too many open streams",
        "Zu viele offene Streams",
        "Close a stream before you open another one.",
    ),
    "limit/open_games": Code(
        429,
        "Too many unfinished games",
        "Zu viele unfertige Spiele",
        "Finish or abort games that you created before you create another one.",
    ),
    "limit/background": Code(
        429,
        "Too many background tasks",
        "Zu viele Hintergrundaufgaben",
        "Your pending analyses, tournaments and imports would take more than about `limit` seconds. Request less, "
        "cancel some, or try again after `Retry-After` seconds.",
    ),
    "limit/challenges": Code(
        409,
        "Too many challenges",
        "Zu viele Herausforderungen",
        "A player can have 10 open challenges sent and 50 received. `limit` is the number reached.",
    ),
    "limit/seeks": Code(
        409,
        "Too many seeks",
        "Zu viele Suchen",
        "A player can have 3 open seeks, and the lobby 2,000. `limit` is the number reached. Withdraw a "
        "seek, or try again later.",
    ),
    "limit/competitions": Code(
        409,
        "Too many competitions",
        "Zu viele Turniere",
        "A player can host 3 unfinished competitions and take part in 10, and can create 500 and join 500 within "
        "120 days. All players together can have 200. `limit` is the number reached.",
    ),
    "limit/blocked": Code(
        409,
        "Too many blocked players",
        "Zu viele blockierte Spieler",
        "You can block `limit` players. Unblock one first.",
    ),
    "limit/tokens": Code(
        409,
        "Too many tokens",
        "Zu viele Token",
        "You can have `limit` tokens. Delete one first.",
    ),
    "limit/devices": Code(
        409,
        "Too many devices",
        "Zu viele Geräte",
        "You can have `limit` devices. Delete one first.",
    ),
    "limit/bots": Code(
        409,
        "Too many bots",
        "Zu viele Bots",
        "The directory has room for 500 bots, and an owner can have 10. `limit` is the number reached.",
    ),
    "limit/webhooks": Code(
        409,
        "Too many webhooks",
        "Zu viele Webhooks",
        "You can have `limit` webhooks. Delete one first, or change its URL.",
    ),
    # ------------------------------------------------------------------------------------------- service
    "service/unavailable": Code(
        503,
        "Service temporarily unavailable",
        "Dienst vorübergehend nicht verfügbar",
        "Try again after `Retry-After` seconds, with the same `Idempotency-Key`. `outage` is the cause. During "
        "some outages reading still works; `archive` affects only old games.",
    ),
    "service/damaged": Code(
        503,
        "Stored data is damaged",
        "Gespeicherte Daten sind beschädigt",
        "Stored data cannot be used, and nothing was written. Report the `request_id` to the operator.",
    ),
    "service/compiling": Code(
        503,
        "Service is starting",
        "Dienst startet gerade",
        "The rules are still being compiled, and this position has too many actions to list. Try again after "
        "`Retry-After` seconds. Other requests work.",
    ),
    "service/not_ready": Code(
        503,
        "Service not ready",
        "Dienst nicht bereit",
        "`checks` shows the cause: the store, a worker, a keeper, a dialer, or jobs that wait too long.",
    ),
    "service/internal": Code(
        500,
        "Internal error",
        "Interner Fehler",
        "Report the `request_id` to the operator.",
    ),
}
