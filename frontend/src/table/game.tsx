/** The page of a game: the picture of the table in the middle, what is to be chosen below it, people and words beside. */
import { ProblemError, unwrap } from "azul-games-client";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { useCoach } from "../coach/coach";
import { type Game, useLiveGame } from "../game/live";
import { type SeatClaiming, useLocalSeats, useReadingToken, useStreamToken } from "../game/local_seats";
import { isActive, nameOf, type PlayingProps, winnersOf } from "../game/players";
import type { MoveArrow } from "../game/stage/drawings";
import { Stage, type View } from "../game/stage/stage";
import { useTurn } from "../game/turn";
import { Header } from "../parts/header";
import { NameField, ownName } from "../parts/name_field";
import { RulesLink } from "../parts/rules";
import { Replay, stepsOf } from "../review/replay";
import { Judged, judgedAt, useReview, waysOf } from "../review/review";
import type { Option, Step } from "../rulesets/base/steps";
import { rulesetUi, variantName, rulesetTexts } from "../rulesets/registry";
import { withTimeout } from "../shared/requests";
import { bearerHeader } from "../shared/client";
import { errorText, usePageContext, useClient } from "../shared/context";
import { useIsNarrow } from "../shared/device";
import { storeTokens, storedGame, viewerId } from "../shared/store";
import { yieldToBrowser } from "../shared/tasks";
import { useAttention } from "./attention";
import { Choosing } from "./move_bar";
import { Share } from "./panels";
import { useManner } from "./preferences";
import { ToSheet } from "./scores/sheet";
import { Beside, type Followed } from "./side_panel";
import { Closer } from "./zoom_buttons";

const ROUNDNESS = 0.5;

/** The ruleset draws none: moves are chosen by their texts. */
const NO_PICTURE = "ruleset/no_picture";

/** So long does all that the picture would push down wait for it, if it does not come. */
const LATE_MS = 3000;

export function GamePage({ id }: { id: string }) {
  const { words, settings, toast } = usePageContext();
  const { token, tryNextToken } = useReadingToken(id);
  const client = useClient(token);
  const shown = useStreamToken(id, token);
  const as = { client: useClient(shown.token), reader: shown.reader, hidden: settings.unseen, viewer: viewerId() };
  const live = useLiveGame(client, id, as);
  const { game, events, state, refused } = live;
  const { seats, ...isClaiming } = useLocalSeats(client, id, live);
  const [wanted, look] = useState<number | null>(null);
  const [whole, complete] = useState(false);
  const [seen, see] = useReducer((before: number, shown: number) => Math.max(before, shown), 0);
  useAttention(live, seats, seen);
  const reviewing = useReview(client, id, (game?.outcome ?? null) !== null);
  const steps = useMemo(() => stepsOf(events, game?.position !== null), [events, game?.position === null]);
  useEffect(() => {
    if (game) storeTokens(game, {});
  }, [game?.ruleset]);
  useEffect(() => {
    const timer = setTimeout(complete, LATE_MS, true);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => complete(whole || seen > 0), [seen]); // once the picture is painted
  useEffect(() => {
    if (refused && !shown.dropToken()) tryNextToken();
  }, [refused]);
  const { taken } = storedGame(id);
  if (refused && shown.token === null) return <Notice text={taken ? words.taken : words.notFound} />;
  if (!game || refused) return <Notice text={state === "lost" ? words.reconnecting : words.loading} />;
  const context = {
    client,
    game,
    seats,
    ...isClaiming,
    reportErrors: (ask: Promise<unknown>) => ask.catch((error: unknown) => toast(errorText(error, words))),
  };
  const followed = { events, wanted, look, steps, reviewing };
  return (
    <>
      <Header>
        <h1>
          {rulesetTexts(game.ruleset, words).name}{" "}
          <small>
            {variantName(game.ruleset, game.variant, words)}
            {game.rated && ` · ${words.people.rated}`}
          </small>
        </h1>
        <RulesLink ruleset={game.ruleset} sign />
      </Header>
      {state === "lost" && navigator.onLine && (
        <p class="banner" role="status">
          {words.reconnecting}
        </p>
      )}
      {taken && seats.length === 0 && game.status === "playing" && (
        <p class="banner" role="status">
          {words.taken} {words.watching}
        </p>
      )}
      <main class="play">
        {game.status === "open" ? (
          <Lobby {...context} />
        ) : (
          <Table {...context} {...followed} seats={seats.filter((seat) => isActive(game, seat))} see={see} />
        )}
        {(whole || game.status === "open") && <Beside {...context} {...followed} seen={seen} />}
      </main>
    </>
  );
}

/** A page that has one thing to say. */
function Notice({ text }: { text: string }) {
  return (
    <>
      <Header />
      <main class="create">
        <p class="card">{text}</p>
      </main>
    </>
  );
}

/** Before the start: who is there, a seat to take, a game to begin. */
function Lobby({ client, game, seats, claim, isClaiming, reportErrors }: PlayingProps & SeatClaiming) {
  const { words, settings, me } = usePageContext();
  const { host, invite } = storedGame(game.id);
  const start = async () =>
    unwrap(
      await client.POST("/v1/games/{game_id}/start", {
        params: { path: { game_id: game.id } },
        headers: bearerHeader(host),
        body: { revision: game.revision },
      }),
    );
  return (
    <section class="lobby card">
      <h2>{words.waiting}</h2>
      {seats.length === 0 && (
        <>
          <NameField />
          <button
            class="primary"
            disabled={isClaiming}
            onClick={() => reportErrors(claim({ name: ownName(settings, me) || null, token: invite ?? null }))}
          >
            {words.takeSeat}
          </button>
        </>
      )}
      <Share game={game} />
      {host && <button onClick={() => reportErrors(start())}>{words.start}</button>}
    </section>
  );
}

/** The picture, what it means to click where, and the bar that asks. */
function Table({
  client,
  game,
  seats,
  reportErrors,
  events,
  wanted,
  viewRevision,
  see,
  steps,
  reviewing,
}: PlayingProps &
  Followed & {
    /** Hears which revision is there to be seen. */
    see: (revision: number) => void;
  }) {
  const { words, settings, toast } = usePageContext();
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<Stage | null>(null);
  const marked = useRef<SVGSVGElement | null>(null);
  const [shown, setShown] = useState(0);
  const [drawn, draw] = useReducer((times: number) => times + 1, 0);
  const [view, setView] = useState<View | "auto">("auto");
  const [hinted, point] = useState<readonly MoveArrow[]>([]);
  const narrow = useIsNarrow();
  const wished = { theme: settings.theme, layout: narrow ? "narrow" : "wide" } as const;
  const drawing = useRef(wished);
  drawing.current = wished;
  const manner = useManner(game, seats);
  const revision = wanted ?? game.revision;
  const roundness = rulesetUi(game.ruleset)?.roundness ?? ROUNDNESS;

  useEffect(() => {
    const fetch = async (at: number): Promise<string> => {
      const query = { revision: at, ...drawing.current };
      const params = { path: { game_id: game.id }, query };
      try {
        const ask = (signal: AbortSignal) =>
          client.GET("/v1/games/{game_id}/board.svg", { params, parseAs: "text", signal });
        return unwrap(await withTimeout(ask)) as string;
      } catch (error) {
        if (error instanceof ProblemError && error.code === NO_PICTURE) return "";
        throw error;
      }
    };
    stage.current = new Stage(host.current as HTMLDivElement, fetch, manner.current);
  }, [client]);
  useEffect(() => {
    const isNext = steps.findLast((step) => step < revision) === shown;
    stage.current?.show(revision, wanted === null || isNext ? events : []).then((there) => {
      if (!there) return;
      setShown(revision);
      see(revision);
      draw(undefined);
    });
  }, [client, revision, events.length]);
  useEffect(() => {
    stage.current?.refresh().then(draw, () => undefined);
  }, [settings.theme, narrow]);

  const settled = shown === game.revision && wanted === null;
  const turn = useTurn({ client, game, seats, reportErrors }, words, () => toast(words.stale));
  const step = settled ? turn.step : null;
  const coach = useCoach(game, events, settled && seats.length > 0 ? turn : null);
  const moves = wanted === null && !settled && !manner.current.isStill();
  const mover = moves ? (events.findLast(({ kind }) => kind === "action")?.seat ?? null) : null;
  const options = optionsOf(step, turn.counts);
  const judged = judgedAt(reviewing.decisions, steps, shown);
  const ways = settled && step ? [...(coach.recommendation?.arrows ?? []), ...hinted] : waysOf(judged);
  const meant = coach.recommendation ? options.filter(coach.recommendation.isRecommended) : [];
  const asked = meant.length ? meant : step?.kind === "some" ? step.items : options;
  const offered = useRef(false);
  offered.current ||= turn.step !== null;
  const expects = !offered.current && game.to_decide !== null && seats.includes(game.to_decide); // most lie there
  const where = asked.length ? (stage.current?.viewOf(asked) ?? "all") : expects ? "market" : "all";
  const shownView = view !== "auto" ? view : narrow ? where : "all";
  useLayoutEffect(() => {
    const here = stage.current;
    const picture = here?.svg;
    if (!picture) return;
    here.showView(shownView);
    if (settled) here.markWinners(winnersOf(game), manner.current.isStill());
    const mark = () => {
      const { selected, alternatives, choose, undo } = turn;
      const some = step ? { selected, alternatives } : { selected: [], alternatives: [] };
      here.mark({ ...some, options, roundness, recommendation: coach.recommendation, choose, putBack: undo });
      here.drawArrows(ways, roundness);
    };
    if (marked.current === picture) return mark();
    marked.current = picture;
    let isLast = true; // a new one has nothing in it that could be chosen before
    yieldToBrowser().then(() => isLast && mark());
    return () => {
      isLast = false;
    };
  }, [drawn, step, turn.counts, shownView, hinted, judged, coach.recommendation]);
  useEffect(() => {
    if (wanted === null || !host.current) return;
    const { top, bottom } = host.current.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2 || bottom < 0) host.current.scrollIntoView();
  }, [wanted]);
  useEffect(() => setView("auto"), [step, game.revision]);

  return (
    <section class="table">
      {coach.card}
      {(narrow || game.seats.length > 2) && <Views game={game} view={shownView} choose={setView} />}
      <Closer stage={stage} />
      <div class="board" ref={host} />
      {(game.outcome || wanted !== null) && (
        <div class="looking">
          {judged && <Judged game={game} judged={judged} />}
          <Replay steps={steps} revision={revision} look={viewRevision} />
          {wanted !== null && !game.outcome && (
            <p class="past" role="status">
              {words.lookingAt} <button onClick={() => viewRevision(null)}>{words.toNow}</button>
            </p>
          )}
        </div>
      )}
      <Choosing
        client={client}
        game={game}
        seats={seats}
        turn={turn}
        step={step}
        mover={mover}
        point={point}
        meaning={coach.recommendation}
      />
      {game.outcome && <ToSheet />}
    </section>
  );
}

/** What of a step is to be marked in the picture. */
function optionsOf(step: Step | null, chosen: readonly number[]): Option[] {
  if (step?.kind === "one") return step.options.filter(({ selectors }) => selectors.length > 0);
  if (step?.kind !== "some") return [];
  const free = step.items
    .map((item, place) => ({ ...item, place }))
    .filter(({ max, place }) => (chosen[place] ?? 0) < max && step.canAdd(chosen, place));
  return free.map(({ label, selectors, place }) => ({
    label,
    selectors,
    next: () => ({ ...step, start: chosen.map((count, at) => count + (at === place ? 1 : 0)) }),
  }));
}

/** Tabs for narrow screens. */
function Views({ game, view, choose }: { game: Game; view: View; choose: (view: View) => void }) {
  const { words } = usePageContext();
  const names: [View, string][] = [
    ["market", words.views.market],
    ...game.seats.map((_, seat): [View, string] => [seat, nameOf(game, seat, words)]),
    ["all", words.views.all],
  ];
  return (
    <div class="views" role="group" aria-label={words.view}>
      {names.map(([each, name]) => (
        <button key={each} aria-pressed={view === each} onClick={() => choose(each)}>
          {name}
        </button>
      ))}
    </div>
  );
}
