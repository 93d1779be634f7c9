/**
 * What a ruleset provides for the table: one object of this type in the folder of each.
 *
 * Tables have an entry for each type of effect or action that the ruleset wants to show in its own way. All of them work
 * without: the registry has an answer for every ruleset and type.
 */
import type { Schemas } from "azul-games-client";
import type { JSX } from "preact";
import type { Language } from "../../shared/words";
import type { Effect, Happening } from "./events";
import type { Lesson } from "./lesson";
import type { Flight, Targets } from "./motion";
import type { Action, Choices, Step } from "./steps";

export type Position = Schemas["Position"];

/** The effects or actions of a ruleset. */
type Of<Union extends { type: string }, Id extends string> = Extract<Union, { type: `${Id}.${string}` }>;

/** A function for each type of effect or action. */
type Table<Union extends { type: string }, Values extends unknown[], Result> = {
  [Type in Union["type"]]?: (item: Extract<Union, { type: Type }>, ...values: Values) => Result;
};

/** Those of any ruleset: each function is given what is of its own. */
export type AnyPieces = Pieces<any, any, any, any, any, any>;

/** A scoring in words. */
export interface Scored {
  text: string;
  /** The colour of the tile that scored. */
  colour?: string;
  /** A loss that may be less than its cause, because no score goes below `least`. */
  limit?: { whole: number; least: number };
}

/** Texts of a ruleset that every page may show. */
export interface Texts {
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

export interface Pieces<
  Id extends string,
  Own extends Texts,
  Choosing = Extract<Choices, { ruleset: Id }>,
  Standing = Extract<Position, { ruleset: Id }>,
  Happened extends { type: string } = Of<Effect, Id>,
  Acted extends { type: string } = Of<Action, Id>,
> {
  /** The texts of the table with those of the ruleset. */
  words: Record<Language, Own>;
  /** A small picture for the first page. */
  Emblem: () => JSX.Element;
  /** How round the corners of its pieces are, as a share of their size. */
  roundness?: number;
  /** The first step of a decision. */
  guide: (choices: Choosing, position: Standing | null, seat: number, words: Own) => Step;
  /** The guided first game. */
  lesson: Lesson<Choosing, Standing, Own>;
  /** What moves where; by default points rise at the seat that has them. */
  flights: Table<Happened, [event: Happening], Flight[]>;
  /** From where to where an action's pieces go; by default nothing moves. */
  targets: Table<Acted, [seat: number], Targets>;
  /** Scorings at the end of a round or game, which are shown one after another; null: nothing was scored. */
  scorings: Table<Happened, [words: Own, variant: string], Scored | null>;
  /** A decision in a few words, without the name of the player; null: as the service says it. */
  moves: Table<Acted, [effects: readonly Effect[], words: Own, variant: string], string | null>;
}
