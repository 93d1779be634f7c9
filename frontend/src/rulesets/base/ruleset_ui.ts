/**
 * What a ruleset provides for the table: one object of this type in the folder of each.
 *
 * Tables have an entry for each type of effect or action that the ruleset wants to show in its own way. All of them work
 * without: the registry has an answer for every ruleset and type.
 */
import type { Schemas } from "azul-games-client";
import type { JSX } from "preact";
import type { Language } from "../../shared/words";
import type { Effect, EventDetails } from "./events";
import type { Lesson } from "./lesson";
import type { Flight, MoveTargets } from "./motion";
import type { Action, Choices, Step } from "./steps";

export type Position = Schemas["Position"];

/** The effects or actions of a ruleset. */
type OfRuleset<Union extends { type: string }, Id extends string> = Extract<Union, { type: `${Id}.${string}` }>;

/** A function for each type of effect or action. */
type Handlers<Union extends { type: string }, Values extends unknown[], Result> = {
  [Type in Union["type"]]?: (item: Extract<Union, { type: Type }>, ...values: Values) => Result;
};

/** Those of any ruleset: each function is given what is of its own. */
export type AnyRulesetUi = RulesetUi<any, any, any, any, any, any>;

/** A scoring in words. */
export interface ScoringText {
  text: string;
  /** The colour of the tile that scored. */
  colour?: string;
  /** A loss that may be less than its cause, because no score goes below `least`. */
  limit?: { whole: number; least: number };
}

/** Texts of a ruleset that every page may show. */
export interface RulesetTexts {
  name: string;
  /** What it is about, in a sentence or two. */
  inShort: string;
  /** The sides of the board. */
  variants: Record<string, string>;
  /** What the total of a score is made of. */
  parts: Record<string, string>;
  /** How certain the rules of a variant are, or of `any`; only where some are not. */
  sureness?: Record<string, string>;
  /** Parts of the picture that need an explanation. */
  legend?: readonly (readonly [name: string, explanation: string])[];
}

export interface RulesetUi<
  Id extends string,
  RulesetWords extends RulesetTexts,
  RulesetChoices = Extract<Choices, { ruleset: Id }>,
  RulesetPosition = Extract<Position, { ruleset: Id }>,
  RulesetEffect extends { type: string } = OfRuleset<Effect, Id>,
  RulesetAction extends { type: string } = OfRuleset<Action, Id>,
> {
  /** The texts of the table with those of the ruleset. */
  words: Record<Language, RulesetWords>;
  /** A small picture for the first page. */
  Emblem: () => JSX.Element;
  /** How round the corners of its pieces are, as a share of their size. */
  roundness?: number;
  /** The first step of a decision. */
  guide: (choices: RulesetChoices, position: RulesetPosition | null, seat: number, words: RulesetWords) => Step;
  /** The guided first game. */
  lesson: Lesson<RulesetChoices, RulesetPosition, RulesetWords>;
  /** What moves where; by default points rise at the seat that has them. */
  flights: Handlers<RulesetEffect, [event: EventDetails], Flight[]>;
  /** From where to where an action's pieces go; by default nothing moves. */
  targets: Handlers<RulesetAction, [seat: number], MoveTargets>;
  /** Scorings at the end of a round or game, which are shown one after another; null: nothing was scored. */
  scorings: Handlers<RulesetEffect, [words: RulesetWords, variant: string], ScoringText | null>;
  /** A decision in a few words, without the name of the player; null: as the service says it. */
  moves: Handlers<RulesetAction, [effects: readonly Effect[], words: RulesetWords, variant: string], string | null>;
}
