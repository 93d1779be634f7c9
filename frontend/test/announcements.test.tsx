import { afterEach, expect, test } from "vitest";
import type { Game } from "../src/game/live";
import type { CountChoice, Step } from "../src/rulesets/base/steps";
import { moveText } from "../src/rulesets/log";
import { WORDS } from "../src/shared/words";
import { Announcements } from "../src/table/accessible/announcements";
import { statusText } from "../src/table/move_bar";
import { scoreHistory } from "../src/table/scores/score_history";
import { playthrough, PLAYTHROUGHS } from "./recordings";
import { pageContext, renderPart, rerender, textOf, unmountAll } from "./render";

const { en } = WORDS;
const OWN = 0;

afterEach(unmountAll);

interface Shown {
  revision: number;
  toDecide: number;
  step?: Step | null;
  counts?: readonly number[];
  shownRevision?: number;
}

/** Return the live region of a game of Ana (this browser) and Ben. */
function announcements(name: string, { revision, toDecide, step = null, counts = [], shownRevision }: Shown) {
  const { events, scores } = playthrough(name);
  const game = {
    revision,
    variant: "coloured",
    status: "playing",
    outcome: null,
    to_decide: toDecide,
    seats: ["Ana", "Ben"].map((name, seat) => ({ name, kind: "player", status: "active", score: scores[seat] })),
  } as unknown as Game;
  const status = statusText(game, [OWN], en);
  const props = { status, game, seats: [OWN], events: events.slice(0, revision), step, counts };
  return <Announcements {...props} shownRevision={shownRevision ?? revision} />;
}

test.each(PLAYTHROUGHS)("each move of the other player and each round is announced once: %s", async (name) => {
  const { events, scores } = playthrough(name);
  const at = (revision: number) => announcements(name, { revision, toDecide: events[revision]?.seat ?? OWN });
  const host = await renderPart(at(1));
  const heard: string[] = [];
  let last: Element | null = null;
  for (let revision = 1; revision <= events.length; revision++) {
    await rerender(host, at(revision));
    const line: Element | null = host.querySelector("p:last-child");
    if (line !== last) heard.push(textOf(line));
    last = line;
    expect(host.querySelectorAll("p").length).toBeLessThanOrEqual(10);
  }
  const all = heard.join("\n");
  const others = events.slice(1).filter(({ kind, seat }) => kind === "action" && seat !== OWN);
  const count = (text: string) => all.split(text).length - 1;
  const expected = new Map<string, number>();
  for (const event of others) {
    const text = `Ben ${moveText(event, en, "coloured")}`;
    expected.set(text, (expected.get(text) ?? 0) + 1);
  }
  expect(expected.size).toBeGreaterThan(10);
  expect(count("Ben took") + count("Ben placed") + count("Ben passed") + count("Ben bought") + count("Ben moved")).toBe(
    others.length,
  );
  for (const text of expected.keys()) expect(all).toContain(text);
  const moves = events.filter(({ kind, seat }) => kind === "action" && seat === OWN);
  for (const event of moves) expect(all).not.toContain(`Ana ${moveText(event, en, "coloured")}`);
  const history = scoreHistory(events, { seats: scores.map((score) => ({ score })) } as unknown as Game).slice(1);
  for (const { round } of history) expect(count(`${en.scoring.round(round)}: Ana `)).toBe(1);
});

test("nothing is announced before the picture shows it, and nothing twice", async () => {
  const name = "azul.coloured.2";
  const { events } = playthrough(name);
  const first = events.findIndex(({ kind, seat }) => kind === "action" && seat !== OWN) + 1;
  const host = await renderPart(announcements(name, { revision: first - 1, toDecide: 1 }));
  const heard = () => [...host.querySelectorAll("p")].map(textOf);
  expect(heard()).toEqual([en.thinking("Ben")]);
  await rerender(host, announcements(name, { revision: first, toDecide: OWN, shownRevision: first - 1 }));
  expect(heard()).toHaveLength(1);
  await rerender(host, announcements(name, { revision: first, toDecide: OWN }));
  const move = events[first - 1] as (typeof events)[number];
  expect(heard().at(-1)).toBe(`Ben ${moveText(move, en, "coloured")}. ${en.yourTurn}.`);
  const step: CountChoice = {
    kind: "some",
    question: "Pay 2 pieces",
    items: [],
    start: [],
    canAdd: () => true,
    isComplete: () => true,
    describe: ([count = 0]) => `You pay ${count}.`,
    next: () => step,
  };
  for (const count of [0, 1, 1])
    await rerender(host, announcements(name, { revision: first, toDecide: OWN, step, counts: [count] }));
  expect(heard().slice(2)).toEqual(["Pay 2 pieces. You pay 0.", "You pay 1."]);
});

test("other events name the player, too", async () => {
  const name = "azul.coloured.2";
  const { events } = playthrough(name);
  const host = await renderPart(announcements(name, { revision: 2, toDecide: OWN }));
  const resigned = { ...events[2], kind: "resignation", seat: 1, text: `${en.seat(1)} resigned.`, effects: [] };
  const { props } = announcements(name, { revision: 3, toDecide: OWN });
  await rerender(host, <Announcements {...props} events={[...events.slice(0, 2), resigned]} />);
  expect(textOf(host)).toContain("Ben resigned.");
});

test("announcements are in the language of the page", async () => {
  const name = "azul.coloured.2";
  const { events } = playthrough(name);
  const first = events.findIndex(({ kind }) => kind === "action") + 1;
  const context = pageContext("de");
  const host = await renderPart(announcements(name, { revision: first - 1, toDecide: 1 }), context);
  await rerender(host, announcements(name, { revision: first + 2, toDecide: 1 }), context);
  expect(textOf(host)).toMatch(/Ben nahm \d × \w+ aus Manufaktur \d für Reihe \d/);
});
