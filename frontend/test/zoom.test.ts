import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { enlargeTexts, type ScaledTexts, scaledTexts } from "../src/game/stage/text_size";
import { Zoom } from "../src/game/stage/zoom";

const WHOLE = { x: 0, y: 0, width: 1000, height: 800 };

describe("zoom", () => {
  let host: HTMLElement;
  let zoom: Zoom;
  const changed = vi.fn();
  const visible = () => zoom.visiblePart(WHOLE);

  beforeEach(() => {
    host = document.createElement("div");
    vi.spyOn(host, "getBoundingClientRect").mockReturnValue(new DOMRect(100, 50, 500, 400));
    vi.spyOn(performance, "now").mockReturnValue(10_000);
    changed.mockClear();
    zoom = new Zoom(host, changed);
    visible();
  });
  afterEach(() => vi.restoreAllMocks());

  const wheel = (deltaY: number, options: WheelEventInit = {}) => {
    const event = new Event("wheel", { cancelable: true });
    Object.assign(event, { deltaY, clientX: 350, clientY: 250, ctrlKey: false, ...options });
    host.dispatchEvent(event);
    return event.defaultPrevented;
  };

  const fingers = (kind: string, ...points: [number, number][]) => {
    const event = new Event(kind, { cancelable: true });
    Object.assign(event, { touches: points.map(([clientX, clientY]) => ({ clientX, clientY })) });
    host.dispatchEvent(event);
    return event.defaultPrevented;
  };

  test("the whole picture is visible at first", () => {
    expect(visible()).toEqual(WHOLE);
    expect(zoom.scale).toBe(1);
  });

  test("keys zoom around the middle and reset", () => {
    expect(zoom.handleKey("+")).toBe(true);
    const { width, height, x, y } = visible();
    expect([width, height]).toEqual([1000 / 1.4, 800 / 1.4].map((each) => expect.closeTo(each)));
    expect(x + width / 2).toBeCloseTo(500);
    expect(y + height / 2).toBeCloseTo(400);
    expect(zoom.handleKey("-")).toBe(true);
    expect(visible().width).toBeCloseTo(1000);
    zoom.handleKey("=");
    zoom.handleKey("0");
    expect(visible()).toEqual(WHOLE);
    expect(zoom.handleKey("a")).toBe(false);
    expect(changed).toHaveBeenCalledTimes(4);
  });

  test("the point under the pointer keeps its place", () => {
    expect(wheel(-400, { clientX: 600, clientY: 50 })).toBe(true);
    const { x, y, width, height } = visible();
    expect(zoom.scale).toBeGreaterThan(1.5);
    expect(x + width).toBeCloseTo(1000);
    expect([y, height < 600]).toEqual([0, true]);
  });

  test("the scale is between 1 and 5", () => {
    for (let times = 0; times < 20; times++) zoom.handleKey("+");
    expect(zoom.scale).toBe(5);
    for (let times = 0; times < 20; times++) zoom.handleKey("-");
    expect(visible()).toEqual(WHOLE);
  });

  test("the wheel scrolls the page unless Ctrl is pressed", () => {
    expect(wheel(400)).toBe(false);
    window.dispatchEvent(new Event("scroll"));
    expect(wheel(-400)).toBe(false);
    expect(zoom.scale).toBe(1);
    expect(wheel(-100, { ctrlKey: true })).toBe(true);
    expect(zoom.scale).toBeGreaterThan(1.5);
  });

  test("two fingers zoom by the change of their distance", () => {
    fingers("touchstart", [330, 250], [370, 250]);
    for (const apart of [20, 40, 60]) fingers("touchmove", [350 - apart, 250], [350 + apart, 250]);
    expect(zoom.scale).toBeCloseTo(3);
    expect(visible().width).toBeCloseTo(1000 / 3);
  });

  test("one finger moves a zoomed picture and otherwise scrolls the page", () => {
    expect(fingers("touchmove", [350, 250])).toBe(false);
    zoom.handleKey("+");
    const before = visible();
    fingers("touchstart", [350, 250]);
    expect(fingers("touchmove", [350, 250])).toBe(true);
    fingers("touchmove", [300, 230]);
    expect(visible().x).toBeGreaterThan(before.x);
    expect(visible().y).toBeGreaterThan(before.y);
  });

  test("another part resets the zoom", () => {
    zoom.handleKey("+");
    const part = { x: 10, y: 10, width: 100, height: 100 };
    expect(zoom.visiblePart(part)).toEqual(part);
  });
});

describe("texts of the picture", () => {
  const SVG = "http://www.w3.org/2000/svg";
  const text = (size: number) => {
    const made = document.createElementNS(SVG, "text") as SVGTextElement;
    made.setAttribute("font-size", String(size));
    return made;
  };

  test("only texts smaller than 11 pixels are enlarged", () => {
    const [small, large] = [text(10), text(40)];
    const all: ScaledTexts[] = [small, large].map((each) => ({ texts: [each], symbol: null, scale: 1 }));
    enlargeTexts(all, 0.5);
    expect(parseFloat(small.style.fontSize) * 0.5).toBeGreaterThanOrEqual(11);
    expect(large.style.fontSize).toBe("");
    enlargeTexts(all, 2);
    expect(small.style.fontSize).toBe("");
  });

  test("a symbol is measured at its smallest use", () => {
    const host = document.createElement("div");
    host.innerHTML = `<svg xmlns="${SVG}"><defs><g id="tile"><text font-size="12">3</text></g></defs>
      <use href="#tile"/><use href="#tile"/><text font-size="20">Ana</text></svg>`;
    const svg = host.querySelector("svg") as SVGSVGElement;
    const scaled = (element: Element | undefined, a: number) =>
      Object.assign(element as Element, { getScreenCTM: () => ({ a, b: 0 }) });
    scaled(svg, 2);
    scaled(svg.querySelector("svg > text") ?? undefined, 2);
    const [one, other] = svg.querySelectorAll("use");
    scaled(one, 1);
    scaled(other, 0.5);
    const found = scaledTexts(svg);
    expect(found.map(({ scale }) => scale)).toEqual([1, 0.25]);
    enlargeTexts(found, 2);
    const inSymbol = svg.querySelector<SVGTextElement>("defs text");
    expect(parseFloat(inSymbol?.style.fontSize ?? "") * 2 * 0.25).toBeGreaterThanOrEqual(11);
    expect(svg.querySelector("#tile")?.classList.contains("crowded")).toBe(true);
  });
});
