/** Names and pictures of players. */
import type { Schemas } from "@azul-games/client";
import { afterEach, expect, test } from "vitest";
import { entrantName } from "../src/competitions/standings";
import { ownName } from "../src/parts/name_field";
import { Avatar, initialsOf, playerName, seatNames } from "../src/parts/player_link";
import type { Me } from "../src/shared/me";
import { WORDS } from "../src/shared/words";
import { NOBODY, pageContext, renderPart, unmountAll } from "./render";

const { en } = WORDS;

afterEach(unmountAll);

/** Return the names of a player in lists, at a seat and in a competition. The service stores the name or the handle. */
function namesOf(name: string | null, handle: string | null): (string | undefined)[] {
  const stored = name ?? handle;
  return [
    playerName({ name, handle }, en),
    seatNames([{ kind: "player", name: stored, level: null }], en)[0],
    entrantName({ player: "an id", name: stored }, en),
  ];
}

test.each([
  ["Ana", "ana", "Ana"],
  ["Ana", null, "Ana"],
  [null, "ana", "ana"],
  [null, null, "Anonymous"],
])("the player with the name %j and the handle %j is %j everywhere", (name, handle, shown) => {
  expect(namesOf(name, handle)).toEqual([shown, shown, shown]);
  const me = { ...NOBODY, player: { name, handle } } as unknown as Me;
  const { settings } = pageContext();
  expect(ownName({ ...settings, name: "typed before" }, me)).toBe(name ?? handle ?? "typed before");
});

test("a right-to-left name is isolated in texts and keeps its initials and its picture", async () => {
  const seats = ["محمد", "Ana", "محمد"].map((name) => ({ name, kind: "player" as const, level: null }));
  expect(seatNames(seats, en)).toEqual(["\u2068محمد\u2069 1", "Ana", "\u2068محمد\u2069 2"]);
  const [shown, stored] = [playerName({ name: "محمد" }, en), "محمد"].map((name) => <Avatar name={name} />);
  const pictures = [await renderPart(shown), await renderPart(stored)].map((host) => host.innerHTML);
  expect(pictures[0]).toBe(pictures[1]);
  expect(pictures[0]).toContain('data-initials="م"');
});

test("seats are named after their players and AIs, open ones by number, and deleted players are gone", () => {
  const seat = (kind: Schemas["Seat"]["kind"], level: Schemas["Seat"]["level"] = null) => ({ kind, level, name: null });
  const seats = [seat("player"), seat("ai", "casual"), seat("open"), seat("player")];
  expect(seatNames(seats, en)).toEqual(["Anonymous 1", "Lark (AI)", "Seat 3", "Anonymous 2"]);
  expect([playerName(null, en), entrantName({ player: null, name: null }, en)]).toEqual(
    Array(2).fill(en.deletedPlayer),
  );
});

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
