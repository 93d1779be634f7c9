/**
 * A whole game against an AI: `Play http://127.0.0.1:8000 queens-garden --level=greedy`.
 *
 * All types are generated. Written here are a small transport on java.net.http, in place of the generated one on
 * Retrofit, and what a document cannot say: how the stream is read, and that it is taken up after the last item seen
 * when the connection breaks. With `--game=ID --token=TOKEN` it takes a seat of a game that exists.
 */
import java.io.IOException
import java.io.UncheckedIOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import java.util.UUID
import kotlin.streams.asSequence
import kotlin.system.exitProcess
import kotlinx.serialization.json.Json
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.*

/** What is absent must not be sent as null. */
val json = Json(from = Serializer.kotlinxSerializationJson) { explicitNulls = false }
val overs = setOf(GameStatus.finished, GameStatus.aborted)

/** An answer that refuses. */
class Refused(val status: Int, val problem: Problem) : Exception(problem.code)

/** Requests to a service; they are sent again, with the same key, where the connection breaks or it is too much. */
class Transport(private val url: String, var token: String?) {
    private val http: HttpClient = HttpClient.newHttpClient()

    private fun request(path: String, headers: Map<String, String> = emptyMap()): HttpRequest.Builder {
        val made = HttpRequest.newBuilder(URI.create(url + path))
        token?.let { made.header("Authorization", "Bearer $it") }
        headers.forEach(made::header)
        return made
    }

    fun get(path: String): String = answered(request(path).build())

    fun post(path: String, body: String, headers: Map<String, String> = emptyMap()): String {
        val made = request(path, headers + mapOf("Idempotency-Key" to UUID.randomUUID().toString()))
        return answered(made.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)).build())
    }

    private fun answered(request: HttpRequest): String {
        repeat(20) {
            try {
                val answer = http.send(request, BodyHandlers.ofString())
                if (answer.statusCode() < 300) return answer.body()
                if (answer.statusCode() !in setOf(429, 503)) throw refused(answer.statusCode(), answer.body())
                Thread.sleep(1000 * answer.headers().firstValue("Retry-After").orElse("1").toLong())
            } catch (_: IOException) {
                Thread.sleep(200)
            }
        }
        throw IOException("no answer")
    }

    /** The lines of one connection; null where there is nothing more to come. */
    fun lines(path: String): Sequence<String>? {
        val answer = http.send(request(path, mapOf("Accept" to "application/x-ndjson")).build(), BodyHandlers.ofLines())
        return when (answer.statusCode()) {
            200 -> answer.body().asSequence().filter(String::isNotBlank)
            204 -> null
            429, 503 -> throw IOException("asked too often")
            else -> throw refused(answer.statusCode(), answer.body().asSequence().joinToString(""))
        }
    }

    private fun refused(status: Int, body: String) = Refused(status, json.decodeFromString<Problem>(body))
}

/** What an item of the stream says: its revision and kind, its sentence, and the view that it left. */
data class Told(val revision: Long, val kind: String, val text: String, val game: Game?)

/** A new kind of item, and this does not compile. */
fun told(item: StreamItem): Told = when (item) {
    is StreamItem.SnapshotWrapper -> item.value.run { Told(revision, kind.value, "", game) }
    is StreamItem.AbortWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.ActionWrapper -> item.value.run { Told(revision, kind.value, "$text (${name(action)})", game) }
    is StreamItem.AnswerWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.CallFailedWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.CreatedWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.DrawWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.HandOverWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.ImportedWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.JoinWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.OfferWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.PauseWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.RematchWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.ResignationWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.ResumeWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.StartWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.TakebackWrapper -> item.value.run { Told(revision, kind.value, text, game) }
    is StreamItem.TimeoutWrapper -> item.value.run { Told(revision, kind.value, text, game) }
}

fun name(action: Action): String = action.javaClass.simpleName.removeSuffix("Wrapper")

class Play(private val transport: Transport, private val seat: Int) {
    /** A game in which seat 0 is ours and an AI has the other; its id. */
    fun create(ruleset: String, level: String): String {
        val known = json.decodeFromString<RulesetList>(transport.get("/v1/rulesets")).rulesets.find { it.id == ruleset }
        val seats = listOf(
            NewSeatRequest(kind = SeatKind.player, name = "Tess"),
            NewSeatRequest(kind = SeatKind.ai, level = LevelId.entries.first { it.value == level }),
        )
        val wanted = CreateGameRequest(
            ruleset = RulesetId.entries.first { it.value == ruleset },
            seats = seats,
            variant = requireNotNull(known) { "$ruleset cannot be played there" }.variants.first(),
        )
        val body = json.encodeToString(CreateGameRequest.serializer(), wanted)
        val made = json.decodeFromString<CreatedGame>(transport.post("/v1/games", body))
        transport.token = made.tokens.seats["0"]
        return made.game.id
    }

    /** Follow the stream and decide whenever it is our turn, until the game is over. */
    fun play(id: String) {
        var after: Long? = null
        var awaited = 0L
        while (true) {
            try {
                val query = if (after == null) "" else "?after=$after"
                val lines = transport.lines("/v1/games/$id/events$query") ?: return
                for (line in lines) {
                    val item = told(json.decodeFromString<StreamItem>(line))
                    after = item.revision
                    println("${item.revision} ${item.kind}: ${item.text}")
                    val game = item.game ?: continue
                    game.outcome?.let { outcome -> outcome.seats.forEach { println("rank ${it.rank}: ${it.score}") } }
                    if (game.status in overs) return
                    if (game.toDecide == seat && item.revision >= awaited) awaited = decide(id, game)
                }
            } catch (_: IOException) {
                println("connection: lost")
            } catch (_: UncheckedIOException) {
                println("connection: lost")
            }
            Thread.sleep(100)
        }
    }

    /** Decide once, by chance. Returns the revision that the game then has, or may have. */
    private fun decide(id: String, game: Game): Long = try {
        when (val legal = json.decodeFromString<Legal>(transport.get("/v1/games/$id/actions"))) {
            is Legal.ChoicesWrapper -> legal.value.revision
            is Legal.ListWrapper -> legal.value.run { if (seat == this@Play.seat) act(id, this) else revision }
        }
    } catch (refused: Refused) {
        if (refused.status !in setOf(409, 412)) throw refused
        println("refused: ${refused.problem.code}")
        refused.problem.revision ?: (game.revision + 1)
    }

    private fun act(id: String, legal: LegalActions): Long {
        val body = json.encodeToString(ActRequest.serializer(), ActRequest(id = legal.actions.random().id))
        val answer = transport.post("/v1/games/$id/actions", body, mapOf("If-Match" to "\"${legal.revision}\""))
        return json.decodeFromString<Decided>(answer).game.revision
    }
}

/** `Play [URL [RULESET]] [--level=…] [--game=… --token=… [--seat=…]]`. */
fun main(arguments: Array<String>) {
    val (options, places) = arguments.partition { it.startsWith("--") }
    val given = options.associate { it.removePrefix("--").substringBefore("=") to it.substringAfter("=") }
    val transport = Transport(places.getOrElse(0) { "http://127.0.0.1:8000" }, given["token"])
    val play = Play(transport, given["seat"]?.toInt() ?: 0)
    val id = given["game"] ?: play.create(places.getOrElse(1) { "azul" }, given["level"] ?: "greedy")
    println("game $id")
    play.play(id)
    exitProcess(0) // java.net.http keeps threads
}
