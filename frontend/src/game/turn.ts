/** A decision of a local seat: legal choices, the steps taken so far, and sending the chosen action. */
import { ProblemError } from "@azul-games/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Action, type Choices, chooseOne, type Option, type Step } from "../rulesets/base/steps";
import { firstStep } from "../rulesets/choices";
import { retryUntilAnswered } from "../shared/requests";
import type { Words } from "../shared/words";
import type { PlayingProps } from "./players";
import type { GameSource, OfferedChoices } from "./source";

export interface Turn {
  /** The legal choices, or null if it is not our turn or the ruleset has no guide. */
  choices: Choices | null;
  /** The next step, or null if there is nothing to choose. */
  step: Step | null;
  /** The count of each item in a step that counts. */
  counts: readonly number[];
  /** The number of steps that can be undone. */
  depth: number;
  /** The options chosen so far. */
  selected: readonly Option[];
  /** Options that can replace the first choice. */
  alternatives: readonly Option[];
  choose: (options: readonly Option[]) => void;
  setCounts: (chosen: readonly number[]) => void;
  confirm: () => void;
  undo: () => void;
  cancel: () => void;
}

/** Error codes after which the choices are out of date. */
const STALE_CODES = ["game/stale_revision", "game/not_your_turn", "game/over", "game/time_is_up"];

/** With `needsConfirmation`, a complete choice is sent only after one more press. */
export function useTurn(
  { game, seats, reportErrors, source }: Pick<PlayingProps, "game" | "seats" | "reportErrors"> & { source: GameSource },
  words: Words,
  onStale: () => void,
  needsConfirmation = false,
): Turn {
  const [choices, setChoices] = useState<{ revision: number; choices: NonNullable<OfferedChoices["choices"]> } | null>(
    null,
  );
  const [steps, setSteps] = useState<readonly StepTaken[]>([]);
  const [counts, setCounts] = useState<readonly number[]>([]);
  const [sentRevision, setSentRevision] = useState(0);
  const seat = game.to_decide;
  const isOurs = game.status === "playing" && seat !== null && seats.includes(seat) && game.paused_until === null;

  useEffect(() => {
    setChoices(null);
    setSteps([]);
    if (!isOurs) return;
    const controller = new AbortController();
    const fetchNewest = async (): Promise<OfferedChoices> => {
      const offered = await retryUntilAnswered((signal) => source.choices(game, signal), controller.signal);
      return offered.revision < game.revision ? fetchNewest() : offered; // it was requested before the game was
    };
    fetchNewest().then(
      ({ choices, revision }) => choices && revision === game.revision && setChoices({ revision, choices }),
      (error: unknown) => controller.signal.aborted || reportErrors(Promise.reject(error)),
    );
    return () => controller.abort();
  }, [source, game.revision, isOurs]);

  const isCurrent = choices !== null && choices.revision === game.revision && sentRevision !== game.revision;
  const first = useMemo(
    () => (isCurrent && seat !== null ? firstStep(choices.choices, game.position, seat, words) : null),
    [choices, isCurrent, seat, words],
  );
  const step = steps.at(-1)?.step ?? first;
  const alternatives = steps.length === 1 && first?.kind === "one" && step?.kind === "one" ? first.options : NO_OPTIONS;

  const send = async (action: Action) => {
    setSentRevision(game.revision);
    setSteps([]);
    try {
      await source.decide(game, action);
    } catch (error) {
      setSentRevision(0);
      if (!(error instanceof ProblemError && STALE_CODES.includes(error.code))) throw error;
      onStale();
    }
  };
  const goTo = (next: Step, options: readonly Option[]) => {
    const isReplacement = options.some((option) => alternatives.includes(option));
    if (next.kind === "ready") {
      const isConfirmed = steps.at(-1)?.isConfirmation && !isReplacement;
      if (isConfirmed || !needsConfirmation) {
        reportErrors(send(next.action));
        return;
      }
      const confirmation = { label: words.choosing.confirm, selectors: [], next: () => next };
      const question = chooseOne(words.choosing.sure, [confirmation], "ask");
      const before = isReplacement ? steps.slice(0, -1) : steps;
      setSteps([...before, { step: question, options, isConfirmation: true }]);
      return;
    }
    if (next.kind === "some") setCounts(next.start);
    const isSameCount = next.kind === "some" && step?.kind === "some" && next.items === step.items;
    const before = isSameCount || isReplacement ? steps.slice(0, -1) : steps;
    setSteps([...before, { step: next, options: isSameCount ? (steps.at(-1)?.options ?? NO_OPTIONS) : options }]);
  };
  return {
    choices: isCurrent && "ruleset" in choices.choices ? choices.choices : null,
    step,
    counts: step?.kind === "some" ? counts : NO_COUNTS,
    depth: steps.length,
    selected: useMemo(() => steps.flatMap(({ options }) => options), [steps]),
    alternatives,
    choose: (options) => {
      const [only, ...others] = options;
      if (only) goTo(others.length ? chooseOne(words.ask.several, options, "ask") : only.next(), options);
    },
    setCounts,
    confirm: () => {
      if (step?.kind === "some" && step.isComplete(counts)) goTo(step.next(counts), NO_OPTIONS);
    },
    undo: () => {
      const before = steps.at(-2)?.step;
      if (before?.kind === "some" && !steps.at(-1)?.isConfirmation) setCounts(before.start);
      setSteps(steps.slice(0, -1));
    },
    cancel: () => setSteps([]),
  };
}

/** A step, and the options that led to it. */
interface StepTaken {
  step: Step;
  options: readonly Option[];
  /** Whether the step only asks to confirm a complete choice. */
  isConfirmation?: boolean;
}

const NO_COUNTS: readonly number[] = [];
const NO_OPTIONS: readonly Option[] = [];
