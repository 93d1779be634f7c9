import type { Schemas } from "@azul-games/client";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { lessonStore, NEW_LESSON } from "../src/coach/progress";
import { importGame, isGameText, openNewGame } from "../src/home/new_game";
import { links } from "../src/shared/route";
import {
  forgetGame,
  forgetSeats,
  forgetToken,
  loadSettings,
  onGamesChanged,
  readingTokens,
  saveSettings,
  storedGame,
  storedGames,
  storeGame,
  storeTokens,
  viewerId,
} from "../src/shared/store";
import { apiExample } from "./recordings";
import { fakeService } from "./render";

const created = apiExample<Schemas["CreatedGame"]>("createGame");
const { game } = created;

beforeEach(() => {
  for (const { id } of storedGames()) forgetGame(id);
  localStorage.clear();
  sessionStorage.clear();
});

describe("tokens", () => {
  test("a new game's tokens are stored and its page opens", () => {
    openNewGame(created);
    const { host, invite, watch, seats } = created.tokens;
    expect(storedGame(game.id)).toMatchObject({ host, invite, watch, seats, ruleset: game.ruleset, taken: false });
    expect(location.hash).toBe(links.game(game.id));
    expect(JSON.parse(localStorage.getItem("azul-table-games") ?? "{}")).toHaveProperty(game.id);
  });

  test("tokens that survive a change of players come first", () => {
    storeGame("g", { seats: { 0: "seat" }, watch: "watch", host: "host", invite: "invite" });
    expect(readingTokens(storedGame("g"))).toEqual(["host", "invite", "watch", "seat"]);
    expect(readingTokens(storedGame("another"))).toEqual([]);
  });

  test("tokens of lost seats are removed, later ones stay", () => {
    storeTokens(game, { 0: "zero" });
    storeTokens({ ...game, revision: game.revision + 5 }, { 1: "one" });
    forgetSeats(game.id, (_, since) => since < game.revision + 5);
    expect(storedGame(game.id)).toMatchObject({ seats: { 1: "one" }, taken: true });
    storeTokens(game, {});
    expect(storedGame(game.id).taken).toBe(true);
    storeTokens(game, { 0: "again" });
    expect(storedGame(game.id)).toMatchObject({ seats: { 0: "again", 1: "one" }, taken: false });
  });

  test("a signed-out player's token is removed from all seats", () => {
    storeGame("one", { seats: { 0: "theirs", 1: "other" } });
    storeGame("two", { seats: { 0: "theirs" } });
    forgetToken("theirs");
    expect([storedGame("one").seats, storedGame("two").seats]).toEqual([{ 1: "other" }, {}]);
  });

  test("fifty games are stored", () => {
    for (let number = 0; number < 55; number++) storeGame(`g${number}`, { at: number });
    expect(storedGames()).toHaveLength(50);
    expect(storedGames()[0]?.id).toBe("g54");
    forgetGame("g54");
    expect(storedGames()[0]?.id).toBe("g53");
  });

  test("games stored by another tab are known", () => {
    const changed = vi.fn();
    const end = onGamesChanged(changed);
    localStorage.setItem("azul-table-games", JSON.stringify({ there: { id: "there", at: 1, seats: { 0: "theirs" } } }));
    window.dispatchEvent(new StorageEvent("storage", { key: "azul-table-games" }));
    window.dispatchEvent(new StorageEvent("storage", { key: "another" }));
    expect(changed).toHaveBeenCalledTimes(1);
    expect(storedGame("there").seats).toEqual({ 0: "theirs" });
    end();
    window.dispatchEvent(new StorageEvent("storage", { key: "azul-table-games" }));
    expect(changed).toHaveBeenCalledTimes(1);
  });
});

describe("browser storage", () => {
  test("missing settings have defaults", () => {
    expect(loadSettings()).toMatchObject({ theme: "auto", name: "", sound: true, confirm: false, unseen: false });
    vi.spyOn(navigator, "language", "get").mockReturnValue("de-CH");
    expect(loadSettings().language).toBe("de");
    localStorage.setItem("azul-table-settings", JSON.stringify({ theme: "dark" }));
    expect(loadSettings()).toMatchObject({ theme: "dark", sound: true });
    saveSettings({ ...loadSettings(), sound: false });
    expect(loadSettings().sound).toBe(false);
  });

  test("forbidden or invalid storage is ignored", () => {
    localStorage.setItem("azul-table-settings", "{");
    expect(loadSettings().theme).toBe("auto");
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new Error("forbidden");
    });
    expect(() => saveSettings(loadSettings())).not.toThrow();
  });

  test("the progress of twelve lessons is stored", () => {
    for (let number = 0; number < 14; number++) lessonStore.keep(`g${number}`, { ...NEW_LESSON, moves: number });
    expect(lessonStore.read("g1")).toBeNull();
    expect(lessonStore.read("g2")?.moves).toBe(2);
    lessonStore.keep("g2", { ...NEW_LESSON, moves: 5 });
    lessonStore.keep("new", NEW_LESSON);
    expect(lessonStore.read("g2")?.moves).toBe(5);
  });

  test("a tab keeps its viewer id", () => {
    expect(viewerId()).toBe(viewerId());
    expect(viewerId().length).toBeGreaterThan(8);
  });
});

describe("pasted text", () => {
  const { text } = { text: '[Ruleset "azul"]\n' };

  test("a text that begins with a tag is a game", () => {
    expect(isGameText(text)).toBe(true);
    expect(isGameText("summer-pavilion grey 1 acquire")).toBe(false);
  });

  test("short games are imported at once, long ones in the background", async () => {
    const whole = fakeService(() => created);
    expect(await importGame(whole.client, text, Error)).toEqual(created);
    expect(await whole.requests[0]?.text()).toBe(text);
    expect(whole.requests[0]?.headers.get("Content-Type")).toContain("text/plain");

    const task = {
      ...apiExample<Schemas["Import"]>("getImport"),
      game_id: null,
      refusal: null,
      tokens: created.tokens,
    };
    const answers: unknown[] = [task, new Response(null, { status: 204 }), { ...task, game_id: game.id }, game];
    const long = fakeService(() => answers.shift());
    expect(await importGame(long.client, text, Error)).toEqual({ game, tokens: created.tokens });
    expect(long.requests.at(-1)?.headers.get("Authorization")).toBe(`Bearer ${created.tokens.host}`);
  });

  test("a refused import reports the service's reason", async () => {
    const refusal = {
      status: 422,
      title: "No",
      detail: "Line 1, column 1: expected one of: azul",
      code: "x",
      type: "",
    };
    const task = { ...apiExample<Schemas["Import"]>("getImport"), game_id: null, refusal, tokens: created.tokens };
    const { client } = fakeService(() => task);
    await expect(importGame(client, text, (why) => new Error(why))).rejects.toThrow("Line 1, column 1");
  });
});
