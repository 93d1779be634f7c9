/** Requests whose result the page shows. */
import { act } from "preact/test-utils";
import { afterEach, expect, test } from "vitest";
import { type Loaded, useLoaded } from "../src/shared/fetching";
import { flushEffects, renderPart, rerender, unmountAll } from "./render";

afterEach(unmountAll);

interface Request {
  resolve: (value: string) => void;
  reject: (error: unknown) => void;
}

/** Render a hook that loads a value by name. Requests stay pending until the test settles them. */
async function renderLoaded(isCleared: boolean) {
  const requests: Record<string, Request> = {};
  const result = {} as { now: Loaded<string> };
  const load = (name: string) =>
    new Promise<string>((resolve, reject) => {
      requests[name] = { resolve, reject };
    });
  const Hooked = ({ name }: { name: string }) => {
    result.now = useLoaded(() => load(name), [name], { isCleared });
    return null;
  };
  const host = await renderPart(<Hooked name="first" />);
  return {
    result,
    change: (name: string) => rerender(host, <Hooked name={name} />),
    settle: async (name: string, how: keyof Request, value: string) => {
      await act(() => requests[name]?.[how](value));
      await flushEffects();
    },
  };
}

test("late results and errors of an earlier request are ignored", async () => {
  const { result, change, settle } = await renderLoaded(false);
  await change("second");
  await settle("second", "resolve", "new");
  await settle("first", "resolve", "old");
  expect(result.now.value).toBe("new");
  await change("third");
  await change("fourth");
  await settle("third", "reject", "failed");
  expect(result.now).toMatchObject({ value: "new", error: null });
});

test("an error is shown until a dependency changes", async () => {
  const { result, change, settle } = await renderLoaded(false);
  await settle("first", "reject", "failed");
  expect(result.now).toMatchObject({ value: null, error: "failed" });
  await change("second");
  expect(result.now.error).toBeNull();
});

test("the value is kept or cleared when a dependency changes", async () => {
  for (const isCleared of [false, true]) {
    const { result, change, settle } = await renderLoaded(isCleared);
    await settle("first", "resolve", "old");
    await change("second");
    expect(result.now.value).toBe(isCleared ? null : "old");
  }
});
