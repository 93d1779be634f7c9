/** The player's own mistakes in a reviewed game, as puzzles. The right answer is the best action of the review. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { useReadingToken } from "../game/local_seats";
import { NoticePage } from "../parts/notice_page";
import { isMistake } from "../review/review";
import type { Action } from "../rulesets/base/steps";
import { errorText, useClient, usePageContext } from "../shared/context";
import { useLoaded } from "../shared/fetching";
import { links } from "../shared/route";
import { storedGame } from "../shared/store";
import { openPosition, type State, tryAction } from "./local_game";
import { type Judgement, Practice } from "./practice";
import { usePuzzleWords } from "./words";

type Decision = Schemas["ReviewedDecision"];

/** Return the mistakes of this browser's seats and of the player. */
async function fetchMistakes(client: Client, id: string, player: string | null): Promise<readonly Decision[]> {
  const params = { path: { game_id: id } };
  const [game, analysis] = await Promise.all([
    client.GET("/v1/games/{game_id}", { params }).then(unwrap),
    client.GET("/v1/games/{game_id}/review", { params }).then(unwrap),
  ]);
  const stored = storedGame(id).seats;
  const isOwn = (seat: number) => seat in stored || (player !== null && game.seats[seat]?.player === player);
  return (analysis.review?.decisions ?? []).filter((decision) => isOwn(decision.seat) && isMistake(decision));
}

/** Return the state in which a decision was made. */
async function openBefore(client: Client, id: string, { revision }: Decision): Promise<State> {
  const params = { path: { game_id: id, revision: revision - 1 } };
  const { position } = unwrap(await client.GET("/v1/games/{game_id}/history/{revision}", { params }));
  return openPosition(client, position as Schemas["Position"]);
}

export function MistakesPage({ id }: { id: string }) {
  const { words, me } = usePageContext();
  const own = usePuzzleWords();
  const client = useClient(useReadingToken(id).token);
  const { value: mistakes, error } = useLoaded(() => fetchMistakes(client, id, me.id), [client]);
  const [number, setNumber] = useState(0);
  const mistake = mistakes?.[number];
  const { value: opened, error: openingError } = useLoaded(
    async () => mistake && { mistake, start: await openBefore(client, id, mistake) },
    [client, mistake],
  );
  const failure = error ?? openingError;
  if (failure !== null) return <NoticePage text={errorText(failure, words)} />;
  if (mistakes?.length === 0) return <NoticePage text={own.noMistakes} />;
  if (!mistakes || !mistake || opened?.mistake !== mistake) return <NoticePage text={words.loading} role="status" />;
  const { start } = opened;
  const { best, played, win_lost } = mistake;
  const judge = async ([action]: readonly Action[]): Promise<Judgement> => {
    const [chosen, right] = await Promise.all(
      [action as Action, best.action].map((each) => tryAction(client, start, each)),
    );
    const isRight = chosen?.after?.notation === right?.after?.notation;
    return {
      status: isRight ? "solved" : "failed",
      text: isRight ? own.solved : own.failed,
      why: isRight ? "" : words.better(best.text),
      line: [],
      position: null,
      solution: [{ seat: mistake.seat, ...best }],
    };
  };
  const isLast = number + 1 === mistakes.length;
  return (
    <Practice
      key={mistake.revision}
      {...{ client, start, judge }}
      title={words.puzzles.mistakes}
      intro={own.played(played.text, Math.round(100 * win_lost))}
      next={(isMain) =>
        isLast ? (
          <a class={isMain ? "button primary" : "button"} href={links.game(id)}>
            {own.toGame}
          </a>
        ) : (
          <button class={isMain ? "primary" : undefined} onClick={() => setNumber(number + 1)}>
            {own.nextMistake}
          </button>
        )
      }
    >
      <section class="card puzzle">
        <h2>{own.mistake(number + 1, mistakes.length)}</h2>
        <a href={links.game(id)}>{own.toGame}</a>
      </section>
    </Practice>
  );
}
