/** The admin page: roles, addresses, the acts that a standing allows, and filters of the log. */
import { afterEach, expect, test } from "vitest";
import { AdminContext, asStaff, type Role, roleOf } from "../src/admin/context";
import { endOf, NEEDS, possibleActs } from "../src/admin/people/acts";
import { fetchReports } from "../src/admin/people/report_row";
import { PlayerPage } from "../src/admin/people/player";
import { address, parseAdminRoute, sectionsFor } from "../src/admin/route";
import { barHeights } from "../src/admin/service/chart";
import { gamesWhere, valuesOf } from "../src/admin/service/figures";
import { matches } from "../src/admin/service/log";
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
const STANDING = { warning: null, muted_until: null, unrated_until: null };
const BEN = { player: PLAYER, standing: STANDING, ban: null };
const ACCOUNT = { tokens: 1, last_used_at: null, devices: 0, webhooks: 0, identities: [], ratings: [], games: [] };

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
  const { client } = fakeService((request) => ({ reports: Array(reports(request)).fill({ id: "r" }) }));
  const first = await fetchReports(asStaff(client), {});
  expect([first.items.length, first.next]).toEqual([100, 100]);
  expect((await fetchReports(asStaff(client), {}, 100)).next).toBeNull();
});

test("entries of the log are found by act and text", () => {
  const actor = { id: "s", name: "Moderator 1" };
  const entry = { id: "1", at: "", act: "ban", actor, object: { type: "player", id: "p" }, reason: "Cheating." };
  expect(matches(entry, "", "")).toBe(true);
  expect(matches(entry, "ban", " cheat")).toBe(true);
  expect(matches(entry, "ban", "moderator")).toBe(true);
  expect(matches(entry, "warn", "")).toBe(false);
  expect(matches({ ...entry, reason: null }, "", "cheat")).toBe(false);
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
    if (url.includes("/reports")) return { reports: [] };
    return method === "POST" ? { ...BEN, standing: { ...STANDING, muted_until: until } } : { ...BEN, ...ACCOUNT };
  });
  const page = pageContext();
  const value = {
    words: ADMIN_WORDS.en,
    settings: page.settings,
    staff: asStaff(client),
    role: "moderator" as Role,
  };
  const host = await renderPart(
    <AdminContext.Provider value={value}>
      <PlayerPage id="p" />
    </AdminContext.Provider>,
    page,
  );
  await flushEffects();
  await pressButton(host, "Mute");
  const dialog = host.querySelector("dialog") as HTMLDialogElement;
  expect(textOf(dialog.querySelector("h2"))).toBe("Mute: Ben");
  dialog.querySelector("form")?.requestSubmit();
  await flushEffects();
  const body = (await requests.find(({ method }) => method === "POST")?.json()) as { until: string };
  expect(body).toMatchObject({ act: "mute", reason: null });
  expect(Date.parse(body.until)).toBeGreaterThan(Date.now());
  expect(textOf(host)).toContain("Unmute");
});
