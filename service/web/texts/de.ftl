# Problemdokumente: der Titel zu jedem Code.

request-malformed = Fehlerhafte Anfrage
request-bad-etag = Ungültiges If-Match
request-not-found = Nicht gefunden
request-method-not-allowed = Methode nicht erlaubt
request-not-acceptable = Format nicht verfügbar
request-timeout = Zeitüberschreitung der Anfrage
request-too-large = Anfrage zu groß
request-unsupported-media-type = Inhaltstyp nicht unterstützt
request-unsupported-encoding = Inhaltskodierung nicht unterstützt
request-invalid = Ungültige Anfrage

auth-token-required = Token erforderlich
auth-token-unknown = Unbekanntes Token
auth-read-only = Token ohne Schreibrecht
auth-wrong-seat = Nicht dein Platz
auth-host-only = Nur für den Gastgeber
auth-invite-required = Einladung erforderlich
auth-player-required = Token eines Spielers erforderlich
auth-not-taking-part = Nur für Beteiligte
auth-banned = Du bist gesperrt
auth-staff-only = Nur für das Team
auth-admin-only = Nur für Admins
auth-ticket-unknown = Ungültiges Ticket
auth-api-key-required = API-Schlüssel erforderlich
auth-api-key-unknown = Unbekannter API-Schlüssel
auth-not-owner = Das kann nur der Ersteller

player-not-found = Spieler nicht gefunden
player-handle-taken = Name bereits vergeben
player-handle-too-soon = Name erst kürzlich geändert
player-blocked = Einer von euch hat den anderen blockiert
player-banned = Spieler gesperrt
player-muted = Du kannst gerade nicht schreiben
player-yourself = Mit dir selbst nicht möglich
bot-not-found = Bot nicht gefunden
bot-no-program = Kein Bot
bot-no-endpoint = Bot ohne Endpunkt
bot-declines = Der Bot lehnt dieses Spiel ab
bot-busy = Bot beschäftigt
challenge-not-found = Herausforderung nicht gefunden
challenge-answered = Herausforderung nicht mehr offen
seek-not-found = Suche nicht gefunden

staff-not-found = Teammitglied nicht gefunden
report-not-found = Meldung nicht gefunden
message-not-found = Nachricht nicht gefunden
staff-last-admin = Letzter Admin
process-not-found = Prozess nicht gefunden

competition-not-found = Turnier nicht gefunden
competition-closed = In dieser Phase nicht möglich
competition-full = Turnier voll
competition-not-for-you = Nicht für dich offen
competition-invitation = Einladung erforderlich
competition-removed = Vom Gastgeber entfernt
competition-not-entered = Spieler nimmt nicht teil
competition-own-game = Dein eigenes Spiel
competition-too-few = Zu wenige Spieler

identity-no-sign-in = Anmeldung nicht gefunden
identity-wrong-secret = Falsches Geheimnis der Anmeldung
identity-refused = Identität nicht bestätigt
identity-unavailable = Anbieter nicht erreichbar
identity-taken = Identität mit einem anderen Spieler verknüpft
identity-linked = Anbieter bereits verknüpft
identity-unknown = Identität nicht verknüpft
identity-busy = Identität wird gerade verknüpft
identity-not-found = Identität nicht gefunden
token-not-found = Token nicht gefunden

outgoing-off = Ausgehende Aufrufe deaktiviert
webhook-not-found = Webhook nicht gefunden
webhook-disabled = Webhook deaktiviert
delivery-not-found = Zustellung nicht gefunden
delivery-waiting = Zustellung steht noch aus
device-not-found = Gerät nicht gefunden

task-not-found = Aufgabe nicht gefunden

ruleset-not-found = Regelwerk nicht gefunden
ruleset-no-picture = Kein Bild verfügbar

puzzle-not-found = Rätsel nicht gefunden

game-not-found = Spiel nicht gefunden
game-help-forbidden = Analyse noch nicht erlaubt
game-nobody-decides = Hier steht keine Entscheidung an
game-revision-not-found = Revision nicht gefunden
game-rebased = Revision nicht mehr verfügbar
game-not-started = Spiel noch nicht begonnen
game-already-started = Spiel bereits begonnen
game-over = Spiel beendet
game-not-your-turn = Du bist nicht am Zug
game-illegal-action = Aktion nicht erlaubt
game-stale-revision = Das Spiel hat sich geändert
game-revision-required = Revision erforderlich
game-revision-conflict = Widersprüchliche Revisionen
game-full = Kein freier Platz
game-seat-taken = Platz bereits vergeben
game-not-ready = Ein Spieler ist nicht bereit
game-in-competition = In Turnierspielen nicht möglich
game-rated = In gewerteten Spielen nicht möglich
game-not-rated = Spiel nicht gewertet
game-not-mixed = Menschen und Bots werden nicht gemeinsam gewertet
game-already-seated = Du hast schon einen Platz
game-too-late-to-abort = Zu spät zum Abbrechen
game-resigned = Platz hat aufgegeben
game-timed-out = Platz hat durch Zeit verloren
game-away = Eine KI spielt für diesen Platz
game-time-is-up = Zeit abgelaufen
game-paused = Spiel pausiert
game-not-paused = Spiel nicht pausiert
game-not-over = Spiel noch nicht beendet
game-not-reviewed = Keine Spielanalyse verfügbar
game-log-full = Spielprotokoll voll

offer-not-found = Angebot nicht gefunden
offer-not-asked = Keine Antwort von dir erwartet
offer-open = Du hast schon ein offenes Angebot
offer-declined = Angebot abgelehnt
offer-nothing-to-take-back = Nichts zurückzunehmen

record-illegal-event = Aufzeichnung nicht abspielbar
notation-unreadable = Ungültige Notation

idempotency-bad-key = Ungültiger Idempotency-Key
idempotency-mismatch = Idempotency-Key bereits verwendet
idempotency-running = Die erste Anfrage mit diesem Idempotency-Key läuft noch

limit-requests = Zu viele Anfragen
limit-streams = Zu viele offene Streams
limit-open-games = Zu viele unfertige Spiele
limit-aborted-games = Zu viele abgebrochene Spiele
limit-background = Zu viele Hintergrundaufgaben
limit-challenges = Zu viele Herausforderungen
limit-seeks = Zu viele Suchen
limit-competitions = Zu viele Turniere
limit-excluded = Von gewerteten Partien ausgeschlossen
limit-reports = Zu viele Meldungen
limit-blocked = Zu viele blockierte Spieler
limit-following = Du folgst zu vielen Spielern
limit-tokens = Zu viele Token
limit-devices = Zu viele Geräte
limit-bots = Zu viele Bots
limit-attempts = Zu viele Zustellversuche
limit-webhooks = Zu viele Webhooks

service-unavailable = Dienst vorübergehend nicht verfügbar
service-damaged = Gespeicherte Daten sind beschädigt
service-newer-version = Dienst wird gerade aktualisiert
service-compiling = Dienst startet gerade
service-maintenance = Wartung
service-not-ready = Dienst nicht bereit
service-internal = Interner Fehler
