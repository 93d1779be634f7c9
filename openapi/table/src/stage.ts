/**
 * The picture of the table in the page: fetched from the service, put in, marked and animated; never drawn here.
 *
 * Choices are transparent shapes over what they mean, so the picture stays as it came, whole areas can be hit with a
 * finger, and a screen reader finds buttons with names.
 */
import { deal, Flying } from "./flying";
import type { Option } from "./guide/steps";
import { AGAIN_MS, type Event } from "./live";
import type { Effect } from "./motion";

const SVG = "http://www.w3.org/2000/svg";
const MOST_ANIMATED = 8; // events at once: whoever comes back does not wait for all that was missed
const CHOICES = "choices";

/** A part of the table that is looked at: all, what is offered to everybody, or a seat's own. */
export type View = "all" | "market" | number;

type Box = { x: number; y: number; width: number; height: number };

function union(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

const meet = (one: DOMRect, other: DOMRect): boolean =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;

/** How what happens is shown. */
export interface Manner {
  /** Nothing moves. */
  still: () => boolean;
  /** Milliseconds that the decision of this event takes to be seen. */
  paceOf: (event: Event) => number;
  /** What is said of a scoring while it is shown; `skip` is the name of the button that ends it. */
  caption: (event: Event, effect: Effect) => string | null;
  skip: () => string;
  /** A scoring is seen now. */
  onScoring: (effect: Effect) => void;
}

export class Stage {
  readonly #host: HTMLElement;
  readonly #fetch: (revision: number) => Promise<string>;
  #svg: SVGSVGElement | null = null;
  #whole = "";
  #shown = 0;
  #last: Promise<void> = Promise.resolve();
  #wanted = 0;
  readonly #manner: Manner;

  constructor(host: HTMLElement, fetch: (revision: number) => Promise<string>, manner: Manner) {
    this.#host = host;
    this.#fetch = fetch;
    this.#manner = manner;
  }

  get svg(): SVGSVGElement | null {
    return this.#svg;
  }

  /** Show a revision, going through the events before it where they are few; resolves when it is there. */
  show(revision: number, events: readonly Event[]): Promise<boolean> {
    const turn = ++this.#wanted;
    this.#last = this.#last.then(async () => {
      while (turn === this.#wanted) {
        try {
          return await this.#go(revision, events);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        }
      }
    });
    return this.#last.then(() => turn === this.#wanted);
  }

  async #go(revision: number, events: readonly Event[]): Promise<void> {
    const between = events.filter((event) => event.revision > this.#shown && event.revision <= revision);
    const animated = this.#svg !== null && this.#shown < revision && between.length <= MOST_ANIMATED;
    for (const event of animated ? between : []) {
      if (event.effects.length && !this.#manner.still()) await this.#play(event);
    }
    if (this.#shown !== revision || this.#svg === null) this.#put(await this.#fetch(revision), revision);
  }

  /** Fetch the same revision again: the colours have changed. */
  async refresh(): Promise<void> {
    if (this.#svg) this.#put(await this.#fetch(this.#shown), this.#shown);
  }

  /** What moves flies over the picture before, to where the one after has it; then that is put in. */
  async #play(event: Event): Promise<void> {
    const text = await this.#fetch(event.revision);
    const before = this.#svg;
    const after = pictureOf(text);
    if (before && after) {
      const view = before.getAttribute("viewBox") ?? "";
      if (after.getAttribute("viewBox") === this.#whole) after.setAttribute("viewBox", view);
      await new Flying(this.#host, before, after, this.#manner).play(event);
      this.#put(text, event.revision);
      this.#svg?.setAttribute("viewBox", after.getAttribute("viewBox") ?? view);
      if (this.#svg) deal(this.#svg, event);
    } else this.#put(text, event.revision);
  }

  #put(text: string, revision: number): void {
    const svg = pictureOf(text);
    if (!svg) return;
    this.#whole = svg.getAttribute("viewBox") ?? "";
    this.#host.replaceChildren(svg);
    this.#svg = svg;
    this.#shown = revision;
  }

  #find(selector: string): SVGGraphicsElement | null {
    return this.#svg?.querySelector<SVGGraphicsElement>(selector) ?? null;
  }

  /** Put a button over all that an option means; elements that mean several offer them all. */
  mark(options: readonly Option[], roundness: number, choose: (options: readonly Option[]) => void): void {
    const svg = this.#svg;
    const before = svg?.querySelector(`#${CHOICES}`);
    const byKeys = before?.contains(document.activeElement);
    before?.remove();
    if (!svg || options.length === 0) return;
    const layer = svg.appendChild(document.createElementNS(SVG, "g"));
    layer.id = CHOICES;
    const meant = new Map<SVGGraphicsElement, Option[]>();
    for (const option of options) {
      for (const selector of option.on) {
        for (const element of svg.querySelectorAll<SVGGraphicsElement>(selector)) {
          meant.set(element, [...(meant.get(element) ?? []), option]);
        }
      }
    }
    const shown = svg.getBoundingClientRect();
    for (const [element, those] of meant) {
      if (!meet(element.getBoundingClientRect(), shown)) continue; // in a part that is not looked at
      const button = layer.appendChild(document.createElementNS(SVG, "g"));
      for (const piece of piecesOf(element)) button.append(this.#cover(piece, roundness));
      button.setAttribute("class", "choice");
      button.setAttribute("role", "button");
      button.setAttribute("tabindex", "0");
      button.setAttribute("aria-label", those.map(({ label }) => label).join(" / "));
      button.addEventListener("click", () => choose(those));
      button.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose(those);
      });
    }
    if (byKeys) layer.querySelector<SVGElement>(".choice")?.focus();
  }

  /** A shape where an element is. */
  #cover(element: SVGGraphicsElement, roundness: number): SVGElement {
    const { a, b, c, d, e, f } = this.#toPicture(element);
    const shape = outlineOf(element) ?? boxOf(element, roundness);
    shape.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
    return shape;
  }

  /** Where the options lie: what is offered to everybody comes first, since others can be seen before they are chosen. */
  where(options: readonly Option[]): View {
    const owners = new Set(
      options
        .flatMap(({ on }) => on)
        .flatMap((selector) => this.#find(selector) ?? [])
        .map((element) => element.closest("[data-seat]")?.getAttribute("data-seat") ?? "market"),
    );
    if (owners.has("market")) return "market";
    const [only, ...others] = owners;
    return only === undefined || others.length ? "all" : Number(only);
  }

  /** Show a part of the picture; the picture itself stays whole. */
  look(view: View): void {
    const svg = this.#svg;
    if (!svg) return;
    svg.setAttribute("viewBox", this.#whole);
    const parts = [...svg.children].filter(
      (child): child is SVGGraphicsElement =>
        child instanceof SVGGraphicsElement &&
        !(child instanceof SVGDefsElement) &&
        child.id !== CHOICES &&
        !child.classList.contains("az-ground"),
    );
    const isSeat = (part: Element) => /^seat_\d+$/.test(part.id);
    const wanted = parts.filter((part) => (view === "market" ? !isSeat(part) : part.id === `seat_${view}`));
    const box =
      view === "all" ? null : union(wanted.map((part) => this.#inPicture(part)).filter(({ width }) => width > 0));
    if (box) svg.setAttribute("viewBox", [box.x - 8, box.y - 8, box.width + 16, box.height + 16].join(" "));
  }

  /** Set the boards of these seats off. */
  crown(seats: readonly number[], still: boolean): void {
    for (const seat of seats) {
      const board = this.#find(`#seat_${seat}`);
      board?.classList.add("winner");
      board?.setAttribute("data-still", String(still));
    }
  }

  /** From an element's own coordinates to the picture's. */
  #toPicture(element: SVGGraphicsElement): DOMMatrix {
    const [picture, own] = [this.#svg?.getScreenCTM(), element.getScreenCTM()];
    return picture && own ? picture.inverse().multiply(own) : new DOMMatrix();
  }

  #inPicture(part: SVGGraphicsElement): Box {
    const { x, y, width, height } = part.getBBox();
    const matrix = this.#toPicture(part);
    const corner = new DOMPoint(x, y).matrixTransform(matrix);
    const opposite = new DOMPoint(x + width, y + height).matrixTransform(matrix);
    return { x: corner.x, y: corner.y, width: opposite.x - corner.x, height: opposite.y - corner.y };
  }
}

function pictureOf(text: string): SVGSVGElement | null {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (!(parsed instanceof SVGSVGElement)) return null;
  const svg = document.importNode(parsed, true);
  svg.setAttribute("role", "group"); // an image has no buttons in it
  return svg;
}

/** The shape that a piece is drawn with, where it is one in the piece's own coordinates. */
function outlineOf(element: SVGGraphicsElement): SVGElement | null {
  const symbol = element.ownerSVGElement?.querySelector(`g${element.getAttribute("href") ?? ":not(*)"}`);
  const outline = symbol?.querySelector("polygon");
  if (!outline) return null;
  const copy = outline.cloneNode() as SVGElement;
  copy.removeAttribute("class");
  return copy;
}

function boxOf(element: SVGGraphicsElement, roundness: number): SVGElement {
  const { x, y, width, height } = element.getBBox();
  const shape = document.createElementNS(SVG, "rect");
  const all = { x, y, width, height, rx: Math.max(8, roundness * Math.min(width, height)) };
  for (const [name, value] of Object.entries(all)) shape.setAttribute(name, String(value));
  return shape;
}

/** Like pieces may lie far from each other, with others between them. */
function piecesOf(element: SVGGraphicsElement): SVGGraphicsElement[] {
  const pieces = element.matches("[data-count]") ? [...element.querySelectorAll<SVGGraphicsElement>("use")] : [];
  return pieces.length ? pieces : [element];
}
