/**
 * What a ruleset provides for the table: `RulesetInfo` for every page, and `RulesetUi` for the page of a game.
 *
 * `flights`, `targets`, `scorings` and `moves` have an optional entry for each type of effect or action.
 * `rulesets/log.ts` and `rulesets/choices.ts` contain the defaults.
 */
import type { Schemas } from "@azul-games/client";
import type { JSX } from "preact";
import type { Language } from "../../shared/words";
import type { Effect, EventDetails } from "./events";
import type { Lesson } from "./lesson";
import type { Flight, MoveTargets } from "./motion";
import type { Action, Choices, Step } from "./steps";

export type Position = Schemas["Position"];

/** The members of a union that belong to a ruleset. */
type OfRuleset<Union extends { type: string }, Id extends string> = Extract<Union, { type: `${Id}.${string}` }>;

/** An optional function for each type of effect or action. */
type Handlers<Union extends { type: string }, Values extends unknown[], Result> = {
  [Type in Union["type"]]?: (item: Extract<Union, { type: Type }>, ...values: Values) => Result;
};

/** The object of any ruleset. Callers pass only values of the same ruleset. */
export type AnyRulesetUi = RulesetUi<any, any, any, any, any, any>;

export interface ScoringText {
  text: string;
  /** The colour of the scoring tile. */
  colour?: string;
  /** The full loss, and the minimum score that may have reduced it. */
  limit?: { whole: number; least: number };
}

/** Texts of a ruleset that every page may show. */
export interface RulesetTexts {
  name: string;
  /** A description in one or two sentences. */
  inShort: string;
  /** What the game is about and how one wins, for the first card of a lesson. */
  goal: string;
  /** Names of the sides of the board. */
  variants: Record<string, string>;
  /** Names of the parts of a score. */
  parts: Record<string, string>;
  /** Notes about uncertain rules, by variant or for `any`. */
  sureness?: Record<string, string>;
  /** Explanations of parts of the picture. */
  legend?: readonly (readonly [name: string, explanation: string])[];
}

/** Loaded with the start page. */
export interface RulesetInfo {
  /** The table's texts together with those of the ruleset. */
  words: Record<Language, RulesetTexts>;
  /** A small picture for the start page. */
  Emblem: () => JSX.Element;
  lessonSeed: number;
}

/** Loaded with the page of a game. */
export interface RulesetUi<
  Id extends string,
  RulesetWords extends RulesetTexts,
  RulesetChoices = Extract<Choices, { ruleset: Id }>,
  RulesetPosition = Extract<Position, { ruleset: Id }>,
  RulesetEffect extends { type: string } = OfRuleset<Effect, Id>,
  RulesetAction extends { type: string } = OfRuleset<Action, Id>,
> {
  /** The table's texts together with those of the ruleset. */
  words: Record<Language, RulesetWords>;
  /** The corner radius of pieces, as a share of their size. */
  roundness?: number;
  /** Return the first step of a decision. */
  guide: (choices: RulesetChoices, position: RulesetPosition | null, seat: number, words: RulesetWords) => Step;
  /** The guided first game. */
  lesson: Lesson<RulesetChoices, RulesetPosition, RulesetWords>;
  /** Movements by type of effect. By default points rise at the seat. */
  flights: Handlers<RulesetEffect, [event: EventDetails], Flight[]>;
  /** Starts and ends of arrows by type of action. By default there is no arrow. */
  targets: Handlers<RulesetAction, [seat: number], MoveTargets>;
  /** Scorings at the end of a round or game, which are animated one by one. Null: no points. */
  scorings: Handlers<RulesetEffect, [words: RulesetWords, variant: string], ScoringText | null>;
  /** Short texts of actions, without the player's name. Null: the service's text is used. */
  moves: Handlers<RulesetAction, [effects: readonly Effect[], words: RulesetWords, variant: string], string | null>;
}
