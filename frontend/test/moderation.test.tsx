import { ProblemError, type Schemas } from "@azul-games/client";
import { act } from "preact/test-utils";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Game } from "../src/game/live";
import { OwnReports, StandingCard } from "../src/moderation/account_cards";
import { BanPage } from "../src/moderation/ban_page";
import { ReportDialog } from "../src/moderation/report_dialog";
import { type Reportable, ReportContext, reportablePlayer, reportableText } from "../src/moderation/report_button";
import { WarningNotice } from "../src/on_demand";
import "../src/people_pages";
import { GameSettingsFields, useGameSettings } from "../src/parts/game_settings";
import { useImposed } from "../src/parts/standing";
import { type Me, useMe } from "../src/shared/me";
import { loadSettings, storedPlayer, storeGame, storePlayer } from "../src/shared/store";
import { WORDS } from "../src/shared/words";
import { Messages, shownMessages } from "../src/table/panels";
import { Seats } from "../src/table/seats";
import { apiExample, recordedLesson } from "./recordings";
import * as page from "./render";

const { en } = WORDS;
const FUTURE = "2999-01-01T12:00:00Z";
const NOTHING = { warning: null, muted_until: null, muted_reason: null, unrated_until: null, unrated_reason: null };

const standing = (imposed: Partial<Schemas["PlayerStanding"]>): Me => ({
  ...page.NOBODY,
  id: "me",
  standing: { ...NOTHING, ...imposed },
});

afterEach(async () => {
  vi.useRealTimers();
  await page.unmountAll();
  localStorage.clear();
  sessionStorage.clear();
});

describe("a report", () => {
  const choices = reportablePlayer("ben-id", "Ben");

  async function fill(host: HTMLElement, object: string, category: string, text: string): Promise<void> {
    const [first, second] = [...host.querySelectorAll("select")];
    const area = host.querySelector("textarea");
    if (!first || !second || !area) throw new Error("a field is missing");
    for (const [select, value] of [
      [first, object],
      [second, category],
    ] as const) {
      select.value = value;
      await act(() => void select.dispatchEvent(new Event("change", { bubbles: true })));
    }
    area.value = text;
    await act(() => void area.dispatchEvent(new Event("input", { bubbles: true })));
    await act(() => void host.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true })));
    await page.flushEffects();
  }

  test("contains what the reporter has chosen, and is confirmed", async () => {
    const { client, requests } = page.fakeService(() => apiExample("createReport"));
    const context = page.pageContext("en", { me: { ...page.NOBODY, client: () => Promise.resolve(client) } });
    const host = await page.renderPart(<ReportDialog choices={choices} close={() => undefined} />, context);
    expect(page.textOf(host.querySelector("select"))).toBe("The player BenThe name “Ben”");
    expect(page.textOf(host)).toContain(en.moderation.sent.player);
    await fill(host, "1", "player_name", " Rude. ");
    expect(await requests[0]?.json()).toEqual({
      type: "player_name",
      player: "ben-id",
      category: "player_name",
      text: "Rude.",
    });
    expect(page.textOf(host.querySelector("[role=status]"))).toBe(en.moderation.thanks);
  });

  test("that is refused says why and can be sent again", async () => {
    const { client } = page.fakeService(() => page.problemResponse(429, "limit/reports"));
    const context = page.pageContext("en", { me: { ...page.NOBODY, client: () => Promise.resolve(client) } });
    const host = await page.renderPart(<ReportDialog choices={choices} close={() => undefined} />, context);
    await fill(host, "0", "spam", "");
    expect(page.textOf(host.querySelector("[role=alert]"))).toBe("limit/reports");
    expect(host.querySelector("button.primary:not([aria-disabled])")).not.toBeNull();
  });

  test("on the account page shows its object and status", async () => {
    const { client } = page.fakeService(() => apiExample("listMyReports"));
    const host = await page.renderPart(<OwnReports client={client} />, page.pageContext("de"));
    await page.flushEffects();
    const { reports } = apiExample<Schemas["OwnReports"]>("listMyReports");
    const rows = [...host.querySelectorAll("li")].map((row) => page.textOf(row));
    expect(rows.length).toBe(reports.length);
    expect(rows[0]).toContain(WORDS.de.reportedTypes[reports[0]?.object.type ?? ""]);
    expect(rows[0]).toContain(WORDS.de.moderation.status[reports[0]?.status ?? ""]);
  });
});

describe("a game", () => {
  const recorded = recordedLesson("azul").decisions[0]?.game as Game;
  const [first] = recorded.seats as [Game["seats"][number]];
  const seats = [
    { ...first, name: "Ana", player: "me" },
    { ...first, name: "Ben", player: "ben-id" },
  ] as Game["seats"];
  const game = { ...recorded, seats, visibility: "private" } as Game;

  async function reportable(me: Me, seats: Game["seats"], visibility = "private"): Promise<string[]> {
    const { client } = page.fakeService(() => apiExample("getPresence"));
    const playing = { client, seats: [0], reportErrors: (ask: Promise<unknown>) => ask };
    const shown = { ...recorded, seats, visibility } as Game;
    const report = vi.fn();
    const host = await page.renderPart(
      <ReportContext.Provider value={report}>
        <Seats {...playing} game={shown} claim={() => Promise.resolve()} isClaiming={false} />
      </ReportContext.Provider>,
      page.pageContext("en", { me }),
    );
    if (![...host.querySelectorAll("button")].some((each) => page.textOf(each) === en.moderation.report)) return [];
    await page.pressButton(host, en.moderation.report);
    return report.mock.lastCall?.[0].map((each: Reportable) => reportableText(each, en));
  }

  test("lets its players report the others and the game", async () => {
    expect(await reportable(standing({}), seats)).toEqual(["The player Ben", "The name “Ben”", "This game"]);
  });

  test("that is private cannot be reported from a seat without a player", async () => {
    const anonymous = seats.map((seat) => ({ ...seat, player: null }));
    expect(await reportable(page.NOBODY, anonymous)).toEqual([]);
    expect(await reportable(standing({}), [seats[0], recorded.seats[1]] as Game["seats"])).toEqual([]); // an AI
  });

  const message = (number: number, seat: number | null, deletes: number | null = null): Schemas["Message"] => ({
    ...{ number, seat, deletes, text: `text ${number}`, at: "2026-01-01T00:00:00Z" },
  });

  async function renderChat(me: Me, messages: Schemas["Message"][]): Promise<HTMLElement> {
    storeGame(game.id, { seats: { 0: "token" } });
    const { client, requests } = page.fakeService((): unknown =>
      requests.length === 1 ? { messages } : new Promise(() => 0),
    );
    const playing = { client, seats: [0], reportErrors: (ask: Promise<unknown>) => ask };
    const host = await page.renderPart(<Messages {...playing} game={game} />, page.pageContext("en", { me }));
    await page.flushEffects();
    return host;
  }

  test("shows a neutral line instead of a deleted message", async () => {
    const all = [message(1, 0), message(2, 1), message(3, 1), message(4, null, 2)];
    expect(shownMessages(all).map(({ number }) => number)).toEqual([1, 3, 4]);
    const host = await renderChat(standing({}), all);
    const lines = [...host.querySelectorAll("li")].map((line) => page.textOf(line));
    expect(lines).toEqual(["Ana: text 1", "Ben: text 3", en.moderation.deleted]);
  });

  test("lets players report the messages of others only", async () => {
    const host = await renderChat(standing({}), [message(1, 0), message(2, 1)]);
    const flags = [...host.querySelectorAll("li button")].map((each) => each.getAttribute("aria-label"));
    expect(flags).toEqual(["Report: The message “text 2”"]);
  });

  test("tells muted players why they cannot write, and until when", async () => {
    const host = await renderChat(standing({ muted_until: FUTURE, muted_reason: "Insults." }), []);
    expect(page.textOf(host.querySelector(".note:last-child"))).toMatch(/until Jan 1, 2999.*Reason: Insults\./);
    expect(host.querySelectorAll("input, button")).toHaveLength(0);
  });
});

describe("the standing of a player", () => {
  test("ends by itself", async () => {
    vi.useFakeTimers();
    const until = new Date(Date.now() + 60_000).toISOString();
    const context = page.pageContext("en", { me: standing({ muted_until: until }) });
    const muted = await page.renderHook(() => useImposed("muted_until"), context);
    expect(muted.now).toBe(until);
    await page.advanceTime(60_000);
    expect(muted.now).toBeNull();
  });

  test("excludes from rated games where seeks and challenges are made", async () => {
    sessionStorage.setItem("azul-table-terms", JSON.stringify({ rated: true }));
    const catalogue = { rulesets: [], levels: [] };
    const Form = () => {
      const form = useGameSettings(catalogue, useImposed("unrated_until"));
      return (
        <>
          <output>{String(form.gameSettings.rated)}</output>
          <GameSettingsFields {...form} withSeats={false} />
        </>
      );
    };
    for (const unrated_until of [null, FUTURE]) {
      const host = await page.renderPart(<Form />, page.pageContext("en", { me: standing({ unrated_until }) }));
      expect(page.textOf(host.querySelector("output"))).toBe(String(unrated_until === null));
      expect(host.querySelector<HTMLInputElement>("[type=checkbox]")?.disabled).toBe(unrated_until !== null);
      expect(page.textOf(host).includes("excluded you from rated games until Jan 1, 2999")).toBe(
        unrated_until !== null,
      );
    }
  });

  test("shows each warning once, and again on the account page", async () => {
    const warned = (at: string) => page.pageContext("en", { me: standing({ warning: { at, reason: "Be kind." } }) });
    for (const at of ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"]) {
      const host = await page.renderPart(<WarningNotice />, warned(at));
      await page.flushEffects();
      expect(page.textOf(host.querySelector("dialog blockquote"))).toBe("Be kind.");
      await page.pressButton(host, en.moderation.understood);
      expect(host.querySelector("dialog")).toBeNull();
      expect((await page.renderPart(<WarningNotice />, warned(at))).querySelector("dialog")).toBeNull();
    }
    expect(page.textOf(await page.renderPart(<StandingCard />, warned(FUTURE)))).toContain("Be kind.");
    expect(page.textOf(await page.renderPart(<StandingCard />, page.pageContext("en", { me: standing({}) })))).toBe("");
  });
});

describe("a ban", () => {
  const ban = { type: "", code: "auth/banned", title: "", status: 403, request_id: "" };

  test("is explained with reason, end and contact in both languages", async () => {
    const full = { ...ban, reason: "Cheating.", until: FUTURE, contact: "mailto:appeals@games.example" };
    const host = await page.renderPart(<BanPage ban={full} />, page.pageContext("de"));
    expect(page.textOf(host.querySelector("h1"))).toBe("Du bist gesperrt");
    expect(page.textOf(host)).toContain("Grund: Cheating.Bis 01.01.2999");
    expect(host.querySelector("a[href^=mailto]")?.textContent).toBe("appeals@games.example");
    expect(host.querySelector("section a[href='docs/conduct/players/de']")).not.toBeNull();
    const plain = page.textOf(await page.renderPart(<BanPage ban={ban} />));
    expect(plain).toContain(en.moderation.bannedForGood);
    expect(plain).toContain(en.moderation.noContact);
  });

  async function renderMe(refusal: Response): Promise<{ readonly now: Me }> {
    storePlayer({ token: "token", id: "me" });
    vi.stubGlobal("fetch", () => Promise.resolve(refusal.clone()));
    const settings = loadSettings();
    const me = await page.renderHook(() => useMe(settings, (error: ProblemError) => expect(error).toBeNull()));
    await page.flushEffects();
    return me;
  }

  test("keeps the token, which may work again later, but no part of the page uses it", async () => {
    const me = await renderMe(page.problemResponse(403, "auth/banned"));
    expect([me.now.ban?.code, me.now.token, storedPlayer()?.token]).toEqual(["auth/banned", null, "token"]);
    await act(() => me.now.leave());
    expect([me.now.ban, storedPlayer()]).toEqual([null, null]);
  });

  test("is not an unknown token, which is forgotten", async () => {
    const me = await renderMe(page.problemResponse(401, "auth/token_unknown"));
    expect([me.now.ban, me.now.token, storedPlayer()]).toEqual([null, null, null]);
  });
});
