import { afterEach, expect, test, vi } from "vitest";
import { useLiveGame } from "../src/game/live";
import { createClient, SERVICE_URL, takeEarly } from "../src/shared/client";
import { loadSettings } from "../src/shared/store";
import { finishedGame } from "./recordings";
import { fakeService, flushEffects, renderHook, unmountAll } from "./render";

afterEach(async () => {
  await unmountAll();
  globalThis.early = undefined;
});

test("events after the snapshot are not shown before the stream delivers them", async () => {
  const { game, events } = finishedGame("finished");
  const last = events.at(-3)?.revision as number;
  const item = { kind: "snapshot", revision: last, game: { ...game, status: "playing", revision: last } };
  const { client } = fakeService(({ url }) => {
    const { pathname, searchParams } = new URL(url);
    const after = Number(searchParams.get("after") ?? 0);
    if (pathname.endsWith("/history"))
      return { events: events.filter(({ revision }) => revision > after).slice(0, 200) };
    return new Response(new ReadableStream({ start: (stream) => stream.enqueue(encoded(item)) }));
  });
  const access = { client, reader: undefined, hidden: false, viewer: "viewer" };
  const live = await renderHook(() => useLiveGame(client, game.id, access));
  while (live.now.game === null) await flushEffects();
  expect(live.now.events.map(({ revision }) => revision)).toEqual(
    events.map(({ revision }) => revision).filter((revision) => revision <= last),
  );
});

test("responses that were requested before the scripts arrived are taken once", async () => {
  const { game, events } = finishedGame("finished");
  const sent = vi.fn((_: Request) => new Promise<Response>(() => undefined));
  vi.stubGlobal("fetch", sent);
  const url = `${SERVICE_URL}/v1/games/${game.id}`;
  const requestEarly = (authorization: string) =>
    (globalThis.early = {
      authorization,
      responses: new Map([
        [url, Promise.resolve(Response.json(game))],
        [`${url}/history?after=0&limit=200`, Promise.resolve(Response.json({ events }))],
      ]),
    });
  requestEarly("Bearer ours");
  const client = createClient("ours", loadSettings());
  const access = { client, reader: undefined, hidden: false, viewer: "viewer" };
  const live = await renderHook(() => useLiveGame(client, game.id, access));
  while (sent.mock.calls.length === 0) await flushEffects();
  expect(live.now.game?.revision).toBe(game.revision);
  expect(live.now.events).toHaveLength(events.length);
  expect(sent.mock.lastCall?.[0].url).toContain("wait="); // for a rematch
  requestEarly("Bearer others");
  expect(await takeEarly(new Request(url, { headers: { Authorization: "Bearer ours" } }))).toBeNull();
});

const encoded = (item: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(item)}\n`);
