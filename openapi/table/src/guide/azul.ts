/** Azul: a colour of a source, then a line; on the grey side, a column for each complete line. */
import type { Schemas } from "azul-games-client";
import type { Words } from "../words";
import { oneOf, ready, type Step } from "./steps";

type Draft = Schemas["AzulDraftChoice"];

export function azul(choices: Schemas["AzulChoices"], seat: number, words: Words): Step {
  if (choices.tile) {
    const { line, columns } = choices.tile;
    const options = columns.map((column) => ({
      label: words.column(column),
      on: [`#seat_${seat}_wall_${line}_${column}`],
      then: () => ready({ type: "azul.tile", line, column }),
    }));
    return oneOf(words.ask.column(line), options, "ask");
  }
  const options = choices.draft.map((draft) => ({
    label: words.from(words.colour(draft.colour), draft.source),
    on: [`#${draft.source} [data-colour="${draft.colour}"]`],
    look: { symbol: `tile-${draft.colour}` },
    then: () => lines(draft, seat, words),
  }));
  return oneOf(words.ask.draft, options, "ask");
}

function lines({ source, colour, lines }: Draft, seat: number, words: Words): Step {
  const options = lines.map((line) => ({
    label: words.line(line),
    on: [line === "floor" ? `#seat_${seat}_floor` : `#seat_${seat}_line_${line}`],
    then: () => ready({ type: "azul.draft", source, colour, line }),
  }));
  return oneOf(words.ask.line(words.from(words.colour(colour), source)), options, "ask");
}
