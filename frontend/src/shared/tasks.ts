/** The work of the page is cut into short tasks, so that whoever clicks or scrolls meanwhile is heard. */

declare const scheduler: { yield?: () => Promise<void> } | undefined; // not in every browser

/** What follows is a task of its own. */
export const yieldToBrowser = (): Promise<void> =>
  typeof scheduler === "undefined" || !scheduler.yield
    ? new Promise((resolve) => setTimeout(resolve))
    : scheduler.yield();
