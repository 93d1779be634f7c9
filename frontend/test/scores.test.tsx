import { afterEach, describe, expect, test, vi } from "vitest";
import type { Game } from "../src/game/live";
import { words as azul } from "../src/rulesets/azul/words";
import type { Effect, GameEvent } from "../src/rulesets/base/events";
import { scoringOf, splitIntoBeats } from "../src/rulesets/log";
import { WORDS } from "../src/shared/words";
import { signed } from "../src/shared/words/plural";
import { Log } from "../src/table/panels";
import { Result } from "../src/table/result";
import { immediatePoints, scoreHistory } from "../src/table/scores/score_history";
import { turningPoint } from "../src/table/scores/turning_point";
import { finishedGame, playthrough, PLAYTHROUGHS } from "./recordings";
import { fakeService, pageContext, pressButton, renderPart, textOf, unmountAll } from "./render";

const { en } = WORDS;
const INITIAL_SCORE: Record<string, number> = { azul: 0, "summer-pavilion": 5, "queens-garden": 15 };

afterEach(unmountAll);

/** Return the parts of a game that the score history needs. */
const gameWithScores = (scores: readonly number[]): Game =>
  ({ seats: scores.map((score) => ({ score })) }) as unknown as Game;

describe.each(PLAYTHROUGHS)("scores of %s", (name) => {
  const { events, scores } = playthrough(name);
  const course = scoreHistory(events, gameWithScores(scores));

  test("the history begins with the initial scores", () => {
    const begun = INITIAL_SCORE[name.split(".")[0] ?? ""];
    expect(course[0]?.scores).toEqual(scores.map(() => begun));
    expect(course.map(({ round }) => round)).toEqual(course.map((_, round) => round));
    expect(course.length).toBeGreaterThan(4);
  });

  test("scores are the sum of the effects up to the end of the round", () => {
    for (const { revision, scores: then } of course.slice(1)) {
      const before = events.slice(0, revision - 1).flatMap(({ effects }) => effects);
      const { effects = [] } = events[revision - 1] ?? {};
      const ended = effects.findIndex(({ type }) => type.endsWith(".round_ended"));
      const made = [...before, ...effects.slice(0, ended)].flatMap((effect) =>
        "points" in effect && effect.seat === 0 ? effect.points : [],
      );
      expect(then[0]).toBe((course[0]?.scores[0] ?? 0) + made.reduce((sum, each) => sum + each, 0));
    }
  });

  test("every scoring has a text in both languages", () => {
    let told = 0;
    for (const event of events) {
      const shown = splitIntoBeats(event).flatMap(({ scoring }) => (scoring && "points" in scoring ? scoring : []));
      for (const effect of shown) {
        const scoring = scoringOf(effect, en, "coloured");
        expect(scoring).toMatchObject({ seat: effect.seat, points: effect.points });
        expect(scoring?.text).toMatch(/\w/);
        expect(scoring?.text).not.toMatch(/undefined|NaN|\[object/);
        expect(scoring?.text).not.toMatch(/× 0/);
        expect(scoringOf(effect, WORDS.de, "coloured")?.text).not.toMatch(/undefined|NaN|\[object/);
        told++;
      }
      const all = event.effects.reduce((sum, effect) => sum + ("points" in effect ? effect.points : 0), 0);
      const scored = event.effects.reduce((sum, effect) => sum + (scoringOf(effect, en, "coloured")?.points ?? 0), 0);
      expect(immediatePoints(event, en) + scored).toBe(all);
    }
    expect(told).toBeGreaterThan(3);
  });
});

test("points of a move that was taken back do not count", () => {
  const { events, scores } = playthrough("summer-pavilion.coloured.2");
  const at = events.findIndex((event) => immediatePoints(event, en) > 1);
  const [scored] = [events[at] as GameEvent];
  const taken = { ...scored, revision: at + 2, kind: "takeback", to: at, effects: [] } as unknown as GameEvent;
  const later = events.slice(at).map((event) => ({ ...event, revision: event.revision + 2 }));
  const course = scoreHistory([...events.slice(0, at + 1), taken, ...later], gameWithScores(scores));
  const whole = scoreHistory(events, gameWithScores(scores));
  expect(course.map(({ scores: each }) => each)).toEqual(whole.map(({ scores: each }) => each));
});

test("a loss limited by the minimum score says so", () => {
  const text = (effect: object, words = en) => scoringOf({ seat: 0, ...effect } as Effect, words, "coloured")?.text;
  const floor = { type: "azul.floor_penalty", tiles: 7 };
  expect(text({ ...floor, points: -14 })).toBe("7 floor spaces");
  expect(text({ ...floor, points: -3 })).toBe("7 floor spaces: −14, limited to −3 (a score cannot go below 0)");
  expect(text({ ...floor, points: -3 }, WORDS.de)).toBe(
    "7 Bodenfelder: −14, begrenzt auf −3 (der Punktestand sinkt nicht unter 0)",
  );
  expect(text({ ...floor, points: 0 })).toContain("−14, limited to 0 (a score cannot go below 0)");
  expect(text({ ...floor, tiles: 0, points: 0 })).toBeUndefined();
  const leftover = { type: "summer-pavilion.leftover_penalty", tiles: { red: 2, blue: 1 } };
  expect(text({ ...leftover, points: -3 })).toBe("3 tiles left over");
  expect(text({ ...leftover, points: -2 })).toContain("−3, limited to −2 (a score cannot go below 1)");
  const storage = { type: "queens-garden.storage_counted", values: 5, jokers: 1 };
  expect(text({ ...storage, points: -4 })).toBe("left over: pieces worth 5, 1 joker");
  expect(text({ ...storage, points: -1 })).toContain("−4, limited to −1 (a score cannot go below 0)");
  expect(text({ ...storage, values: 0, jokers: 0, points: 0 })).toBeUndefined();
});

describe("score sheet", () => {
  const { game, events } = finishedGame("finished");
  const seats = game.outcome?.seats ?? [];
  const close = vi.fn();
  const resultOf = (shown: Game, known = events, own: readonly number[] = [], isNew = false) => (
    <Result
      game={shown}
      events={known}
      seats={own}
      client={fakeService(() => ({})).client}
      reportErrors={(request) => request}
      review={{ analysis: null, decisions: [], requestReview: async () => undefined }}
      isOpen
      isNew={isNew}
      close={close}
    />
  );
  const sheet = resultOf(game);

  test("a lost focus moves to the result of a game that ends, but not of a game that was over", async () => {
    await renderPart(sheet);
    expect(document.activeElement).toBe(document.body);
    const host = await renderPart(resultOf(game, events, [], true));
    expect(document.activeElement).toBe(host.querySelector(".verdict"));
  });

  test("the sheet has a row for each part and the total", async () => {
    const host = await renderPart(sheet);
    const rows = [...host.querySelectorAll("tbody tr, tfoot tr")].map((row) =>
      [...row.querySelectorAll("td")].map((cell) => Number(textOf(cell).replace("–", "0").replace("−", "-"))),
    );
    const parts = Object.keys(seats[0]?.breakdown ?? {});
    expect(parts).toHaveLength(4);
    expect(rows).toEqual([
      ...parts.map((part) => seats.map(({ breakdown }) => breakdown[part])),
      seats.map(({ score }) => score),
    ]);
    const heads = [...host.querySelectorAll("tbody th")].map(textOf);
    expect(heads).toEqual(parts.map((part) => azul.en.parts[part]));
  });

  test("the verdict names winner and margin", async () => {
    const winner = seats.findIndex(({ won }) => won);
    const margin = Math.abs((seats[0]?.score ?? 0) - (seats[1]?.score ?? 0));
    expect(margin).toBeGreaterThan(0);
    const host = await renderPart(sheet);
    expect(textOf(host.querySelector(".verdict"))).toContain(
      `${game.seats[winner]?.name} won ${en.scoring.winBy(margin)}`,
    );
    const shared = { ...game, outcome: { ...game.outcome, seats: seats.map((seat) => ({ ...seat, won: true })) } };
    const both = await renderPart(resultOf(shared as Game));
    expect(textOf(both.querySelector(".verdict"))).toContain("Ada and Ben won");
    expect(textOf(both.querySelector(".verdict"))).toContain(en.scoring.shared);
  });

  test("a sentence says where the game was decided", async () => {
    const sentence = turningPoint(game, scoreHistory(events, game), en);
    expect(sentence).toMatch(/^(Ada|Ben) |^The final scoring/);
    expect(textOf((await renderPart(sheet)).querySelector(".decided"))).toBe(sentence);
  });

  test("the verdict names the reason if points did not decide", async () => {
    const { game: resigned, events: known } = finishedGame("reviewed");
    const verdict = async (own: readonly number[], language: "en" | "de", shown = resigned) => {
      return textOf((await renderPart(resultOf(shown, known, own), pageContext(language))).querySelector(".verdict"));
    };
    expect(await verdict([0], "en")).toContain("Cuckoo (AI) won You resigned.");
    expect(await verdict([1], "en")).toContain("Your opponent resigned.");
    expect(await verdict([1], "de")).toContain("Dein Gegner hat aufgegeben.");
    expect(await verdict([], "en")).toContain("Anonymous resigned.");
    expect(await verdict([0, 1], "de")).toContain("Anonym hat aufgegeben.");
    const [loser, winner] = resigned.seats;
    const outcome = { ...resigned.outcome, seats: [0, 1, 0].map((seat) => resigned.outcome?.seats[seat]) };
    const three = { ...resigned, seats: [loser, winner, loser], outcome } as Game;
    expect(await verdict([1], "en", three)).toContain("The other players resigned.");
    expect(await verdict([1], "de", three)).toContain("Die anderen haben aufgegeben.");
  });

  test("places are listed from the first, with the colours of the seats", async () => {
    const host = await renderPart(sheet);
    const ranked = [...seats.keys()].sort((one, other) => (seats[one]?.rank ?? 0) - (seats[other]?.rank ?? 0));
    const places = [...host.querySelectorAll<HTMLElement>(".places li")];
    expect(places.map(({ dataset }) => Number(dataset["seatColour"]))).toEqual(ranked);
    expect(places.map(textOf)).toEqual(
      ranked.map((seat) => `${seats[seat]?.rank}. ${game.seats[seat]?.name} ${seats[seat]?.score} points`),
    );
  });

  test("columns are headed by names and pictures in the colours of the seats", async () => {
    const host = await renderPart(sheet);
    const heads = [...host.querySelectorAll<HTMLElement>("thead [data-seat-colour]:not(.avatar)")];
    expect(heads.map(textOf)).toEqual(["Ada", "Ben"]);
    const pictures = heads.map((head) => head.querySelector<HTMLElement>(".avatar")?.dataset);
    expect(pictures.map((data) => [data?.["initials"], data?.["seatColour"]])).toEqual([
      ["A", "0"],
      ["B", "1"],
    ]);
  });

  test("the result is closed by its button, by Escape, and by opening the review", async () => {
    const host = await renderPart(sheet);
    expect(host.querySelector<HTMLElement>(".sheet")?.dataset["open"]).toBe("true");
    await pressButton(host, en.scoring.close);
    dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    await pressButton(host, en.review);
    expect(close).toHaveBeenCalledTimes(3);
  });

  test("players offer a rematch, watchers do not", async () => {
    const buttons = async (own: readonly number[]) =>
      [...(await renderPart(resultOf(game, events, own))).querySelectorAll(".tools button")].map(textOf);
    expect(await buttons([])).toEqual([en.review, en.scoring.share]);
    expect(await buttons([0])).toEqual([en.rematch, en.review, en.scoring.share]);
  });

  test("the curve shows the scores by round", async () => {
    const host = await renderPart(sheet);
    const label = host.querySelector(".course svg")?.getAttribute("aria-label") ?? "";
    for (const [seat, name] of ["Ada", "Ben"].entries()) {
      const [, told = ""] = new RegExp(`${name}: ([-\\d, ]+)`).exec(label) ?? [];
      const points = told.split(", ").map(Number);
      expect([points[0], points.at(-1)]).toEqual([0, seats[seat]?.score]);
      expect(points).toHaveLength(scoreHistory(events, game).length + 1);
    }
  });

  test("the result is copied if the device cannot share", async () => {
    const written: string[] = [];
    vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => void written.push(text));
    const toasted: string[] = [];
    const host = await renderPart(sheet, pageContext("en", { toast: (text) => toasted.push(text) }));
    await pressButton(host, en.scoring.share);
    for (const [seat, name] of ["Ada", "Ben"].entries()) expect(written[0]).toContain(`${name} ${seats[seat]?.score}`);
    expect(written[0]).toMatch(new RegExp(`#/${game.id}$`));
    expect(toasted).toEqual(["Copied."]);
  });
});

describe("turning point", () => {
  const { game } = finishedGame("finished");
  const winner = game.outcome?.seats.findIndex(({ won }) => won) ?? -1;
  const [name, loser] = [game.seats[winner]?.name ?? "", 1 - winner];
  const margin = Math.abs((game.outcome?.seats[0]?.score ?? 0) - (game.outcome?.seats[1]?.score ?? 0));
  /** Return a history in which the winner has these leads after each round. */
  const historyOf = (leads: readonly number[]) =>
    [0, ...leads].map((lead, round) => ({
      round,
      revision: round,
      scores: [0, 0].map((_, seat) => (seat === loser ? 50 : 50 + lead)),
    }));

  test.each([
    [[2, 5, 1], `${name} led after every round.`],
    [[-2, 3, 1], `${name} took the lead for good in round 2.`],
    [[5, -1, 3], `${name} took the lead for good in round 3.`],
    [[5, 0, 0, 3], `${name} took the lead for good in round 4.`],
    [[5, 2, -4], `The final scoring decided: before it, ${name} was 4 points behind.`],
    [[5, 2, 0], "The final scoring decided: before it, the leaders were level."],
    [[5], ""],
  ])("with leads of %j", (leads, sentence) => {
    expect(margin).toBeGreaterThan(0);
    expect(turningPoint(game, historyOf(leads), en)).toBe(sentence);
  });

  test("is missing if points did not decide, or if several players won", () => {
    const outcome = (changes: object) => ({ ...game, outcome: { ...game.outcome, ...changes } }) as Game;
    const seats = game.outcome?.seats.map((seat) => ({ ...seat, won: true }));
    for (const other of [outcome({ reason: "timeout" }), outcome({ seats }), { ...game, outcome: null }])
      expect(turningPoint(other, historyOf([1, 2, 3]), en)).toBe("");
  });
});

describe("log", () => {
  test("entries name the player instead of the seat", async () => {
    const { game, events } = finishedGame("reviewed");
    const named = { ...game, seats: game.seats.map((seat, at) => (at === 0 ? { ...seat, name: "Ana" } : seat)) };
    const host = await renderPart(<Log game={named} events={events} viewRevision={() => undefined} />);
    const lines = [...host.querySelectorAll("li button")].map(textOf);
    expect(lines).toContain("Ana resigns.");
    expect(lines.filter((line) => line.startsWith("Ana took "))).toHaveLength(4);
  });

  test("entries have the numbered names of the seats", async () => {
    const { game, events } = finishedGame("reviewed");
    const alike = { ...game, seats: game.seats.map((seat) => ({ ...seat, name: "Ana" })) };
    const host = await renderPart(<Log game={alike} events={events} viewRevision={() => undefined} />);
    expect([...host.querySelectorAll("li button")].map(textOf)).toContain("Ana 1 resigns.");
  });

  test("each round ends with the scores of all seats", async () => {
    const { game, events } = finishedGame("finished");
    const host = await renderPart(<Log game={game} events={events} viewRevision={() => undefined} />);
    const standings = [...host.querySelectorAll(".standings")].map(textOf);
    const course = scoreHistory(events, game).slice(1);
    expect(standings).toHaveLength(course.length);
    for (const [at, { scores }] of course.entries())
      expect(standings[at]).toContain(`Ada ${scores[0]} · Ben ${scores[1]}`);
  });

  test("scorings have the order of the animation", async () => {
    const { game, events } = finishedGame("finished");
    const event = events.find(({ effects }) => effects.some(({ type }) => type === "azul.round_ended")) as GameEvent;
    const host = await renderPart(<Log game={game} events={events} viewRevision={() => undefined} />);
    const rows = [...host.querySelectorAll(`li[data-revision="${event.revision}"] .scorings > li:not(.standings)`)];
    const shown = splitIntoBeats(event).flatMap(({ scoring }) => {
      const told = scoring && scoringOf(scoring, en, "coloured");
      return told ? `${game.seats[told.seat]?.name}: ${told.text} ${signed(told.points)}` : [];
    });
    expect(shown.length).toBeGreaterThan(1);
    const changing = rows.filter((row) => row.querySelector(".gain")?.textContent !== "0"); // others have no animation
    expect(changing.map((row) => textOf(row).replace(/\s/g, ""))).toEqual(shown.map((each) => each.replace(/\s/g, "")));
  });

  test("a click shows the table at that revision", async () => {
    const { game, events } = finishedGame("finished");
    const looked: (number | null)[] = [];
    const host = await renderPart(
      <Log game={game} events={events} viewRevision={(revision) => looked.push(revision)} />,
    );
    const buttons = [...host.querySelectorAll<HTMLButtonElement>("li button")];
    buttons[5]?.click();
    buttons.at(-1)?.click();
    expect(looked).toEqual([events[5]?.revision, null]);
  });
});
