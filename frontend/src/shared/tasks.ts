declare const scheduler: { yield?: () => Promise<void> } | undefined; // not in every browser

/** Let the browser handle input before the next long task. */
export const yieldToBrowser = (): Promise<void> =>
  typeof scheduler === "undefined" || !scheduler.yield
    ? new Promise((resolve) => setTimeout(resolve))
    : scheduler.yield();
