/** A position that is played on in this browser. The table shows it like a running game. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import { useMemo, useRef, useState } from "preact/hooks";
import type { Game } from "../game/live";
import type { GameSource } from "../game/source";
import type { GameEvent } from "../rulesets/base/events";
import type { Action } from "../rulesets/base/steps";
import { rulesetUi } from "../rulesets/ui_registry";
import { usePageContext } from "../shared/context";
import type { Words } from "../shared/words";

export type State = Schemas["PositionState"];
export type SeatAction = Pick<Schemas["LineAction"], "seat" | "action">;

/** The shown states, and the events that led to them. Those at index n belong to revision n + 1. */
interface Played {
  states: readonly State[];
  events: readonly GameEvent[];
}

export interface LocalGame {
  game: Game;
  events: readonly GameEvent[];
  source: GameSource;
  /** The last state. */
  state: State;
  /**
   * Play actions one after another. `from`: the state to return to before. `to`: the position after them; another one
   * if a different but equal action was expected.
   */
  play: (actions: readonly SeatAction[], ends: { from?: State; to?: Schemas["Position"] | null }) => Promise<void>;
}

/** Return the state of a position. */
export const openPosition = async (client: Client, position: Schemas["Position"]): Promise<State> =>
  unwrap(await client.POST("/v1/positions", { body: { position } }));

/** Return an action with its effects and the state after it. */
export async function tryAction(client: Client, { position }: State, action: Action): Promise<Schemas["TriedAction"]> {
  const { action: tried } = unwrap(await client.POST("/v1/positions", { body: { position, action } }));
  return tried as Schemas["TriedAction"];
}

const eventOf = (revision: number, event: object): GameEvent =>
  ({
    revision,
    at: "",
    seat: null,
    text: "",
    action: null,
    draw: null,
    effects: [],
    notation: null,
    ...event,
  }) as object as GameEvent;

/** Play from a state. `decide` receives the action that was chosen at the table; none is asked for if `isOver`. */
export function useLocalGame(
  client: Client,
  start: State,
  decide: (action: Action) => Promise<unknown>,
  isOver: boolean,
): LocalGame {
  const { words } = usePageContext();
  const [played, setPlayed] = useState<Played>(() => ({
    states: [start],
    events: [eventOf(1, { kind: "start" })],
  }));
  const { states, events } = played;
  const current = useRef({ states, decide });
  current.current = { states, decide };
  const source = useMemo<GameSource>(
    () => ({
      picture: async (revision, options, signal) => {
        const { notation: position_notation } = current.current.states[revision - 1] ?? start;
        const params = { query: { position_notation, ...options } };
        return unwrap(await client.GET("/v1/positions/board.svg", { params, parseAs: "text", signal })) as string;
      },
      choices: async ({ revision, position, ruleset }, signal) => {
        if (!position) return { revision, choices: null };
        const form = rulesetUi(ruleset) ? "choices" : "list";
        const { legal } = unwrap(await client.POST("/v1/positions", { body: { position, form }, signal }));
        return { revision, choices: legal?.choices ?? legal?.actions ?? null };
      },
      decide: (_, action) => current.current.decide(action),
    }),
    [client],
  );
  const play: LocalGame["play"] = async (actions, { from, to }) => {
    const next = [...states];
    const nextEvents = [...events];
    const add = (state: State, event: object) => {
      next.push(state);
      nextEvents.push(eventOf(next.length, event));
    };
    if (from) add(from, { kind: "takeback" });
    for (const { seat, action } of actions) {
      const { after, effects, text } = await tryAction(client, next.at(-1) as State, action);
      if (after) add(after, { kind: "action", seat, action, effects, text });
    }
    const end = to && (await openPosition(client, to));
    if (end && end.notation !== next.at(-1)?.notation) add(end, { kind: "takeback" });
    setPlayed({ states: next, events: nextEvents });
  };
  const game = useMemo(() => gameOf(states, isOver, words), [states, isOver, words]);
  return { game, events, source, state: states.at(-1) as State, play };
}

/** Return the game that the table shows. Its seats have numbers, as in the service's pictures of positions. */
function gameOf(states: readonly State[], isOver: boolean, words: Words): Game {
  const { position, seats, to_decide } = states.at(-1) as State;
  const { ruleset, variant } = position;
  const seat = { kind: "player", status: "active", level: null, player: null, endpoint: null, replaceable_at: null };
  return {
    ...{ id: "", ruleset, variant, ruleset_version: 1, revision: states.length, position, to_decide },
    ...{ status: isOver ? "finished" : "playing", outcome: null, offers: [], clock: null, paused_until: null },
    ...{ rematch: null, rematch_of: null, seed: null, seed_commitment: "", fair: true, from_position: true },
    ...{ help: false, visibility: "private", created_at: "", updated_at: "", expires_at: "" },
    seats: seats.map(({ score }, at) => ({ ...seat, name: words.seat(at), score })),
  } as Game;
}
