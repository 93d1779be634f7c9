import type { Schemas } from "@azul-games/client";
import { act } from "preact/test-utils";
import { useState } from "preact/hooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LiveGame } from "../src/game/live";
import { sound } from "../src/game/sound";
import { Replay, stepsOf } from "../src/review/replay";
import {
  decisionAt,
  DecisionVerdict,
  percentLost,
  Review,
  reviewArrows,
  type ReviewState,
  useReview,
} from "../src/review/review";
import { links } from "../src/shared/route";
import { WORDS } from "../src/shared/words";
import { useAttention } from "../src/table/attention";
import { Hint } from "../src/table/hint";
import { apiExample, finishedGame, type RecordedDecision, recordedLesson } from "./recordings";
import {
  advanceTime,
  fakeService,
  flushEffects,
  pageContext,
  pressButton,
  problemResponse,
  renderHook,
  renderPart,
  rerender,
  textOf,
  unmountAll,
} from "./render";

const { en } = WORDS;
const { game, events, analysis } = finishedGame("reviewed");
const decisions = analysis?.review?.decisions ?? [];
const steps = stepsOf(events, true);
const mistakes = decisions.filter(({ label }) => ["blunder", "mistake", "inaccuracy"].includes(label));
/** The minimum loss of winning chances for each label, as in `service.usecases.work.analyses`. */
const LEAST = { inaccuracy: 0.05, mistake: 0.1, blunder: 0.15 };

afterEach(async () => {
  await unmountAll();
  vi.useRealTimers();
});

const key = (name: string, target: EventTarget = document.body) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));

describe("review", () => {
  const reviewing = (found: Schemas["Analysis"] | null): ReviewState => ({
    analysis: found,
    decisions: found?.review?.decisions ?? [],
    requestReview: () => Promise.resolve(),
  });
  const drawnReview = (found: Schemas["Analysis"] | null, show = vi.fn(), shown = null, language = "en" as const) =>
    renderPart(
      <Review
        {...{ game, seats: [0], shown }}
        review={reviewing(found)}
        showDecision={show}
        viewRevision={(revision) => show(revision)}
      />,
      pageContext(language),
    );

  test("each decision belongs to the position before it", () => {
    expect(decisions.length).toBeGreaterThan(4);
    for (const decision of decisions) {
      const before = steps[steps.indexOf(decision.revision) - 1] ?? NaN;
      expect(decisionAt(decisions, steps, before)).toBe(decision);
    }
    expect(decisionAt(decisions, steps, steps.at(-1) ?? 0)).toBeNull();
    expect(decisionAt([], steps, steps[0] ?? 0)).toBeNull();
  });

  test("arrows show the played and the best move", () => {
    for (const judged of decisions) {
      const isBest = judged.played.id === judged.best.id;
      expect(reviewArrows(judged).map(({ kind }) => kind)).toEqual(isBest ? ["best"] : ["played", "best"]);
    }
    expect(decisions.some(({ played, best }) => played.id !== best.id)).toBe(true);
    expect(reviewArrows(null)).toEqual([]);
  });

  test("mistakes are listed with their loss", async () => {
    const show = vi.fn();
    const host = await drawnReview(analysis, show);
    const rows = [...host.querySelectorAll(".mistakes li")];
    expect(rows).toHaveLength(mistakes.length);
    expect(rows.length).toBeGreaterThan(0);
    for (const [at, row] of rows.entries()) {
      const told = mistakes[at] as Schemas["ReviewedDecision"];
      const [, label, percent] = /(\w+) \(−(\d+)%\)/.exec(textOf(row.querySelector("b"))) ?? [];
      expect([label, Number(percent)]).toEqual([told.label, percentLost(told)]);
      expect(Number(percent)).toBeGreaterThanOrEqual(Math.round(100 * LEAST[told.label as keyof typeof LEAST]));
      expect(textOf(row)).toContain(`Better: ${told.best.text}`);
    }
    await act(() => (rows.at(-1)?.querySelector("button") as HTMLElement).click());
    expect(show).toHaveBeenCalledWith(mistakes.at(-1));
  });

  test("a sentence of the story shows its revision, the last one the current position", async () => {
    const view = vi.fn();
    const host = await drawnReview(analysis, view);
    const story = analysis?.review?.story ?? [];
    const sentences = [...host.querySelectorAll<HTMLElement>(".story button")];
    expect(sentences.map(textOf)).toEqual(story.map(({ text }) => text));
    expect(story.at(-1)?.revision).toBe(game.revision);
    for (const sentence of sentences) await act(() => sentence.click());
    expect(view.mock.calls).toEqual([...story.slice(0, -1).map(({ revision }) => [revision]), [null]]);
  });

  test("own mistakes and blunders lead to their page", async () => {
    const link = (host: HTMLElement) => host.querySelector<HTMLAnchorElement>(`a[href="${links.mistakes(game.id)}"]`);
    const own = mistakes.filter(({ seat, label }) => seat === 0 && label !== "inaccuracy");
    expect(own.length).toBeGreaterThan(0);
    expect(textOf(link(await drawnReview(analysis)))).toBe(en.puzzles.learn(own.length));
    const others = decisions.filter((decision) => !own.includes(decision));
    const clean = { ...analysis, review: { ...analysis?.review, decisions: others } } as Schemas["Analysis"];
    expect(link(await drawnReview(clean))).toBeNull();
  });

  test("progress and a review without mistakes are shown", async () => {
    const running = apiExample<Schemas["Analysis"]>("getReview");
    const host = await drawnReview(running);
    expect(textOf(host.querySelector("[role=status]"))).toBe(en.reviewing(running.progress));
    const clean = { ...analysis, review: { ...analysis?.review, decisions: [] } } as unknown as Schemas["Analysis"];
    expect(textOf(await drawnReview(clean))).toContain(en.replay.clean);
    expect(textOf(await drawnReview(null))).toBe("");
  });

  test("the verdict names the played and the best move", async () => {
    const judged = mistakes[0] as Schemas["ReviewedDecision"];
    const host = await renderPart(<DecisionVerdict game={game} decision={judged} />);
    expect(textOf(host.querySelector(".best"))).toBe(`Better: ${judged.best.text}`);
    expect(textOf(host.querySelector(".played"))).toContain(judged.played.text);
  });

  test("a review requested by another player is found after the game", async () => {
    const { client, requests } = fakeService(() => analysis);
    const playing = await renderHook(() => useReview(client, game.id, false));
    await flushEffects();
    expect([requests.length, playing.now.analysis]).toEqual([0, null]);
    const found = await renderHook(() => useReview(client, game.id, true));
    await flushEffects();
    await flushEffects();
    expect(found.now.decisions).toEqual(decisions);
    const none = fakeService(() => problemResponse(404, "analysis/not_found"));
    const missing = await renderHook(() => useReview(none.client, game.id, true));
    await flushEffects();
    expect(missing.now.analysis).toBeNull();
  });

  test("a click on the curve shows the decision", async () => {
    const show = vi.fn();
    const host = await drawnReview(analysis, show);
    const curve = host.querySelector(".chances svg") as SVGSVGElement;
    vi.spyOn(curve, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 600, 150));
    const click = (clientX: number) =>
      act(() => void curve.dispatchEvent(new MouseEvent("click", { clientX, bubbles: true })));
    await click(0);
    await click(600);
    expect(show.mock.calls.map(([decision]) => decision)).toEqual([decisions[0], decisions.at(-1)]);
  });
});

describe("replay", () => {
  const end = steps.length - 1;

  async function renderReplay(begin = steps.at(-1) as number) {
    const viewed: (number | null)[] = [];
    const Looking = () => {
      const [revision, look] = useState(begin);
      const go = (to: number | null) => {
        viewed.push(to);
        look(to ?? (steps.at(-1) as number));
      };
      return <Replay steps={steps} revision={revision} viewRevision={go} />;
    };
    const host = await renderPart(<Looking />);
    return { host, viewed, note: () => textOf(host.querySelector(".note")) };
  }

  test("steps are the events that change the board", () => {
    expect(steps.length).toBeGreaterThan(5);
    expect(steps).toEqual([...steps].sort((one, other) => one - other));
    expect(
      events
        .filter(({ kind }) => kind === "resignation" || kind === "created")
        .some(({ revision }) => steps.includes(revision)),
    ).toBe(false);
    expect(stepsOf(events, false)).toEqual([]);
  });

  test("keys step through the game, however fast they are pressed", async () => {
    const { note, viewed } = await renderReplay();
    expect(note()).toBe(`${end + 1} of ${end + 1}`);
    for (const [name, place] of [
      ["Home", 1],
      ["ArrowRight", 2],
      ["ArrowRight", 3],
      ["ArrowLeft", 2],
    ] as const) {
      await act(() => void key(name));
      expect(note()).toBe(en.replay.at(place, end + 1));
    }
    await act(() => void key("End"));
    expect(viewed.at(-1)).toBeNull();
    expect(note()).toBe(`${end + 1} of ${end + 1}`);
  });

  test("keys in an input are ignored", async () => {
    const { viewed } = await renderReplay();
    const field = document.body.appendChild(document.createElement("input"));
    await act(() => void key("Home", field));
    field.remove();
    expect(viewed).toEqual([]);
  });

  test("play runs until the end or until it is stopped", async () => {
    vi.useFakeTimers();
    const { host, note } = await renderReplay();
    await pressButton(host, en.replay.play);
    expect(note()).toBe(`1 of ${end + 1}`); // at the end, play starts from the beginning
    await advanceTime(1600);
    expect(note()).toBe(`2 of ${end + 1}`);
    await pressButton(host, en.replay.stop);
    await advanceTime(5000);
    expect(note()).toBe(`2 of ${end + 1}`);
    await pressButton(host, en.replay.play);
    for (let step = 0; step < end + 2; step++) await advanceTime(1600);
    expect(note()).toBe(`${end + 1} of ${end + 1}`);
    expect(textOf(host.querySelector(".primary"))).toBe(en.replay.play);
    vi.useRealTimers();
  });
});

describe("hint", () => {
  const { game: deciding } = recordedLesson("azul").decisions[0] as { game: typeof game };
  const analysed = apiExample<Schemas["Analysis"]>("getAnalysis");

  test("a hint names and draws the AI's move with its value", async () => {
    const { client, requests } = fakeService(() => ({ ...analysed, status: "done", revision: deciding.revision }));
    const point = vi.fn();
    const host = await renderPart(<Hint client={client} game={deciding} showArrows={point} />);
    await pressButton(host, en.hint);
    for (let times = 0; times < 4; times++) await flushEffects();
    expect(await requests[0]?.json()).toMatchObject({ kind: "decision", best: 2 });
    const told = textOf(host.querySelector(".hint"));
    expect(analysed.decision?.actions[0]?.lead).toBeGreaterThan(0);
    expect(told).toMatch(/^Take .* points ahead at the end\. Chance to win: \d+%\./);
    expect(told.startsWith(analysed.decision?.actions[0]?.text ?? "?")).toBe(true);
    expect(point).toHaveBeenLastCalledWith([expect.objectContaining({ kind: "best" })]);
  });

  test("a refused hint can be requested again", async () => {
    const { client } = fakeService(() => problemResponse(429, "limits/too_many"));
    const toast = vi.fn();
    const host = await renderPart(
      <Hint client={client} game={deciding} showArrows={() => undefined} />,
      pageContext("en", { toast }),
    );
    await pressButton(host, en.hint);
    for (let times = 0; times < 4; times++) await flushEffects();
    expect(toast).toHaveBeenCalledTimes(1);
    expect(textOf(host.querySelector("button"))).toBe(en.hint);
  });
});

describe("browser tab", () => {
  const icon = () => document.head.querySelector("link")?.href ?? "";
  beforeEach(() => {
    document.head.innerHTML = '<link rel="icon" href="data:,">';
  });

  const [first, second] = recordedLesson("azul").decisions as [RecordedDecision, RecordedDecision];
  const live = (of: typeof game, known: typeof events): LiveGame => ({
    game: of,
    events: known,
    state: "open",
    refused: null,
  });

  test("the title shows the turn or the winner", async () => {
    const titled = async (of: typeof game, seats: readonly number[]) => {
      await renderHook(() => useAttention(live(of, []), seats, of.revision));
      const title = document.title;
      const isMarked = decodeURIComponent(icon()).includes("circle");
      await unmountAll();
      return [title, isMarked];
    };
    expect(await titled(first.game, [0])).toEqual(["● Your turn – Azul", true]);
    expect(await titled({ ...first.game, to_decide: 1 }, [0])).toEqual(["Lark (AI) is thinking… – Azul", false]);
    expect(await titled(first.game, [])).toEqual(["Anonymous is thinking… – Azul", false]);
    expect(await titled(game, [0])).toEqual(["Cuckoo (AI) won – Azul", false]);
    expect(icon()).toBe("data:,");
  });

  test("sounds signal our turn after the animation, and the end", async () => {
    const turn = vi.spyOn(sound, "turn").mockImplementation(() => undefined);
    const end = vi.spyOn(sound, "end").mockImplementation(() => undefined);
    const now = { live: live(first.game, first.events), seen: first.game.revision };
    const Tab = () => {
      useAttention(now.live, [0], now.seen);
      return null;
    };
    const host = await renderPart(<Tab />);
    expect(turn).not.toHaveBeenCalled(); // the turn began before the page was opened
    now.live = live(second.game, [...first.events, ...second.events]);
    await rerender(host, <Tab />);
    expect(turn).not.toHaveBeenCalled(); // tiles are still flying
    now.seen = second.game.revision;
    await rerender(host, <Tab />);
    expect(turn).toHaveBeenCalledTimes(1);
    const ended = { ...second.game, outcome: game.outcome, status: "finished" as const, to_decide: null, revision: 99 };
    [now.live, now.seen] = [live(ended, now.live.events as typeof events), 99];
    await rerender(host, <Tab />);
    expect(end).toHaveBeenCalledTimes(1);
  });

  test("no sound is played if sounds are off", async () => {
    const turn = vi.spyOn(sound, "turn").mockImplementation(() => undefined);
    const quiet = pageContext("en");
    quiet.settings.sound = false;
    const now = { live: live(first.game, first.events), seen: first.game.revision };
    const Tab = () => {
      useAttention(now.live, [0], now.seen);
      return null;
    };
    const host = await renderPart(<Tab />, quiet);
    now.live = live(second.game, [...first.events, ...second.events]);
    now.seen = second.game.revision;
    await rerender(host, <Tab />, quiet);
    expect(turn).not.toHaveBeenCalled();
  });
});
