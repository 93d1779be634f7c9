/** Pictures of players. */
import { afterEach, expect, test } from "vitest";
import { Avatar, initialsOf } from "../src/parts/player_link";
import { renderPart, unmountAll } from "./render";

afterEach(unmountAll);

test.each([
  ["Ada", "A"],
  ["ada lovelace", "AL"],
  ["Ana Maria de Souza", "AS"],
  ["Lark (AI)", "L"],
  ["Seat 2", "S2"],
  ["Élodie", "É"],
  ["ßeta", "SS"],
  ["😀 x", "X"],
  ["…", ""],
  ["", ""],
])("the initials of %j are %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("the picture depends only on the name, and has the colour of the seat", async () => {
  const pictureOf = async (name: string, seat?: number) =>
    (await renderPart(<Avatar name={name} seat={seat} />)).querySelector<HTMLElement>(".avatar");
  const [one, again, other] = [await pictureOf("Ada"), await pictureOf("Ada", 2), await pictureOf("Ben")];
  expect(one?.innerHTML).toBe(again?.innerHTML);
  expect(one?.innerHTML).not.toBe(other?.innerHTML);
  expect([one?.dataset["seatColour"], again?.dataset["seatColour"]]).toEqual([undefined, "2"]);
  expect(one?.textContent).toBe("");
});
