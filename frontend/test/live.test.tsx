import { afterEach, expect, test } from "vitest";
import { useLiveGame } from "../src/game/live";
import { finishedGame } from "./recordings";
import { fakeService, flushEffects, renderHook, unmountAll } from "./render";

afterEach(unmountAll);

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

const encoded = (item: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(item)}\n`);
