/** The table of a decision to find: choose a move, see the answer, then try again or see the solution. */
import type { Client, Schemas } from "@azul-games/client";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Header } from "../parts/header";
import { RulesLink } from "../parts/rules";
import type { Action } from "../rulesets/base/steps";
import { rulesetTexts, variantName } from "../rulesets/registry";
import { errorText, usePageContext } from "../shared/context";
import { SkipLink } from "../table/accessible/skip_link";
import { Table } from "../table/game";
import { Legend } from "../table/legend";
import { PreferencesCard } from "../table/preferences";
import { type SeatAction, type State, useLocalGame } from "./local_game";
import { usePuzzleWords } from "./words";

type NamedMove = SeatAction & { text: string };

/** The answer to all decisions of a solver so far. */
export interface Judgement {
  status: Schemas["PuzzleAttempt"]["status"];
  text: string;
  why: string;
  /** What follows the last decision. */
  line: readonly NamedMove[];
  /** The position after it, where the puzzle goes on. Null: it is over. */
  position: Schemas["Position"] | null;
  /** The right moves from the start. */
  solution: readonly NamedMove[];
}

const NO_REVIEW = { analysis: null, decisions: [], requestReview: () => Promise.resolve() };

export function Practice({
  client,
  start,
  title,
  intro = "",
  judge,
  next,
  children,
}: {
  client: Client;
  start: State;
  title: string;
  /** A note in the move bar before the first answer. */
  intro?: string;
  judge: (answers: readonly Action[]) => Promise<Judgement>;
  /** Return a button to what comes next. */
  next: (isMain: boolean) => ComponentChildren;
  /** Cards beside the table. */
  children: ComponentChildren;
}) {
  const { words, toast } = usePageContext();
  const own = usePuzzleWords();
  const { ruleset, variant } = start.position;
  const seat = start.to_decide ?? 0;
  const [answers, setAnswers] = useState<readonly Action[]>([]);
  const [judgement, setJudgement] = useState<Judgement | null>(null);
  const asked = useRef(start); // the state of the last decision
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  const isOver = judgement !== null && judgement.status !== "continue";
  const decide = async (action: Action) => {
    asked.current = local.state;
    const all = [...answers, action];
    const answer = await judge(all);
    await local.play([{ seat, action }, ...answer.line], { to: answer.position });
    if (answer.status !== "failed") setAnswers(all);
    setJudgement(answer);
  };
  const local = useLocalGame(client, start, decide, isOver);
  const reportErrors = (request: Promise<unknown>) => request.catch((error: unknown) => toast(errorText(error, words)));
  const tryAgain = async () => {
    await local.play([], { from: asked.current });
    setJudgement(null);
  };
  const showSolution = async ({ solution }: Judgement) => {
    await local.play(solution, { from: start });
    const moves = solution.map((move) => `${words.seat(move.seat)}: ${move.text}`);
    setJudgement({ status: "solved", text: own.solution, why: moves.join(" "), line: [], position: null, solution });
  };
  const details = isOver && (
    <>
      <div class="tools">
        {judgement.status === "failed" && (
          <>
            <button class="primary" onClick={() => reportErrors(tryAgain())}>
              {own.again}
            </button>
            <button onClick={() => reportErrors(showSolution(judgement))}>{own.showSolution}</button>
          </>
        )}
        {next(judgement.status === "solved")}
      </div>
      {judgement.line.length > 0 && (
        <ol class="sequel">
          {judgement.line.map((move, at) => (
            <li key={at}>
              <b>{words.seat(move.seat)}:</b> {move.text}
            </li>
          ))}
        </ol>
      )}
    </>
  );
  return (
    <>
      <Header>
        <h1 tabIndex={-1} ref={heading}>
          {title}{" "}
          <small>
            {rulesetTexts(ruleset, words).name} · {variantName(ruleset, variant, words)} ·{" "}
            {words.people.seatCount(start.seats.length)}
          </small>
        </h1>
        <SkipLink />
        <RulesLink ruleset={ruleset} sign />
      </Header>
      <main class="play">
        <Table
          {...local}
          {...{
            client,
            reportErrors,
            viewedRevision: null,
            viewRevision: () => undefined,
            steps: [],
            review: NO_REVIEW,
          }}
          {...{ markSeen: () => undefined, isCovered: false, openResult: null }}
          seats={[seat]}
          verdict={{ text: words.yourTurn, why: intro, ...judgement, details }}
        />
        <aside>
          {children}
          <Legend ruleset={ruleset} />
          <PreferencesCard />
        </aside>
      </main>
    </>
  );
}
