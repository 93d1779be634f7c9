/** The page of a game: the picture, the move bar below it and the side panel. */
import { ProblemError } from "@azul-games/client";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { useCoach } from "../coach/coach";
import { type Game, useLiveGame } from "../game/live";
import { useLocalSeats, useReadingToken, useStreamToken } from "../game/local_seats";
import { isActive, nameOf, type PlayingProps, winnersOf } from "../game/players";
import { type GameSource, type RenderOptions, serviceSource } from "../game/source";
import type { MoveArrow } from "../game/stage/drawings";
import { Stage, type View } from "../game/stage/stage";
import { useTurn } from "../game/turn";
import { Header } from "../parts/header";
import { NoticePage } from "../parts/notice_page";
import { PushOffer } from "../parts/push";
import { RulesLink } from "../parts/rules";
import { Replay, stepsOf } from "../review/replay";
import { decisionAt, DecisionVerdict, reviewArrows, useReview } from "../review/review";
import type { Option, Step } from "../rulesets/base/steps";
import { rulesetTexts, variantName } from "../rulesets/registry";
import { rulesetUi } from "../rulesets/ui_registry";
import { useOnline } from "../shared/online";
import { withTimeout } from "../shared/requests";
import { errorText, useClient, usePageContext } from "../shared/context";
import { ONE_COLUMN, useMedia } from "../shared/device";
import { pictureTheme, storedGame, storeTokens, viewerId } from "../shared/store";
import { yieldToBrowser } from "../shared/tasks";
import { Announcements } from "./accessible/announcements";
import { useKeptFocus } from "./accessible/kept_focus";
import { SkipLink } from "./accessible/skip_link";
import { useAttention } from "./attention";
import { Lobby } from "./lobby";
import { MoveBar, statusText } from "./move_bar";
import { useStagePreferences } from "./preferences";
import { Result } from "./result";
import { TurnTools } from "./seats";
import { SidePanel, type ViewedGame } from "./side_panel";
import { useAutomaticView, useLayout, Views } from "./views";

const DEFAULT_ROUNDNESS = 0.5;

/** Error code of a ruleset without a picture. Its moves are chosen from texts. */
const NO_PICTURE = "ruleset/no_picture";

/** The side panel waits this long for the picture, which would push it down on a narrow page. */
const MAX_WAIT_MS = 3000;

export function GamePage({ id }: { id: string }) {
  const { words, settings, toast } = usePageContext();
  const { token, tryNextToken } = useReadingToken(id);
  const client = useClient(token);
  const streamToken = useStreamToken(id, token);
  const access = {
    client: useClient(streamToken.token),
    reader: streamToken.reader,
    hidden: settings.unseen,
    viewer: viewerId(),
  };
  const live = useLiveGame(client, id, access);
  const { events, state, refused } = live;
  const { seats, ...claiming } = useLocalSeats(client, id, live);
  const [viewedRevision, viewRevision] = useState<number | null>(null);
  const [isComplete, setIsComplete] = useState(false);
  const [seenRevision, markSeen] = useReducer((before: number, shown: number) => Math.max(before, shown), 0);
  const isSeen = seenRevision >= (live.game?.revision ?? 0);
  const game = useShownGame(live.game, isSeen);
  useAttention({ ...live, game }, seats, seenRevision);
  const isOneColumn = useMedia(ONE_COLUMN);
  const { isOnline } = useOnline();
  const wasOver = useRef<boolean | null>(null); // when the page was opened: later, nobody can have asked for a review
  if (live.game) wasOver.current ??= live.game.outcome !== null;
  const review = useReview(client, id, wasOver.current === true);
  const source = useMemo(() => serviceSource(client, id), [client, id]);
  const [isResultOpen, openResult] = useState(true);
  useEffect(() => {
    if (viewedRevision !== null) openResult(false);
  }, [viewedRevision]);
  const steps = useMemo(() => stepsOf(events, game?.position !== null), [events, game?.position === null]);
  useEffect(() => {
    if (game) storeTokens(game, {});
  }, [game?.ruleset]);
  useEffect(() => {
    const timer = setTimeout(setIsComplete, MAX_WAIT_MS, true);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => setIsComplete(isComplete || seenRevision > 0), [seenRevision]); // once the picture is painted
  useEffect(() => {
    const wasPlaying = refused?.code === "game/not_found" && live.game?.status === "playing";
    if (refused && !streamToken.dropToken(wasPlaying)) tryNextToken();
  }, [refused]);
  const heading = useRef<HTMLHeadingElement>(null);
  const isOpened = game !== null && !refused;
  useEffect(() => {
    if (isOpened && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [isOpened]);
  const { taken } = storedGame(id);
  if (refused && streamToken.token === null) return <NoticePage text={taken ? words.taken : words.notFound} />;
  if (!game || refused) {
    const waiting = state === "lost" ? words.reconnecting : words.settingUp;
    return <NoticePage text={isOnline ? waiting : words.sharing.offlineGame} role="status" />;
  }
  const context = {
    client,
    game,
    seats,
    ...claiming,
    reportErrors: (ask: Promise<unknown>) => ask.catch((error: unknown) => toast(errorText(error, words))),
  };
  const viewing = { events, viewedRevision, viewRevision, steps, review };
  const result = game.outcome && (
    <Result
      {...context}
      events={events}
      review={review}
      isOpen={isOneColumn && isResultOpen}
      isNew={!wasOver.current}
      close={() => openResult(false)}
    />
  );
  return (
    <>
      <Header>
        <h1 tabIndex={-1} ref={heading}>
          {rulesetTexts(game.ruleset, words).name}{" "}
          <small>
            {variantName(game.ruleset, game.variant, words)}
            {game.rated && ` · ${words.people.rated}`}
          </small>
        </h1>
        <SkipLink />
        <RulesLink ruleset={game.ruleset} sign />
      </Header>
      {state === "lost" && isOnline && (
        <p class="banner" role="status">
          {words.reconnecting}
        </p>
      )}
      {taken && seats.length === 0 && game.status === "playing" && (
        <p class="banner" role="status">
          {words.taken} {words.watching}
        </p>
      )}
      <PushOffer game={game} />
      <main class="play">
        {game.status === "open" ? (
          <Lobby {...context} events={events} />
        ) : (
          <Table
            {...context}
            {...viewing}
            source={source}
            seats={seats.filter((seat) => isActive(game, seat))}
            markSeen={markSeen}
            isCovered={isOneColumn && isResultOpen}
            openResult={isOneColumn ? () => openResult(true) : null}
            turnTools={isOneColumn && <TurnTools {...context} />}
          />
        )}
        {(isComplete || game.status === "open") && (
          <SidePanel {...context} {...viewing} result={result} isBeside={!isOneColumn} />
        )}
      </main>
    </>
  );
}

/** Return the game without its result, and with the scores before, until the table has shown the scoring. */
function useShownGame(game: Game | null, isSeen: boolean): Game | null {
  const scores = useRef<readonly (number | null)[]>([]);
  if (isSeen && game) scores.current = game.seats.map(({ score }) => score);
  return useMemo(() => {
    if (game === null || isSeen) return game;
    const seats = game.seats.map((seat, at) => ({ ...seat, score: scores.current[at] ?? seat.score }));
    return { ...game, seats, outcome: null };
  }, [game, isSeen]);
}

/** What the move bar of a puzzle shows instead of whose turn it is. */
export interface Verdict {
  text: string;
  why: string;
  details: ComponentChildren;
}

/** The picture with its marks, and the move bar. */
export function Table({
  client,
  source,
  game,
  seats,
  reportErrors,
  events,
  viewedRevision,
  viewRevision,
  markSeen,
  steps,
  review,
  isCovered,
  openResult,
  turnTools,
  verdict = null,
}: PlayingProps &
  ViewedGame & {
    source: GameSource;
    /** Called with each revision that the picture shows. */
    markSeen: (revision: number) => void;
    /** Whether the result of a finished game covers the picture. */
    isCovered: boolean;
    /** Cover the picture by the result. Null if the result is beside it. */
    openResult: (() => void) | null;
    /** What the move bar shows next to whose turn it is. */
    turnTools?: ComponentChildren;
    verdict?: Verdict | null;
  }) {
  const { words, settings, toast } = usePageContext();
  const host = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLElement>(null);
  const keepFocus = useKeptFocus(table);
  const stage = useRef<Stage | null>(null);
  const markedPicture = useRef<SVGSVGElement | null>(null);
  const [shownRevision, setShownRevision] = useState(0);
  const [drawings, redraw] = useReducer((times: number) => times + 1, 0);
  const [view, setView] = useState<View | "auto">("auto");
  const [hintArrows, setHintArrows] = useState<readonly MoveArrow[]>([]);
  const { layout, isPartial } = useLayout(game.seats.length);
  const theme = pictureTheme(settings);
  const renderOptions: RenderOptions = { theme, layout };
  const currentOptions = useRef(renderOptions);
  currentOptions.current = renderOptions;
  const preferences = useStagePreferences(game, seats);
  const revision = viewedRevision ?? game.revision;
  const roundness = rulesetUi(game.ruleset)?.roundness ?? DEFAULT_ROUNDNESS;

  useEffect(() => {
    const fetch = async (at: number): Promise<string> => {
      try {
        return await withTimeout((signal) => source.picture(at, currentOptions.current, signal));
      } catch (error) {
        if (error instanceof ProblemError && error.code === NO_PICTURE) return "";
        throw error;
      }
    };
    stage.current = new Stage(host.current as HTMLDivElement, fetch, preferences.current);
  }, [source]);
  useEffect(() => {
    const isNext = steps.findLast((step) => step < revision) === shownRevision;
    stage.current?.show(revision, viewedRevision === null || isNext ? events : []).then((isCurrent) => {
      if (!isCurrent) return;
      setShownRevision(revision);
      markSeen(revision);
      redraw(undefined);
    });
  }, [source, revision, events.length]);
  useEffect(() => {
    stage.current?.refresh().then(redraw, () => undefined);
  }, [theme, layout]);
  useEffect(() => {
    addEventListener("resize", redraw); // the automatic view depends on the size
    return () => removeEventListener("resize", redraw);
  }, []);

  const isSettled = shownRevision === game.revision && viewedRevision === null;
  const turn = useTurn({ source, game, seats, reportErrors }, words, () => toast(words.stale), settings.confirm);
  const step = isSettled ? turn.step : null;
  const coach = useCoach(game, events, isSettled && seats.length > 0 ? turn : null);
  const isAnimating = viewedRevision === null && !isSettled && !preferences.current.isStill();
  const mover = isAnimating ? (events.findLast(({ kind }) => kind === "action")?.seat ?? null) : null;
  const shownVerdict = isSettled ? verdict : null;
  const status = shownVerdict?.text ?? (verdict ? "…" : statusText(game, seats, words));
  const options = optionsOf(step, turn.counts);
  const viewedDecision = decisionAt(review.decisions, steps, shownRevision);
  const arrows =
    isSettled && step ? [...(coach.recommendation?.arrows ?? []), ...hintArrows] : reviewArrows(viewedDecision);
  const recommended = coach.recommendation ? options.filter(coach.recommendation.isRecommended) : [];
  const targets = recommended.length ? recommended : step?.kind === "some" ? step.items : options;
  const ownRevision =
    events.findLast(({ kind, seat }) => kind === "action" && seats.includes(seat ?? -1))?.revision ?? 0;
  const isScoring = game.status === "finished" && game.outcome === null && shownRevision > 0;
  const isPlaying = seats.length > 0 && (game.status === "playing" || isScoring) && viewedRevision === null;
  const isOwnMove = seats.includes(game.to_decide ?? -1) || shownRevision < ownRevision;
  const automaticView = useAutomaticView(stage, {
    ...{ isPartial, targets, isPlaying, isOwnMove },
    isCovered: isCovered && game.outcome !== null,
  });
  const shownView = view === "auto" ? automaticView : view;
  useLayoutEffect(() => {
    const currentStage = stage.current;
    const picture = currentStage?.svg;
    if (!picture) return;
    currentStage.showView(shownView);
    if (isSettled) currentStage.markWinners(winnersOf(game), preferences.current.isStill());
    const updateMarks = () => {
      const { selected, alternatives, choose, undo } = turn;
      const selection = step ? { selected, alternatives } : { selected: [], alternatives: [] };
      currentStage.mark({
        ...selection,
        question: step && step.kind !== "ready" ? step.question : "",
        options,
        roundness,
        recommendation: coach.recommendation,
        choose,
        putBack: undo,
      });
      currentStage.drawArrows(arrows, roundness);
      keepFocus();
    };
    if (markedPicture.current === picture) return updateMarks();
    markedPicture.current = picture;
    let isLast = true; // a new picture has no old marks, so marking it can wait for the next task
    yieldToBrowser().then(() => isLast && updateMarks());
    return () => {
      isLast = false;
    };
  }, [drawings, step, turn.counts, shownView, hintArrows, viewedDecision, coach.recommendation, game.outcome]);
  useEffect(() => {
    if (viewedRevision === null || !host.current) return;
    const { top, bottom } = host.current.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2 || bottom < 0) host.current.scrollIntoView();
  }, [viewedRevision]);
  useEffect(() => setView("auto"), [step, game.revision]);

  return (
    <section class="table" ref={table} data-layout={layout} data-view={shownView} data-contrast={settings.contrast}>
      {coach.card}
      <Views game={game} view={shownView} choose={setView} stage={stage} />
      <div
        class="board"
        ref={host}
        tabIndex={-1}
        role="region"
        aria-label={words.choosing.board}
        aria-description={words.choosing.boardKeys}
      />
      {((game.outcome && !isCovered) || viewedRevision !== null) && (
        <div class="looking">
          {viewedDecision && <DecisionVerdict game={game} decision={viewedDecision} />}
          <div class="tools">
            <Replay steps={steps} revision={revision} viewRevision={viewRevision} />
            {game.outcome && openResult && <button onClick={openResult}>{words.scoring.open}</button>}
          </div>
          {viewedRevision !== null && !game.outcome && (
            <p class="past" role="status">
              {words.lookingAt} <button onClick={() => viewRevision(null)}>{words.toNow}</button>
            </p>
          )}
        </div>
      )}
      <MoveBar
        client={client}
        game={game}
        turn={turn}
        step={step}
        status={mover === null || seats.includes(mover) ? status : words.scoring.moves(nameOf(game, mover, words))}
        turnTools={turnTools}
        showArrows={setHintArrows}
        recommendation={coach.recommendation}
      >
        {shownVerdict?.why && <p class="why">{shownVerdict.why}</p>}
        {shownVerdict?.details}
      </MoveBar>
      <Announcements
        game={game}
        seats={seats}
        status={`${status} ${shownVerdict?.why ?? ""}`.trim()}
        events={events}
        shownRevision={shownRevision}
        step={step}
        counts={turn.counts}
      />
    </section>
  );
}

/** Return the options of a step that have a place in the picture. */
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
