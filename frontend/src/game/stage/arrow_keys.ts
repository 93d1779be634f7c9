/**
 * Arrow keys on the board move the focus between its buttons. One of them is the stop of the Tab key ("roving
 * tabindex").
 */
import type { Box } from "./drawings";

/** Unit vectors of the keys. */
const DIRECTIONS: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** How much a distance across the direction counts, compared with one along it. */
const ACROSS = 2;

/**
 * Return the index of the nearest box from a box in the direction of an arrow key, or null if none lies there. Boxes
 * within 45° of the direction come first, so the focus stays in its row or column while it can.
 */
export function neighbour(boxes: readonly Box[], from: number, key: string): number | null {
  const [start, direction] = [boxes[from], DIRECTIONS[key]];
  if (!start || !direction) return null;
  const [rightward, downward] = direction;
  const found = boxes.flatMap((box, at) => {
    const right = box.x + box.width / 2 - start.x - start.width / 2;
    const down = box.y + box.height / 2 - start.y - start.height / 2;
    const along = right * rightward + down * downward;
    const across = Math.abs(right * downward) + Math.abs(down * rightward);
    return along > 1 ? [{ at, isAhead: across <= along, distance: along + ACROSS * across }] : [];
  });
  const ahead = found.filter(({ isAhead }) => isAhead);
  const [nearest = null] = (ahead.length ? ahead : found).sort((one, other) => one.distance - other.distance);
  return nearest && nearest.at;
}

/** Make the first button with one of the labels the stop of the Tab key, or else the first button. Return it. */
export function setTabStop(buttons: readonly SVGElement[], labels: readonly string[]): SVGElement | undefined {
  const byLabel = labels.map((label) => buttons.find((button) => button.getAttribute("aria-label") === label));
  const stop = byLabel.find(Boolean) ?? buttons[0];
  for (const button of buttons) button.setAttribute("tabindex", button === stop ? "0" : "-1");
  return stop;
}

/** Move the focus to the next button in the direction of an arrow key, or from elsewhere to the stop of the Tab key. */
export function moveFocus(event: KeyboardEvent, buttons: readonly SVGElement[]): void {
  if (!(event.key in DIRECTIONS) || buttons.length === 0) return;
  event.preventDefault(); // the page must not scroll
  const from = buttons.findIndex((button) => button === document.activeElement);
  const boxes = buttons.map((button) => button.getBoundingClientRect());
  const next =
    from < 0 ? buttons.find((button) => button.tabIndex === 0) : buttons[neighbour(boxes, from, event.key) ?? from];
  for (const button of buttons) button.setAttribute("tabindex", button === next ? "0" : "-1");
  next?.focus();
}
