/** The page of a puzzle: the table, facts about the puzzle, and filters for the next one. */
import { type Client, ProblemError, type Schemas, unwrap } from "@azul-games/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { SelectField } from "../parts/fields";
import { Header } from "../parts/header";
import { NoticePage } from "../parts/notice_page";
import { ShareLink } from "../parts/sharing";
import type { Action } from "../rulesets/base/steps";
import { RULESETS, rulesetTexts } from "../rulesets/registry";
import { errorText, useClient, usePageContext } from "../shared/context";
import { useLoaded } from "../shared/fetching";
import { links } from "../shared/route";
import { browserStore } from "../shared/store";
import { openPosition, type State } from "./local_game";
import { type Judgement, Practice } from "./practice";
import { usePuzzleWords } from "./words";

type Puzzle = Schemas["Puzzle"];
type Attempt = Schemas["PuzzleAttempt"];

/** Which puzzles come next. `last`: id of the last puzzle, which the next one follows. */
interface Filters {
  ruleset: string;
  theme: string;
  last: string;
}

/** Codes if no puzzle has the id, fits the filters, or has the theme. */
const MISSING = ["puzzle/not_found", "request/invalid"];
/** Stands for the id of the puzzle of the day. */
const DAILY = "daily";
const KEY = "azul-table-puzzles";
const DEFAULTS: Filters = { ruleset: "", theme: "", last: "" };

interface Opened {
  puzzle: Puzzle;
  start: State;
  /** The service's invitation to the puzzle of the day. Null for other puzzles. */
  invitation: string | null;
}

async function fetchPuzzle(client: Client, id: string): Promise<Opened> {
  const daily = id === DAILY ? unwrap(await client.GET("/v1/puzzles/daily")) : null;
  const params = { path: { puzzle_id: id } };
  const puzzle = daily?.puzzle ?? unwrap(await client.GET("/v1/puzzles/{puzzle_id}", { params }));
  return { puzzle, start: await openPosition(client, puzzle.position), invitation: daily?.share_text ?? null };
}

/** Without an id, open the next puzzle. */
export function PuzzlePage({ id }: { id: string | undefined }) {
  const { words, me, toast } = usePageContext();
  const own = usePuzzleWords();
  const client = useClient(me.token);
  const [filters, setFilters] = useState<Filters>(() => ({ ...DEFAULTS, ...browserStore.read<Filters>(KEY) }));
  const change = (some: Partial<Filters>) => {
    const next = { ...filters, ...some };
    browserStore.write(KEY, next);
    setFilters(next);
  };
  const refusalText = (error: unknown): string =>
    error instanceof ProblemError && MISSING.includes(error.code) ? own.none : errorText(error, words);
  const openNext = async (): Promise<void> => {
    const { last, ...chosen } = filters;
    const shown = opened?.invitation === null ? opened.puzzle.id : last; // the puzzle of the day has no place in the order
    const given = Object.entries({ ...chosen, after: me.token === null ? shown : "" }).filter(([, value]) => value);
    const params = { query: Object.fromEntries(given) };
    const next = unwrap(await client.GET("/v1/puzzles/next", { params })).id;
    change({ last: next });
    if (id === undefined) location.replace(links.puzzle(next));
    else if (id === next) toast(own.same);
    else location.hash = links.puzzle(next);
  };
  const { value: opened, error } = useLoaded<Opened | null>(async () => {
    if (id !== undefined) return fetchPuzzle(client, id);
    await openNext();
    return null;
  }, [client, id]);
  const next = (isMain: boolean) => (
    <button
      class={isMain ? "primary" : undefined}
      onClick={() => openNext().catch((error: unknown) => toast(refusalText(error)))}
    >
      {own.next}
    </button>
  );
  const chooser = (
    <Chooser filters={filters} change={change}>
      {next(error !== null)}
    </Chooser>
  );
  if (error !== null)
    return (
      <>
        <Header />
        <main class="create">
          <p class="card">{refusalText(error)}</p>
          {chooser}
        </main>
      </>
    );
  if (!opened) return <NoticePage text={words.loading} role="status" />;
  return <Solving key={opened.puzzle.id} {...{ ...opened, client, chooser, next }} />;
}

/** Filters for the next puzzle. */
function Chooser({
  filters,
  change,
  children,
}: {
  filters: Filters;
  change: (some: Partial<Filters>) => void;
  children: ComponentChildren;
}) {
  const { words } = usePageContext();
  const own = usePuzzleWords();
  const field = (
    name: "ruleset" | "theme",
    label: string,
    values: readonly string[],
    textOf: (value: string) => string,
  ) => (
    <SelectField label={label} value={filters[name]} choose={(value) => change({ [name]: value })}>
      <option value="">{own.any}</option>
      {values.map((value) => (
        <option key={value} value={value}>
          {textOf(value)}
        </option>
      ))}
    </SelectField>
  );
  return (
    <section class="card puzzle" aria-label={own.filters}>
      {field("ruleset", words.game, RULESETS, (id) => rulesetTexts(id, words).name)}
      {field("theme", own.theme, Object.keys(own.themeNames), (theme) => own.themeNames[theme] ?? theme)}
      {children}
    </section>
  );
}

/** Return an invitation without the link at its end, and the link. */
function splitLink(invitation: string | null): [text: string, url: string] | null {
  const end = invitation?.lastIndexOf(" ") ?? -1;
  return invitation === null ? null : [invitation.slice(0, end), invitation.slice(end + 1)];
}

function Solving({
  client,
  puzzle,
  start,
  invitation,
  chooser,
  next,
}: Opened & { client: Client; chooser: ComponentChildren; next: (isMain: boolean) => ComponentChildren }) {
  const { words, me } = usePageContext();
  const own = usePuzzleWords();
  const [attempt, setAttempt] = useState<Attempt | null>(null); // the first that is over
  const { value: progress } = useLoaded(
    async () => (me.token === null ? null : unwrap(await client.GET("/v1/me/puzzles"))),
    [],
  );
  const points = attempt?.rating?.after ?? progress?.rulesets.find(({ ruleset }) => ruleset === puzzle.ruleset)?.rating;
  const streak = attempt?.streak ?? progress?.streak;
  const judge = async (answers: readonly Action[]): Promise<Judgement> => {
    const params = { path: { puzzle_id: puzzle.id } };
    const body = { answers: answers.map((action) => ({ action })) };
    const made = unwrap(await client.POST("/v1/puzzles/{puzzle_id}/attempts", { params, body }));
    const { status, replies, refutation, position, solution } = made;
    if (status !== "continue") setAttempt((first) => first ?? made);
    const lost = Math.round(100 * (refutation?.win_lost ?? 0));
    const why = [refutation?.why, lost > 0 && own.costs(lost)].filter(Boolean).join(" ");
    const text = { continue: own.goOn, solved: own.solved, failed: own.failed }[status];
    return { status, text, why, line: refutation?.line ?? replies, position, solution: solution ?? [] };
  };
  const name = rulesetTexts(puzzle.ruleset, words).name;
  const solved = attempt?.status === "solved" ? own.shareSolved(name, puzzle.steps, streak ?? 0) : null;
  const page = location.href.split("#")[0];
  const [text, url] = splitLink(invitation) ?? [own.shareText(name), `${page}${links.puzzle(puzzle.id)}`];
  return (
    <Practice {...{ client, start, judge }} title={invitation === null ? own.puzzle : words.puzzles.daily} next={next}>
      <section class="card puzzle">
        <p>{own.steps(puzzle.steps)}</p>
        <p>{own.rating(puzzle.rating)}</p>
        <p class="note">{words.puzzles.solvedBy(puzzle.solved, puzzle.attempts)}</p>
        {attempt && (
          <p>
            {own.themes}: {puzzle.themes.map((theme) => own.themeNames[theme] ?? theme).join(", ")}
          </p>
        )}
        {points !== undefined && <p>{own.ownRating(points, points - (attempt?.rating?.before ?? points))}</p>}
        {!!streak && <p>{own.streak(streak)}</p>}
        {me.token === null && <a href={links.me}>{own.anonymous}</a>}
      </section>
      {chooser}
      <section class="card">
        <ShareLink name={own.shareLink} url={url} text={solved ?? text} />
      </section>
    </Practice>
  );
}
