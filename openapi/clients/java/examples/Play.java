import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ActionsApi;
import org.openapitools.client.api.GamesApi;
import org.openapitools.client.api.RulesetsApi;
import org.openapitools.client.model.ActRequest;
import org.openapitools.client.model.CreateGameRequest;
import org.openapitools.client.model.CreatedGame;
import org.openapitools.client.model.Game;
import org.openapitools.client.model.LegalAction;
import org.openapitools.client.model.LegalActions;
import org.openapitools.client.model.NewSeatRequest;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.RulesetSummary;
import org.openapitools.client.model.StreamItem;

/**
 * Play a game against an AI: {@code Play http://127.0.0.1:8000 queens-garden --level=greedy}.
 *
 * <p>All requests and types are generated. This program reads the stream and resumes it after the last item when the
 * connection breaks. With {@code --game=ID --token=TOKEN} it plays a seat of an existing game.
 */
public final class Play {
  private static final List<Integer> AGAIN = List.of(0, 429, 503); // 0: no answer
  private static final List<Integer> NOT_NOW = List.of(409, 412);
  private static final List<String> OVER = List.of("finished", "aborted");

  private final String url;
  private final int seat;
  private final ApiClient client = new ApiClient();
  private final ObjectMapper mapper = client.getObjectMapper();
  private final ActionsApi actions;
  private final Random random = new Random();
  private String token;

  private Play(String url, int seat, String token) {
    this.url = url;
    this.seat = seat;
    this.token = token;
    client.updateBaseUri(url);
    client.setRequestInterceptor(this::authorize);
    actions = new ActionsApi(client);
  }

  private void authorize(HttpRequest.Builder request) {
    if (token != null) {
      request.setHeader("Authorization", "Bearer " + token);
    }
  }

  /** A request that may be sent again, with the same key. */
  private interface Request<T> {
    T send(String key) throws ApiException;
  }

  /** Return the response. Retry if the connection breaks or the service is busy. */
  private static <T> T answered(Request<T> request) throws ApiException, InterruptedException {
    String key = UUID.randomUUID().toString();
    for (int attempt = 0; ; attempt++) {
      try {
        return request.send(key);
      } catch (ApiException refused) {
        if (!AGAIN.contains(refused.getCode()) || attempt > 20) {
          throw refused;
        }
        Thread.sleep(pauseMs(refused));
      }
    }
  }

  private static long pauseMs(ApiException refused) {
    return refused.getResponseHeaders() == null
        ? 200
        : refused.getResponseHeaders().firstValue("Retry-After").map(text -> 1000 * Long.parseLong(text)).orElse(200L);
  }

  /** Create a game of seat 0 against an AI. Return its id. */
  private String create(String ruleset, String level) throws ApiException, InterruptedException {
    RulesetsApi rulesets = new RulesetsApi(client);
    RulesetSummary known =
        answered(key -> rulesets.listRulesets(null)).getRulesets().stream()
            .filter(found -> found.getId().equals(ruleset))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(ruleset + " cannot be played there"));
    CreateGameRequest wanted =
        new CreateGameRequest()
            .ruleset(CreateGameRequest.RulesetEnum.fromValue(ruleset))
            .variant(known.getVariants().get(0))
            .addSeatsItem(new NewSeatRequest().kind(NewSeatRequest.KindEnum.PLAYER).name("Tess"))
            .addSeatsItem(
                new NewSeatRequest()
                    .kind(NewSeatRequest.KindEnum.AI)
                    .level(NewSeatRequest.LevelEnum.fromValue(level)));
    CreatedGame made = answered(key -> new GamesApi(client).createGame(wanted, key));
    token = made.getTokens().getSeats().get("0");
    return made.getGame().getId();
  }

  /** Follow the stream and decide on every turn of the seat, until the game is over. */
  private void play(String id) throws ApiException, IOException, InterruptedException {
    Long after = null;
    long awaited = 0;
    while (true) {
      try (Stream<String> lines = stream(id, after)) {
        if (lines == null) {
          return; // the game is over
        }
        for (Iterator<String> each = lines.filter(line -> !line.isBlank()).iterator(); each.hasNext(); ) {
          StreamItem item = mapper.readValue(each.next(), StreamItem.class);
          after = item.getRevision();
          print(item);
          Game game = item.getGame();
          if (game != null && OVER.contains(game.getStatus())) {
            return;
          }
          if (game != null && Integer.valueOf(seat).equals(game.getToDecide()) && after >= awaited) {
            awaited = decide(id, game);
          }
        }
      } catch (JsonProcessingException unread) {
        throw unread;
      } catch (IOException | UncheckedIOException lost) {
        System.out.println("connection: lost");
      }
      Thread.sleep(100);
    }
  }

  /** Return the lines of one connection after this revision, or null if the game is over. */
  private Stream<String> stream(String id, Long after) throws ApiException, IOException, InterruptedException {
    URI uri = URI.create(url + "/v1/games/" + id + "/events" + (after == null ? "" : "?after=" + after));
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).setHeader("Accept", "application/x-ndjson");
    authorize(request);
    HttpResponse<Stream<String>> answer =
        HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofLines());
    if (answer.statusCode() == 204) {
      return null;
    }
    if (AGAIN.contains(answer.statusCode())) {
      throw new IOException("too many requests");
    }
    if (answer.statusCode() != 200) {
      throw new ApiException(answer.statusCode(), answer.body().collect(Collectors.joining()));
    }
    return answer.body();
  }

  /** Print an item of the stream. Only some kinds have a text and an action. */
  private static void print(StreamItem item) {
    System.out.println(item.getRevision() + " " + item.getKind() + ": " + Objects.toString(item.getText(), ""));
    if (item.getAction() != null) {
      System.out.println("  " + item.getAction().getType());
    }
    if (item.getGame() != null && item.getGame().getOutcome() != null) {
      item.getGame().getOutcome().getSeats()
          .forEach(one -> System.out.println("rank " + one.getRank() + ": " + one.getScore()));
    }
  }

  /** Make a random decision. Return the revision to wait for. */
  private long decide(String id, Game game) throws ApiException, IOException, InterruptedException {
    try {
      LegalActions list = answered(key -> legal(id));
      if (list.getSeat() == null || list.getSeat() != seat || list.getActions().isEmpty()) {
        return list.getRevision();
      }
      LegalAction chosen = list.getActions().get(random.nextInt(list.getActions().size()));
      ActRequest wanted = new ActRequest().id(chosen.getId());
      String revision = "\"" + list.getRevision() + "\"";
      return answered(key -> actions.submitAction(id, wanted, revision, key, null)).getGame().getRevision();
    } catch (ApiException refused) {
      if (!NOT_NOW.contains(refused.getCode())) {
        throw refused;
      }
      Problem problem = mapper.readValue(refused.getResponseBody(), Problem.class);
      System.out.println("refused: " + problem.getCode());
      return problem.getRevision() == null ? game.getRevision() + 1 : problem.getRevision();
    }
  }

  /** Return the legal actions, without filters. */
  private LegalActions legal(String id) throws ApiException {
    return actions.listLegalActions(
        id, null, null, null, null, null, null, null, null,
        null, null, null, null, null, null, null, null);
  }

  /** {@code Play [URL [RULESET]] [--level=…] [--game=… --token=… [--seat=…]]}. */
  public static void main(String[] arguments) throws Exception {
    Map<String, String> given = new HashMap<>(Map.of("level", "greedy", "seat", "0"));
    List<String> places = Arrays.stream(arguments).filter(one -> !one.startsWith("--")).collect(Collectors.toList());
    for (String one : arguments) {
      if (one.startsWith("--")) {
        String[] pair = one.substring(2).split("=", 2);
        given.put(pair[0], pair[1]);
      }
    }
    String url = places.isEmpty() ? "http://127.0.0.1:8000" : places.get(0);
    Play play = new Play(url, Integer.parseInt(given.get("seat")), given.get("token"));
    String ruleset = places.size() > 1 ? places.get(1) : "azul";
    String id = given.containsKey("game") ? given.get("game") : play.create(ruleset, given.get("level"));
    System.out.println("game " + id);
    play.play(id);
  }
}
