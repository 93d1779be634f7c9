import { ProblemError } from "@azul-games/client";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { retryUntilAnswered, withTimeout } from "../src/shared/requests";
import { useKeys } from "../src/shared/keys";
import { useElapsed, usePolling } from "../src/shared/polling";
import { useToast } from "../src/shared/toast";
import { advanceTime, renderHook, unmountAll } from "./render";

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  await unmountAll();
  vi.restoreAllMocks(); // before the spied timers are replaced
  vi.useRealTimers();
});

describe("requests", () => {
  const NEVER = new AbortController().signal;
  const refused = new ProblemError({ status: 409, code: "game/over", title: "over", type: "", detail: null } as never);
  /** A request that stays pending until it is aborted. */
  const unanswered = (signal: AbortSignal) =>
    new Promise<never>((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));

  test("a request without a response times out", async () => {
    const failed = vi.fn();
    withTimeout(unanswered).catch(failed);
    await vi.advanceTimersByTimeAsync(11_999);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(failed).toHaveBeenCalledTimes(1);
  });

  test("a failed request is repeated until it succeeds", async () => {
    const ask = vi.fn(unanswered as (signal: AbortSignal) => Promise<string>);
    const answer = retryUntilAnswered(ask, NEVER);
    await vi.advanceTimersByTimeAsync(13_999);
    expect(ask).toHaveBeenCalledTimes(1);
    ask.mockRejectedValueOnce(new TypeError("network")).mockResolvedValueOnce("there");
    await vi.advanceTimersByTimeAsync(4001);
    expect(await answer).toBe("there");
    expect(ask).toHaveBeenCalledTimes(3);
  });

  test("a refused request is not repeated", async () => {
    const ask = vi.fn(() => Promise.reject(refused));
    await expect(retryUntilAnswered(ask, NEVER)).rejects.toBe(refused);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test("an aborted request is not repeated", async () => {
    const ending = new AbortController();
    const ask = vi.fn(unanswered);
    const failed = vi.fn();
    retryUntilAnswered(ask, ending.signal).catch(failed);
    ending.abort();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(failed).toHaveBeenCalled();
  });
});

describe("polling", () => {
  const hide = (hidden: boolean) => {
    vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
    document.dispatchEvent(new Event("visibilitychange"));
  };

  test("polling starts at once and continues after responses and errors", async () => {
    const ask = vi.fn().mockRejectedValueOnce(new Error("no")).mockResolvedValue(undefined);
    await renderHook(() => usePolling(ask, 5000, []));
    await advanceTime(0);
    expect(ask).toHaveBeenCalledTimes(1);
    await advanceTime(4999);
    expect(ask).toHaveBeenCalledTimes(1);
    await advanceTime(1);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test("polling stops while the page is hidden", async () => {
    const ask = vi.fn().mockResolvedValue(undefined);
    await renderHook(() => usePolling(ask, 5000, []));
    await advanceTime(0);
    hide(true);
    await advanceTime(20_000);
    expect(ask).toHaveBeenCalledTimes(1);
    hide(false);
    await advanceTime(0);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test("polling runs at once after a reconnect or a restart", async () => {
    const ask = vi.fn().mockResolvedValue(undefined);
    const again = await renderHook(() => usePolling(ask, 5000, []));
    await advanceTime(0);
    window.dispatchEvent(new Event("online"));
    await advanceTime(0);
    expect(ask).toHaveBeenCalledTimes(2);
    await act(() => again.now());
    await advanceTime(0);
    expect(ask).toHaveBeenCalledTimes(3);
    await unmountAll();
    await advanceTime(20_000);
    expect(ask).toHaveBeenCalledTimes(3);
  });

  test("elapsed seconds are counted and never negative", async () => {
    const since = Date.now();
    const elapsed = await renderHook(() => useElapsed(since));
    expect(elapsed.now).toBe(0);
    await advanceTime(3000);
    expect(elapsed.now).toBe(3);
    const later = await renderHook(() => useElapsed(since + 60_000));
    expect(later.now).toBe(0); // the device's clock is wrong
  });
});

describe("toast", () => {
  test("a toast disappears after six seconds", async () => {
    const toast = await renderHook(useToast);
    await act(() => toast.now[1]("Saved."));
    await advanceTime(5999);
    expect(toast.now[0]).toBe("Saved.");
    await advanceTime(1);
    expect(toast.now[0]).toBe("");
  });

  test("an older timer does not clear a newer toast", async () => {
    const rings: (() => void)[] = [];
    const toast = await renderHook(useToast);
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((ring: () => void) => rings.push(ring)) as never);
    await act(() => toast.now[1]("Blocked."));
    await act(() => toast.now[1]("Unblocked."));
    expect(rings.length).toBeGreaterThan(1);
    await act(() => rings[0]?.()); // cancelled too late
    expect(toast.now[0]).toBe("Unblocked.");
    await act(() => rings.at(-1)?.());
    expect(toast.now[0]).toBe("");
  });
});

test("each key is handled until the component is unmounted", async () => {
  const heard: string[] = [];
  await renderHook(() => useKeys(({ key }) => heard.push(key)));
  const press = (key: string) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  press("Home");
  press("ArrowRight");
  await unmountAll();
  press("End");
  expect(heard).toEqual(["Home", "ArrowRight"]);
});
