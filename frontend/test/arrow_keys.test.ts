import { describe, expect, test } from "vitest";
import { moveFocus, neighbour, setTabStop } from "../src/game/stage/arrow_keys";
import type { Box } from "../src/game/stage/drawings";

const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const;
const piece = (x: number, y: number, size = 40): Box => ({
  x: x - size / 2,
  y: y - size / 2,
  width: size,
  height: size,
});

/** Return the boxes that can be reached from the first one by arrow keys. */
function reached(boxes: readonly Box[]): number[] {
  const seen = new Set([0]);
  for (const from of seen)
    for (const key of KEYS) {
      const next = neighbour(boxes, from, key);
      if (next !== null) seen.add(next);
    }
  return [...seen].sort((one, other) => one - other);
}

const all = (boxes: readonly Box[]): number[] => boxes.map((_, at) => at);
const around = (count: number, radius: number, x: number, y: number): Box[] =>
  Array.from({ length: count }, (_, at) => {
    const angle = (2 * Math.PI * (at + 0.5)) / count;
    return piece(x + radius * Math.sin(angle), y - radius * Math.cos(angle));
  });

describe("rows and columns", () => {
  const grid = [0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => piece(44 * column, 44 * row)));

  test("an arrow key moves to the next piece of the row or column", () => {
    expect(KEYS.map((key) => neighbour(grid, 5, key))).toEqual([4, 6, 1, 9]);
  });

  test("at an edge nothing lies further", () => {
    expect(KEYS.map((key) => neighbour(grid, 0, key))).toEqual([null, 1, null, 4]);
    expect(KEYS.map((key) => neighbour(grid, 11, key))).toEqual([10, null, 7, null]);
  });

  test("a gap in a row is skipped", () => {
    const gap = grid.filter((_, at) => at !== 6);
    expect(neighbour(gap, 5, "ArrowRight")).toBe(6);
    expect(gap[6]).toEqual(grid[7]);
  });

  test("other keys and unknown boxes lead nowhere", () => {
    expect(neighbour(grid, 5, "Enter")).toBeNull();
    expect(neighbour([], 0, "ArrowUp")).toBeNull();
  });
});

test("a near piece to the side comes after a piece straight ahead", () => {
  expect(neighbour([piece(0, 0), piece(20, 60), piece(200, 0)], 0, "ArrowRight")).toBe(2);
});

test("a piece that lies only diagonally can be reached", () => {
  expect(neighbour([piece(0, 0), piece(10, 300)], 0, "ArrowRight")).toBe(1);
});

test.each([
  ["pattern lines right-aligned", [1, 2, 3, 4, 5].map((length, row) => ({ ...piece(0, 44 * row), x: -44 * length }))],
  ["a star of rhombi", around(6, 46, 0, 0)],
  ["seven stars", [...around(6, 138, 0, 0), piece(0, 0)].flatMap(({ x, y }) => around(6, 46, x + 20, y + 20))],
  ["factories beside the centre", [...around(9, 150, 0, 0), piece(400, -60), piece(400, 0), piece(444, 0)]],
])("every piece can be reached: %s", (_, boxes) => {
  expect(reached(boxes)).toEqual(all(boxes));
});

test("one button is the stop of the Tab key, and it follows the focus", () => {
  const buttons = ["Ana", "Ben", "Cleo"].map((name, at) => {
    const button = document.createElementNS("http://www.w3.org/2000/svg", "g");
    button.setAttribute("aria-label", name);
    button.getBoundingClientRect = () => new DOMRect(44 * at, 0, 40, 40);
    return document.body.appendChild(button);
  });
  const stops = () => buttons.map((button) => button.getAttribute("tabindex"));
  const press = (key: string) => moveFocus(new KeyboardEvent("keydown", { key }), buttons);
  expect(setTabStop(buttons, [])).toBe(buttons[0]);
  expect(setTabStop(buttons, ["unknown", "Ben"])).toBe(buttons[1]);
  expect(stops()).toEqual(["-1", "0", "-1"]);
  press("ArrowLeft");
  expect(document.activeElement).toBe(buttons[1]);
  press("ArrowRight");
  expect([document.activeElement, stops()]).toEqual([buttons[2], ["-1", "-1", "0"]]);
  press("ArrowRight");
  press("Enter");
  expect(document.activeElement).toBe(buttons[2]);
});
