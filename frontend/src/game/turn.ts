/** A decision of ours: the choices that the service gives, the steps taken so far, and sending what was chosen. */
import { type Client, ProblemError, type Schemas, unwrap } from "azul-games-client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Action, type Choices, chooseOne, type Option, type Step } from "../rulesets/base/steps";
import { firstStep, hasRulesetUi, type ListedAction } from "../rulesets/choices";
import { retryUntilAnswered } from "../shared/requests";
import { bearerHeader } from "../shared/client";
import { storedGame } from "../shared/store";
import type { Words } from "../shared/words";
import type { Playing } from "./players";

export interface Turn {
  /** What the service offers in factored form; null while nothing is to be chosen, or where no guide needs it. */
  choices: Choices | null;
  /** What is to be chosen next; null while nothing is. */
  step: Step | null;
  /** Of a step that counts: how many of each item. */
  chosen: readonly number[];
  /** How many steps were chosen that can be undone. */
  depth: number;
  /** Where in the picture that lies which was chosen so far. */
  taken: readonly Option[];
  /** What could be chosen in place of it, at once. */
  others: readonly Option[];
  choose: (options: readonly Option[]) => void;
  change: (chosen: readonly number[]) => void;
  done: () => void;
  back: () => void;
  cancel: () => void;
}

/** The game has moved on: what was chosen means nothing any more. */
const MOVED_ON = ["game/stale_revision", "game/not_your_turn", "game/over", "game/time_is_up"];

export function useChoices({ client, game, seats, act }: Playing, words: Words, onStale: () => void): Turn {
  const [choices, setChoices] = useState<{ revision: number; choices: NonNullable<Offered["choices"]> } | null>(null);
  const [steps, setSteps] = useState<readonly Taken[]>([]);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [sent, setSent] = useState(0);
  const seat = game.to_decide;
  const ours = game.status === "playing" && seat !== null && seats.includes(seat) && game.paused_until === null;

  useEffect(() => {
    setChoices(null);
    setSteps([]);
    if (!ours) return;
    const ending = new AbortController();
    const ask = (signal: AbortSignal): Promise<Offered> =>
      (hasRulesetUi(game.ruleset) ? factored : listed)(client, game.id, signal);
    retryUntilAnswered(ask, ending.signal).then(
      ({ choices, revision }) => choices && revision === game.revision && setChoices({ revision, choices }),
      (error: unknown) => ending.signal.aborted || act(Promise.reject(error)),
    );
    return () => ending.abort();
  }, [client, game.id, game.revision, ours]);

  const fresh = choices !== null && choices.revision === game.revision && sent !== game.revision;
  const first = useMemo(
    () => (fresh && seat !== null ? firstStep(choices.choices, game.position, seat, words) : null),
    [choices, fresh, seat, words],
  );
  const step = steps.at(-1)?.step ?? first;
  const others = steps.length === 1 && first?.kind === "one" && step?.kind === "one" ? first.options : NONE;

  const send = async (action: Action) => {
    const revision = game.revision;
    setSent(revision);
    setSteps([]);
    try {
      const headers = bearerHeader(storedGame(game.id).seats[seat ?? -1]);
      const params = { path: { game_id: game.id } };
      unwrap(await client.POST("/v1/games/{game_id}/actions", { params, headers, body: { action, revision } }));
    } catch (error) {
      setSent(0);
      if (!(error instanceof ProblemError && MOVED_ON.includes(error.code))) throw error;
      onStale();
    }
  };
  const go = (next: Step, by: readonly Option[]) => {
    if (next.kind === "ready") {
      act(send(next.action));
      return;
    }
    if (next.kind === "some") setChosen(next.start);
    const counts = next.kind === "some" && step?.kind === "some" && next.items === step.items;
    const instead = by.some((option) => others.includes(option));
    const before = counts || instead ? steps.slice(0, -1) : steps;
    setSteps([...before, { step: next, by: counts ? (steps.at(-1)?.by ?? NONE) : by }]);
  };
  return {
    choices: fresh && "ruleset" in choices.choices ? choices.choices : null,
    step,
    chosen: step?.kind === "some" ? chosen : NOTHING,
    depth: steps.length,
    taken: useMemo(() => steps.flatMap(({ by }) => by), [steps]),
    others,
    choose: (options) => {
      const [only, ...others] = options;
      if (only) go(others.length ? chooseOne(words.ask.several, options, "ask") : only.next(), options);
    },
    change: setChosen,
    done: () => {
      if (step?.kind === "some" && step.isComplete(chosen)) go(step.next(chosen), NONE);
    },
    back: () => {
      const before = steps.at(-2)?.step;
      if (before?.kind === "some") setChosen(before.start);
      setSteps(steps.slice(0, -1));
    },
    cancel: () => setSteps([]),
  };
}

interface Offered {
  revision: number;
  choices: Choices | readonly ListedAction[] | null;
}

async function factored(client: Client, id: string, signal: AbortSignal): Promise<Offered> {
  const params = { path: { game_id: id }, query: { form: "choices" as const } };
  return unwrap(await client.GET("/v1/games/{game_id}/actions", { params, signal })) as Schemas["LegalChoices"];
}

/** Return all legal actions, page by page. */
async function listed(client: Client, id: string, signal: AbortSignal): Promise<Offered> {
  const choices: ListedAction[] = [];
  for (let cursor: string | null = ""; ;) {
    const params = { path: { game_id: id }, query: cursor ? { cursor } : {} };
    const answer = await client.GET("/v1/games/{game_id}/actions", { params, signal });
    const page = unwrap(answer) as Schemas["LegalActions"];
    choices.push(...page.actions);
    cursor = page.next_cursor;
    if (cursor === null) return { revision: page.revision, choices };
  }
}

/** A step, and the options that led to it. */
interface Taken {
  step: Step;
  by: readonly Option[];
}

const NOTHING: readonly number[] = [];
const NONE: readonly Option[] = [];
