/** Scorings and moves of Azul in words. */
import { findEffect } from "../base/events";
import type { RulesetUi } from "../base/ruleset_ui";
import type { Words } from "./words";

/** Points by the number of occupied floor spaces. */
const FLOOR_POINTS = [0, -1, -2, -4, -6, -8, -11, -14];

export const scorings: RulesetUi<"azul", Words>["scorings"] = {
  "azul.tile_placed": ({ colour, line, column }, words) => ({
    colour,
    text: words.scoring.at(words.colour(colour), line, column),
  }),
  "azul.floor_penalty": ({ tiles, points }, { scoring }) =>
    tiles ? { text: scoring.floor(tiles), limit: { whole: FLOOR_POINTS[tiles] ?? points, least: 0 } } : null,
  "azul.end_bonus": ({ rows, columns, colours }, { scoring }) => ({
    text: [
      rows > 0 && scoring.rows(rows),
      columns > 0 && scoring.columns(columns),
      colours > 0 && scoring.colours(colours),
    ]
      .filter(Boolean)
      .join(", "),
  }),
};

export const moves: RulesetUi<"azul", Words>["moves"] = {
  "azul.draft": (action, effects, words) => {
    const taken = findEffect(effects, "azul.tiles_taken");
    const fallen = action.line === "floor" ? 0 : (findEffect(effects, "azul.tiles_fallen")?.count ?? 0);
    if (!taken) return null;
    const what = words.from(words.tiles(taken.count, words.colour(action.colour)), action.source);
    return words.moves.draft(what, action.line === "floor" ? null : words.line(action.line), fallen);
  },
  "azul.tile": ({ line, column }, _, words) => words.moves.tile(words.line(line), words.column(column)),
};
