/** The admin page: roles, addresses, the acts that a standing allows, and lists. */
import type { Client } from "@azul-games/client";
import type { ComponentChildren } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, test } from "vitest";
import { AdminContext, asStaff, type Role, roleOf } from "../src/admin/context";
import { endOf, NEEDS, possibleActs } from "../src/admin/people/acts";
import { fetchReports } from "../src/admin/people/report_row";
import { gameTitle } from "../src/admin/parts";
import { PlayerPage } from "../src/admin/people/player";
import { ReportPage } from "../src/admin/people/report";
import { address, parseAdminRoute, sectionsFor } from "../src/admin/route";
import { barHeights } from "../src/admin/service/chart";
import { gamesWhere, valuesOf } from "../src/admin/service/figures";
import { ADMIN_WORDS } from "../src/admin/words";
import {
  type Answer,
  fakeService,
  flushEffects,
  pageContext,
  pressButton,
  problemResponse,
  renderPart,
  textOf,
  unmountAll,
} from "./render";

afterEach(unmountAll);

const NOW = Date.parse("2026-01-01T12:00:00Z");
const PLAYER = {
  id: "p",
  name: "Ben",
  handle: null,
  bot: false,
  colour: null,
  country: null,
  created_at: "2026-01-01",
};
const STANDING = { warning: null, muted_until: null, muted_reason: null, unrated_until: null, unrated_reason: null };
const BEN = { player: PLAYER, standing: STANDING, ban: null };
const ACCOUNT = { tokens: 1, last_used_at: null, devices: 0, webhooks: 0, identities: [], ratings: [], games: [] };

/** The response for lists that stay empty. */
const NOTHING_MORE = { reports: [], games: [], players: [], since: null };

async function renderAdmin(part: ComponentChildren, client: Client, role: Role = "moderator"): Promise<HTMLElement> {
  const page = pageContext();
  const value = { words: ADMIN_WORDS.en, settings: page.settings, staff: asStaff(client), role };
  const host = await renderPart(<AdminContext.Provider value={value}>{part}</AdminContext.Provider>, page);
  await flushEffects(); // the object of the page
  await flushEffects(); // its lists
  return host;
}

test("a token has the role that the service grants it", async () => {
  const role = async (answer: Answer) => roleOf(asStaff(fakeService(answer).client));
  expect(await role(() => ({ staff: [] }))).toBe("admin");
  expect(await role(() => problemResponse(403, "auth/admin_only"))).toBe("moderator");
  await expect(role(() => problemResponse(403, "auth/staff_only"))).rejects.toThrow("auth/staff_only");
});

test("a role opens its sections only", () => {
  const shown = (["moderator", "admin"] as Role[]).map(sectionsFor);
  expect(shown[0]).toContain("reports");
  expect(shown[0]).not.toContain("staff");
  expect(shown[1]).toContain("staff");
  expect(parseAdminRoute("#/staff", "moderator")).toEqual({ section: "reports", id: undefined });
  expect(parseAdminRoute(address("players", "a/b"), "moderator")).toEqual({ section: "players", id: "a/b" });
  expect(parseAdminRoute("", "admin")).toEqual({ section: "reports", id: undefined });
});

test("only acts that change something are offered", () => {
  expect(possibleActs(BEN, NOW)).toEqual({
    acts: ["warn", "mute", "exclude_from_rated", "remove_name", "ban"],
    reversals: [],
  });
  const standing = {
    ...STANDING,
    warning: { at: "2026-01-01", reason: "Spam." },
    muted_until: endOf(1, NOW),
    unrated_until: "2025-01-01",
  };
  const ban = { at: "2026-01-01", until: null, reason: null };
  const { acts, reversals } = possibleActs({ player: { ...PLAYER, name: null, handle: "ben" }, standing, ban }, NOW);
  expect(acts).toEqual(["warn", "mute", "exclude_from_rated", "remove_handle", "ban"]);
  expect(reversals).toEqual(["withdraw_warning", "unmute", "unban"]);
  expect(reversals.filter((act) => NEEDS[act].reason || NEEDS[act].end)).toEqual([]);
  expect(endOf(7, NOW)).toBe("2026-01-08T12:00:00.000Z");
});

test("the queue is read to its end", async () => {
  const reports = (request: Request) => (new URL(request.url).searchParams.get("first") === "0" ? 100 : 3);
  const { client, requests } = fakeService((request) => ({ reports: Array(reports(request)).fill({ id: "r" }) }));
  const first = await fetchReports(asStaff(client), { player: "p" });
  expect([first.items.length, first.next]).toEqual([100, 100]);
  expect(requests[0]?.url).toContain("player=p");
  expect((await fetchReports(asStaff(client), {}, 100)).next).toBeNull();
});

test("games have the titles of the rulesets and the names of the sides", () => {
  const game = { ruleset: "queens-garden", variant: "reverse" };
  expect(gameTitle(game, ADMIN_WORDS.en)).toBe("Queen's Garden, reverse side");
  expect(gameTitle(game, ADMIN_WORDS.de)).toBe("Der Garten der Königin, Rückseite");
  expect(gameTitle({ ruleset: "mosaic", variant: "round" }, ADMIN_WORDS.de)).toBe("mosaic, round");
});

test("games are counted by day, ruleset and kind", () => {
  const figures = { new_players: 0, active_players: 0, returning_players: 0, paired_seeks: 0, median_wait_s: null };
  const counts = [
    { ruleset: "a", kind: "rated" as const, count: 1 },
    { ruleset: "b", kind: "people" as const, count: 3 },
    { ruleset: "b", kind: "rated" as const, count: 1 },
  ];
  const days = [
    { ...figures, day: "2026-01-01", games: counts },
    { ...figures, day: "2026-01-02", games: [] },
  ];
  expect([valuesOf(days, "ruleset"), valuesOf(days, "kind")]).toEqual([
    ["b", "a"],
    ["people", "rated"],
  ]);
  expect(gamesWhere(days, ({ kind }) => kind === "rated").map(({ value }) => value)).toEqual([2, 0]);
  expect(barHeights([2, 0, 4], 100)).toEqual([50, 0, 100]);
  expect(barHeights([0, 0], 100)).toEqual([0, 0]);
});

test("an act is sent with its end and reason, and its result is shown", async () => {
  const until = "2099-01-01T00:00:00Z";
  const { client, requests } = fakeService(({ method, url }) => {
    if (!/players\/p(\/acts)?$/.test(url)) return NOTHING_MORE;
    const muted = { ...STANDING, muted_until: until, muted_reason: "Insults." };
    return method === "POST" ? { ...BEN, standing: muted } : { ...BEN, ...ACCOUNT };
  });
  const host = await renderAdmin(<PlayerPage id="p" />, client);
  await pressButton(host, "Mute");
  const dialog = host.querySelector("dialog") as HTMLDialogElement;
  expect(textOf(dialog.querySelector("h2"))).toBe("Mute: Ben");
  const reason = dialog.querySelector("textarea") as HTMLTextAreaElement;
  reason.value = "Insults.";
  await act(() => void reason.dispatchEvent(new Event("input", { bubbles: true })));
  dialog.querySelector("form")?.requestSubmit();
  await flushEffects();
  const body = (await requests.find(({ method }) => method === "POST")?.json()) as { until: string };
  expect(body).toMatchObject({ act: "mute", reason: "Insults." });
  expect(Date.parse(body.until)).toBeGreaterThan(Date.now());
  expect(textOf(host)).toMatch(/Muted Insults\..*Unmute/);
});

const ratedGame = (number: number, removed: boolean) => ({
  game_id: `g${number}`,
  ruleset: "azul",
  seats: "two",
  opponents: ["q"],
  change: -78,
  removed,
  ended_at: "2026-01-01T12:00:00Z",
});

test("an admin removes rated games, and the list and the ratings are loaded again", async () => {
  let isRemoved = false;
  const { client, requests } = fakeService(({ method, url }) => {
    if (method === "POST") isRemoved = true;
    if (url.includes("/rated-games")) return { games: Array.from({ length: 11 }, (_, at) => ratedGame(at, isRemoved)) };
    return url.endsWith("/p") ? { ...BEN, ...ACCOUNT, tokens: isRemoved ? 78 : 1 } : NOTHING_MORE;
  });
  const host = await renderAdmin(<PlayerPage id="p" />, client, "admin");
  expect(host.querySelectorAll('a[href^="play#/g"]').length).toBe(10);
  expect(textOf(host)).toContain("Azul, 2 playersOpponents: q −78");
  await pressButton(host, "Show more");
  expect(host.querySelectorAll('a[href^="play#/g"]').length).toBe(11);
  await pressButton(host, "Remove rated games");
  const dialog = host.querySelector("dialog") as HTMLDialogElement;
  for (const [selector, value] of [
    ["input", "2026-01-01T10:00"],
    ["textarea", "Used an engine."],
  ] as const) {
    const field = dialog.querySelector(selector) as HTMLInputElement;
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await flushEffects();
  }
  dialog.querySelector("form")?.requestSubmit();
  await flushEffects();
  const since = new Date("2026-01-01T10:00").toISOString();
  const body = await requests.find(({ method }) => method === "POST")?.json();
  expect(body).toEqual({ act: "remove_rated_games", reason: "Used an engine.", since });
  expect(textOf(host)).toContain("Tokens78");
  expect(host.querySelectorAll(".badge").length).toBe(11);
  const buttons = [...host.querySelectorAll(".heading button")].map(textOf);
  expect(buttons).toEqual(["Restore rated games"]);
});

test("a moderator sees rated games and linked players, but cannot remove games", async () => {
  const linked = { player: { ...PLAYER, id: "q", name: "Ana" }, last_seen_at: "2026-01-02T12:00:00Z" };
  let since: string | null = "2026-01-01T12:00:00Z";
  let players = [linked];
  const { client } = fakeService(({ url }) => {
    if (url.endsWith("/rated-games")) return { games: [ratedGame(1, false)] };
    if (url.endsWith("/linked")) return { players, since };
    return url.endsWith("/p") ? { ...BEN, ...ACCOUNT } : NOTHING_MORE;
  });
  const host = await renderAdmin(<PlayerPage id="p" />, client);
  expect(textOf(host)).toContain("Azul, 2 players");
  expect([...host.querySelectorAll(".heading button")]).toEqual([]);
  expect([...host.querySelectorAll('a[href="#/players/q"]')].map(textOf)).toEqual(["q", "Ana"]);
  expect(textOf(host)).toMatch(/a hint, no proof.*Compared since: Jan 1, 2026.*Jan 2, 2026/);
  players = [];
  expect(textOf(await renderAdmin(<PlayerPage id="p" />, client))).toContain("No other player was seen");
  since = null;
  const off = textOf(await renderAdmin(<PlayerPage id="p" />, client));
  expect(off).toContain("This service does not compare addresses.");
  expect(off).not.toContain("Compared since");
});

const agreement = (player: string | null, share: number | null, decisions = 40) => ({
  player,
  share,
  decisions,
  first_choices: Math.round((share ?? 0) * decisions),
});

function reportOf(fairPlay: object) {
  const seats = [{ player: "p", name: "Ben" }];
  return {
    id: "r",
    category: "cheating",
    status: "received",
    text: null,
    created_at: "2026-01-01",
    resolved_at: null,
    reporter: null,
    object: { type: "game", player: null, game_id: "g", message: null },
    context: { player: null, game: { revision: 9, position_notation: null, messages: [], seats } },
    fair_play: fairPlay,
  };
}

test("a report shows the fair-play hint, and requests missing reviews once", async () => {
  const hint = (status: string) => ({
    games: [
      { game_id: "g", status: "reviewed", players: [] },
      { game_id: "h", status, players: [] },
    ],
    player: agreement("p", 0.625),
    opponents: agreement(null, null, 0),
  });
  let shown = hint("not_reviewed");
  const { client, requests } = fakeService(({ method }) => {
    if (method === "POST") shown = hint("pending");
    return reportOf(shown);
  });
  const host = await renderAdmin(<ReportPage id="r" />, client);
  expect(textOf(host)).toContain("It is a hint and no proof");
  expect(textOf(host)).toContain("Reported player63% of 40 decisionsOpponents–Reviewed games1 / 2");
  await pressButton(host, "Request missing reviews");
  await flushEffects();
  expect(requests.filter(({ method }) => method === "POST").map(({ url }) => new URL(url).pathname)).toEqual([
    "/v1/admin/reports/r/reviews",
  ]);
  expect(textOf(host)).not.toContain("Request missing reviews");
});

test("a report of a game compares its players by name", async () => {
  const players = [agreement("p", 0.5), agreement("q", 1, 1)];
  const hint = { games: [{ game_id: "g", status: "reviewed", players }], player: null, opponents: null };
  const { client } = fakeService(() => reportOf(hint));
  const host = await renderAdmin(<ReportPage id="r" />, client);
  expect(textOf(host)).toContain("Ben50% of 40 decisionsq100% of 1 decisionReviewed games1 / 1");
});
