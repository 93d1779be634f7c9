/**
 * Play a game against an AI: `Play http://127.0.0.1:8000 queens-garden --level=greedy`.
 *
 * All types are generated. This program has its own transport on java.net.http instead of the generated one on OkHttp.
 * It reads the stream and resumes it after the last item when the connection breaks. With `--game=ID --token=TOKEN` it
 * plays a seat of an existing game.
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

/** Does not send absent fields as null. */
val json = Json(from = Serializer.kotlinxSerializationJson) { explicitNulls = false }
val overs = setOf("finished", "aborted")

/** The service refused a request. */
class Refused(val status: Int, val problem: Problem) : Exception(problem.code)

/** Sends requests. Retries with the same key if the connection breaks or the service is busy. */
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

    /** Return the lines of one connection, or null if the game is over. */
    fun lines(path: String): Sequence<String>? {
        val answer = http.send(request(path, mapOf("Accept" to "application/x-ndjson")).build(), BodyHandlers.ofLines())
        return when (answer.statusCode()) {
            200 -> answer.body().asSequence().filter(String::isNotBlank)
            204 -> null
            429, 503 -> throw IOException("too many requests")
            else -> throw refused(answer.statusCode(), answer.body().asSequence().joinToString(""))
        }
    }

    private fun refused(status: Int, body: String) = Refused(status, json.decodeFromString<Problem>(body))
}

/** Print an item of the stream. Only some kinds have a text and an action. */
fun print(item: StreamItem) {
    val action = item.action?.let { " (${it.type})" } ?: ""
    println("${item.revision} ${item.kind}: ${item.text ?: ""}$action")
    item.game?.outcome?.seats?.forEach { println("rank ${it.rank}: ${it.score}") }
}

class Play(private val transport: Transport, private val seat: Int) {
    /** Create a game of seat 0 against an AI. Return its id. */
    fun create(ruleset: String, level: String): String {
        val known = json.decodeFromString<RulesetList>(transport.get("/v1/rulesets")).rulesets.find { it.id == ruleset }
        val seats = listOf(
            NewSeatRequest(kind = NewSeatRequest.Kind.player, name = "Tess"),
            NewSeatRequest(kind = NewSeatRequest.Kind.ai, level = NewSeatRequest.Level.entries.first { it.value == level }),
        )
        val wanted = CreateGameRequest(
            ruleset = CreateGameRequest.Ruleset.entries.first { it.value == ruleset },
            seats = seats,
            variant = requireNotNull(known) { "$ruleset cannot be played there" }.variants.first(),
        )
        val body = json.encodeToString(CreateGameRequest.serializer(), wanted)
        val made = json.decodeFromString<CreatedGame>(transport.post("/v1/games", body))
        transport.token = made.tokens.seats["0"]
        return made.game.id
    }

    /** Follow the stream and decide on every turn of the seat, until the game is over. */
    fun play(id: String) {
        var after: Long? = null
        var awaited = 0L
        while (true) {
            try {
                val query = if (after == null) "" else "?after=$after"
                val lines = transport.lines("/v1/games/$id/events$query") ?: return
                for (line in lines) {
                    val item = json.decodeFromString<StreamItem>(line)
                    after = item.revision
                    print(item)
                    val game = item.game ?: continue
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

    /** Make a random decision. Return the revision to wait for. */
    private fun decide(id: String, game: Game): Long = try {
        val legal = json.decodeFromString<LegalActions>(transport.get("/v1/games/$id/actions"))
        val actions = legal.actions
        if (legal.seat == seat && actions.isNotEmpty()) act(id, legal.revision, actions.random()) else legal.revision
    } catch (refused: Refused) {
        if (refused.status !in setOf(409, 412)) throw refused
        println("refused: ${refused.problem.code}")
        refused.problem.revision ?: (game.revision + 1)
    }

    private fun act(id: String, revision: Long, action: LegalAction): Long {
        val body = json.encodeToString(ActRequest.serializer(), ActRequest(id = action.id))
        val answer = transport.post("/v1/games/$id/actions", body, mapOf("If-Match" to "\"$revision\""))
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
