/** Events of the game's log. */
import type { Schemas } from "@azul-games/client";

export type GameEvent = Schemas["Event"];
export type Effect = Schemas["Effect"];

/** An action and its effects. Draws have no action. */
export type EventDetails = Pick<GameEvent, "effects" | "action">;

/** Return the first effect of a type. */
export const findEffect = <Type extends Effect["type"]>(
  effects: readonly Effect[],
  type: Type,
): Extract<Effect, { type: Type }> | undefined =>
  effects.find((effect): effect is Extract<Effect, { type: Type }> => effect.type === type);

/** Return where tiles were taken from. */
export const sourceOf = ({ action }: EventDetails): string => (action && "source" in action ? action.source : "centre");
