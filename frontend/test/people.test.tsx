import { ProblemError, type Schemas } from "@azul-games/client";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Account } from "../src/people/account";
import { Curve, withInitialRating } from "../src/people/curve";
import type { Game } from "../src/game/live";
import { KeyCard } from "../src/parts/key_card";
import { NameInput } from "../src/parts/name_field";
import { usePendingRequest } from "../src/people/pending_request";
import { errorText } from "../src/shared/context";
import { storeGame } from "../src/shared/store";
import { WORDS } from "../src/shared/words";
import { Watchers } from "../src/table/presence";
import { Seats } from "../src/table/seats";
import { apiExample, recordedLesson } from "./recordings";
import {
  advanceTime,
  fakeService,
  flushEffects,
  NOBODY,
  pageContext,
  pressButton,
  problemResponse,
  renderHook,
  renderPart,
  textOf,
  unmountAll,
} from "./render";

const { en, de } = WORDS;

beforeEach(() => void (location.hash = "#/lobby"));
afterEach(async () => {
  await unmountAll();
  localStorage.clear();
  sessionStorage.clear();
});

describe("names", () => {
  test.each([
    ["a".repeat(40), true],
    ["a".repeat(41), false],
    ["👍".repeat(40), true],
    ["👩‍👩‍👧‍👦".repeat(6), false],
    [`  ${"a".repeat(40)}  `, true],
  ])("the field counts the characters of %j like the service", async (name, isValid) => {
    const host = await renderPart(<NameInput label="Name" value={name} change={() => undefined} />);
    expect(host.querySelector("input")?.checkValidity()).toBe(isValid);
    expect(textOf(host.querySelector(".invalid"))).toBe(isValid ? "" : "Names have at most 40 characters.");
  });

  test("an error shows the first invalid value", () => {
    const errors = [{ in: "body", pointer: "/name", detail: "Length must be between 1 and 40." }];
    const problem = { status: 422, code: "request/invalid", title: "Invalid request", errors } as never;
    expect(errorText(new ProblemError(problem), en)).toBe("Invalid request: Length must be between 1 and 40.");
  });
});

test.each(["en", "de"] as const)("a page without a game says that it is loading (%s)", async (language) => {
  const context = pageContext(language, { me: { ...NOBODY, token: "ours" } });
  const host = await renderPart(<Account />, context);
  expect(textOf(host.querySelector("main p"))).toBe({ en: "Loading…", de: "Wird geladen …" }[language]);
});

describe("pending request", () => {
  const seek = apiExample<Schemas["Seek"]>("getSeek");
  const challenge = apiExample<Schemas["Challenge"]>("getChallenge");
  const open = { ...seek, status: "open", game_id: null } as Schemas["Seek"];
  const never = new Promise<never>(() => undefined);

  /** Render the hook with these responses of the service. Later requests stay pending. */
  async function renderWaiting(answers: unknown[], words = en) {
    const { client, requests } = fakeService(() => (answers.length ? answers.shift() : never));
    const toast = vi.fn();
    const me = { ...NOBODY, token: "ours", client: async () => client };
    const result = await renderHook(() => usePendingRequest(me, words, toast));
    return { result, requests, toast };
  }

  test("a match opens the game", async () => {
    const { result } = await renderWaiting([open, { ...open, status: "matched", game_id: "the-new-game-id0" }]);
    await act(() => result.now.follow({ kind: "seek", asked: open }));
    await flushEffects();
    await flushEffects();
    expect(location.hash).toBe("#/the-new-game-id0");
    expect(result.now.pending).toBeNull();
  });

  test("a pending request survives a reload and can be cancelled", async () => {
    const first = await renderWaiting([]);
    await act(() => first.result.now.follow({ kind: "seek", asked: open }));
    await unmountAll();
    const { result, requests } = await renderWaiting([]);
    expect(result.now.pending).toMatchObject({ kind: "seek", asked: { id: open.id } });
    await unmountAll();
    const third = await renderWaiting([new Response(null, { status: 204 }), new Response(null, { status: 204 })]);
    await act(async () => void (await third.result.now.cancel().catch(() => undefined)));
    expect(third.requests.at(-1)?.method).toBe("DELETE");
    expect(third.result.now.pending).toBeNull();
    expect(requests[0]?.url).toContain(`/v1/seeks/${open.id}`);
  });

  test("an unsuccessful challenge shows its reason", async () => {
    for (const [answer, told] of [
      [{ status: "declined", reason: "too_fast" }, "Your challenge was declined: the time limit is too short."],
      [{ status: "declined", reason: "none" }, "Your challenge was declined."],
      [{ status: "expired", reason: null }, "There was no answer to your challenge."],
    ] as const) {
      const asked = { ...challenge, status: "open", game_id: null } as Schemas["Challenge"];
      const { result, toast } = await renderWaiting([{ ...asked, ...answer }]);
      await act(() => result.now.follow({ kind: "challenge", asked }));
      await flushEffects();
      expect(toast).toHaveBeenCalledWith(told);
      await unmountAll();
    }
  });

  test("a seek that no longer exists is reported", async () => {
    const { result, toast } = await renderWaiting([problemResponse(404, "seek/not_found")]);
    await act(() => result.now.follow({ kind: "seek", asked: open }));
    await flushEffects();
    expect(toast).toHaveBeenCalledWith(en.people.seekEnded);
    expect(result.now.pending).toBeNull();
  });
});

describe("seats", () => {
  const recorded = recordedLesson("azul").decisions[0]?.game as Game;
  const [own, ai] = recorded.seats as [Game["seats"][number], Game["seats"][number]];
  const past = "2020-01-01T00:00:00Z";
  const future = "2999-01-01T00:00:00Z";
  const person = (more: object) => ({ ...own, name: "Ben", ...more }) as Game["seats"][number];

  async function renderSeats(seats: Game["seats"], ours: readonly number[], game: Partial<Game> = {}) {
    const claim = vi.fn(() => Promise.resolve());
    const { client } = fakeService(() => apiExample<Schemas["Presence"]>("getPresence"));
    const playing = { client, seats: ours, reportErrors: (ask: Promise<unknown>) => ask, claim, isClaiming: false };
    const host = await renderPart(<Seats {...playing} game={{ ...recorded, ...game, seats }} />);
    return {
      host,
      claim,
      buttons: [...host.querySelectorAll(".seats button")].map((each) => each.getAttribute("aria-label")),
    };
  }

  test("an overdue player's seat can be taken with the link", async () => {
    const gone = [person({ replaceable_at: past }), ai] as Game["seats"];
    expect((await renderSeats(gone, [1])).buttons).toEqual([]); // no link
    storeGame(recorded.id, { invite: "invitation" });
    const { buttons, host, claim } = await renderSeats(gone, [1]);
    expect(buttons).toEqual(["Take this seat: Ben"]);
    await pressButton(host, "Take this seat: Ben");
    expect(claim).toHaveBeenCalledWith({ seat: 0, name: null, token: "invitation" }, undefined);
    expect((await renderSeats([person({ replaceable_at: future }), ai] as Game["seats"], [1])).buttons).toEqual([]);
    expect((await renderSeats([person({ replaceable_at: null }), ai] as Game["seats"], [1])).buttons).toEqual([]);
  });

  test("the seat of an away player can be taken back with its token", async () => {
    storeGame(recorded.id, { seats: { 0: "ours" } });
    const away = [person({ status: "away", replaceable_at: future }), ai] as Game["seats"];
    const { buttons, host, claim } = await renderSeats(away, [0]);
    expect(buttons).toEqual(["Play on myself: Ben"]);
    expect(textOf(host.querySelector(".seats li"))).toContain("away, an AI plays");
    await pressButton(host, "Play on myself: Ben");
    expect(claim).toHaveBeenCalledWith({ seat: 0, name: "Ben" }, { Authorization: "Bearer ours" });
    const active = [person({ replaceable_at: past }), ai] as Game["seats"];
    expect((await renderSeats(active, [0])).buttons).toEqual([]); // active players do not take their own seat
  });

  test("a seat that lost on time cannot be taken", async () => {
    storeGame(recorded.id, { invite: "invitation" });
    const lost = [person({ status: "timed_out", replaceable_at: null }), ai] as Game["seats"];
    const { buttons, host } = await renderSeats(lost, [0]);
    expect(buttons).toEqual([]);
    expect(textOf(host.querySelector(".seats li"))).toContain("lost on time");
  });

  test("only the clock of the deciding seat runs", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-01-01T12:00:00Z") });
    try {
      const clock = { turn_s: 30, bank_s: 300, banks: [300, 300], seat: 0, deadline: "2026-01-01T12:05:30Z" };
      const { host } = await renderSeats([own, own], [0, 1], { clock: clock as unknown as Game["clock"] });
      const times = () => [...host.querySelectorAll(".clock")].map(textOf);
      expect(times()).toEqual(["5:30", "5:30"]);
      await advanceTime(4000);
      expect(times()).toEqual(["5:26", "5:30"]);
      await advanceTime(312_000);
      expect(host.querySelector(".clock")?.getAttribute("data-late")).toBe("true");
      await advanceTime(312_000);
      expect(times()[0]).toBe("0:00");
    } finally {
      await unmountAll();
      vi.useRealTimers();
    }
  });
});

describe("watchers", () => {
  const watching = (count: number, ...names: string[]) =>
    ({
      count,
      players: names.map((name) => ({ ...apiExample<Schemas["Player"]>("getPlayer"), id: name, name })),
    }) as Schemas["Watching"];
  const watchersText = async (seen: Schemas["Watching"], watches: boolean, me = NOBODY, words = "en" as const) =>
    textOf(
      (await renderPart(<Watchers watching={seen} isWatching={watches} />, pageContext(words, { me }))).querySelector(
        ".watching",
      ),
    );

  test("known watchers are named, others counted", async () => {
    expect(await watchersText(watching(2, "Ben"), false)).toBe("2 watching: Ben, 1 guest");
    expect(await watchersText(watching(2), false)).toBe("2 watching: 2 guests");
    expect(await watchersText(watching(0), false)).toBe("");
  });

  test("the player is listed only together with other watchers", async () => {
    const ben = { ...NOBODY, token: "bens", id: "Ben" };
    expect(await watchersText(watching(1, "Ben"), true, ben)).toBe("");
    expect(await watchersText(watching(2, "Ben"), true, ben)).toBe("2 watching: you, 1 guest");
    const host = await renderPart(<Watchers watching={watching(2, "Ben")} isWatching />, pageContext("de"));
    expect(textOf(host.querySelector(".watching"))).toBe("2 schauen zu: du, Ben");
  });

  test("a player can watch anonymously", async () => {
    const changeSettings = vi.fn();
    const me = { ...NOBODY, token: "bens", id: "Ben" };
    const host = await renderPart(<Watchers watching={null} isWatching />, pageContext("en", { me, changeSettings }));
    host.querySelector("input")?.click();
    expect(changeSettings).toHaveBeenCalledWith({ unseen: true });
    expect((await renderPart(<Watchers watching={null} isWatching />)).querySelector("input")).toBeNull();
  });
});

describe("API key", () => {
  const problem = (code: string) => new ProblemError({ status: 401, code, title: code } as never);

  test("a key is checked before it is stored", async () => {
    const sent: Request[] = [];
    vi.stubGlobal("fetch", async (request: Request) => {
      sent.push(request);
      return request.headers.get("X-Api-Key") === "the-key"
        ? Response.json({ levels: [] })
        : problemResponse(401, "auth/api_key_unknown");
    });
    const accept = vi.fn();
    const host = await renderPart(<KeyCard refused={problem("auth/api_key_required")} accept={accept} />);
    const alert = () => textOf(host.querySelector("[role=alert]"));
    expect(alert()).toBe("This service requires an API key.");
    const field = host.querySelector("form input") as HTMLInputElement;
    expect(document.activeElement).toBe(field);
    const enter = async (key: string) => {
      await act(() => {
        field.value = key;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      });
      await act(() => void host.querySelector("form")?.dispatchEvent(new Event("submit", { cancelable: true })));
      for (let times = 0; times < 5; times++) await flushEffects();
    };
    await enter("another");
    expect(alert()).toBe("This API key is not valid.");
    expect(accept).not.toHaveBeenCalled();
    await enter(" the-key ");
    expect(accept).toHaveBeenCalledWith("the-key");
    expect(sent.map(({ headers }) => headers.get("X-Api-Key"))).toEqual(["another", "the-key"]);
  });

  test("the form has German texts", async () => {
    const card = <KeyCard refused={problem("auth/api_key_unknown")} accept={() => undefined} />;
    const host = await renderPart(card, pageContext("de"));
    expect(textOf(host.querySelector("[role=alert]"))).toBe(de.keyRefused["auth/api_key_unknown"]);
  });
});

describe("rating curve", () => {
  const days = [{ day: "2026-03-05", points: 1520, provisional: true }];

  test.each([
    ["2026-01-01T10:00:00.000Z", "2026-03-04"],
    ["2026-03-05T10:00:00.000Z", "2026-03-05"],
  ])("of a player created at %s begins on %s", (created, first) => {
    expect(withInitialRating(days, created).map(({ day, points }) => [day, points])).toEqual([
      [first, 1500],
      ["2026-03-05", 1520],
    ]);
  });

  test("a history of one day is as wide as the picture", async () => {
    const host = await renderPart(<Curve history={days} created="2026-03-05T10:00:00.000Z" />);
    const points = host.querySelector("polyline")?.getAttribute("points")?.split(" ") ?? [];
    expect(points.map((point) => Number(point.split(",")[0]))).toEqual([6, 234]);
  });
});
