/**
 * The animation of an event. Pieces fly over the previous picture to their places in the next one, beat by beat. Landed
 * pieces stay until the next picture replaces the previous one. Scorings follow one after another.
 */
import type { Effect, GameEvent } from "../../rulesets/base/events";
import type { Flight } from "../../rulesets/base/motion";
import type { Beat } from "../../rulesets/log";
import { signed } from "../../shared/words/plural";
import { svgElement, viewBoxOf } from "./drawings";

const STAGGER_MS = 45;
const DEAL_MS = 260;
const DEAL_STAGGER_MS = 28;
const POINTS_MS = 900;
/** The duration of a scoring. It is shorter for many scorings, to limit their total. */
const SCORING_MS = 560;
const MIN_SCORING_MS = 260;
const ALL_SCORINGS_MS = 7000;
const TIMEOUT_MS = 1000;
/** The height of the bar at the bottom of a narrow page. */
const BAR_PX = 60;
const EASING = "cubic-bezier(0.35, 0, 0.2, 1)";

type Part = SVGGraphicsElement;

const partOf = (svg: SVGSVGElement, selector: string) => svg.querySelector<Part>(selector);
const piecesIn = (part: Part): Part[] => {
  const pieces = part.matches("[data-count]") ? [...part.querySelectorAll<Part>(":scope > use")] : [];
  return pieces.length ? pieces : [part];
};

/** Preferences that the stage reads during an animation. */
export interface StagePreferences {
  /** True if nothing may move. */
  isStill: () => boolean;
  /** Return the duration of a move in milliseconds. */
  paceOf: (event: GameEvent) => number;
  /**
   * Return the text shown during a scoring, or null. `skipLabel` is the label of the button that ends the animation.
   */
  caption: (event: GameEvent, effect: Effect) => string | null;
  skipLabel: () => string;
  /** Called when a scoring is shown. */
  onScoring: (effect: Effect) => void;
}

interface PlannedFlight {
  flight: Flight;
  /** The place where each piece lands. */
  ends: DOMRect[];
}

export class FlightAnimation {
  readonly #host: HTMLElement;
  readonly #before: SVGSVGElement;
  readonly #after: SVGSVGElement;
  readonly #preferences: StagePreferences;
  readonly #layer = document.createElement("div");
  readonly #landed = new Map<string, HTMLElement[]>();
  #isSkipped = false;

  constructor(host: HTMLElement, before: SVGSVGElement, after: SVGSVGElement, preferences: StagePreferences) {
    [this.#host, this.#before, this.#after, this.#preferences] = [host, before, after, preferences];
    this.#layer.className = "flights";
  }

  /**
   * Animate some beats of an event. `scorings`: number of all scorings of the event. Resolve to false if the player has
   * skipped the rest.
   */
  async play(event: GameEvent, all: readonly Beat[], scorings: number): Promise<boolean> {
    const planned = this.#plan(all);
    if (planned.every((flights) => flights.length === 0)) return true;
    this.#host.append(this.#layer);
    const each = Math.max(MIN_SCORING_MS, Math.min(SCORING_MS, ALL_SCORINGS_MS / Math.max(1, scorings)));
    const risings: Promise<void>[] = [];
    const scrolled = scrollY;
    for (const [number, beat] of all.entries()) {
      if (this.#isSkipped) break;
      const pace = beat.scoring ? each : this.#preferences.paceOf(event);
      if (beat.scoring) {
        this.#showCaption(event, beat);
        this.#scrollIntoView(beat);
      }
      const flights = planned[number] ?? [];
      await Promise.all(flights.filter(({ flight }) => flight.points === undefined).map((one) => this.#fly(one, pace)));
      if (this.#isSkipped) break;
      if (beat.scoring) this.#preferences.onScoring(beat.scoring);
      risings.push(...flights.filter(({ flight }) => flight.points !== undefined).map((one) => this.#rise(one)));
      const nothingFlew = flights.every(({ flight }) => flight.points !== undefined);
      if (beat.scoring && nothingFlew) await this.#pause(each);
    }
    if (!this.#isSkipped) await Promise.all(risings);
    this.#layer.remove();
    if (scorings && scrollY !== scrolled) scrollTo({ top: scrolled, behavior: "smooth" });
    return !this.#isSkipped;
  }

  /** Finish all animations at once. */
  #skip = (): void => {
    this.#isSkipped = true;
    for (const animation of this.#layer.getAnimations({ subtree: true })) animation.finish();
  };

  /** Return where everything lands. Measuring needs the next picture in the page; nothing is painted in between. */
  #plan(all: readonly Beat[]): PlannedFlight[][] {
    const later = new Map<string, DOMRect[]>();
    const movingFlights = all.flatMap(({ flights }) => flights).filter(({ fills }) => !fills);
    this.#before.replaceWith(this.#after);
    for (const { to } of movingFlights) {
      const part = partOf(this.#after, to);
      if (part)
        later.set(
          to,
          piecesIn(part).map((piece) => this.#placeOf(piece)),
        );
    }
    this.#after.replaceWith(this.#before);
    const filled = new Map<string, number>();
    return all.map(({ flights }) =>
      flights.flatMap((flight): PlannedFlight[] => {
        const to = partOf(this.#before, flight.to);
        if (flight.fills) {
          const cells = to ? [...to.querySelectorAll<Part>(":scope > use, :scope > rect")] : [];
          const first = filled.get(flight.to) ?? cells.filter((cell) => cell.tagName === "use").length;
          const count = flight.part?.count ?? 1;
          filled.set(flight.to, first + count);
          const ends = cells.slice(first, first + count).map((cell) => this.#placeOf(cell));
          return ends.length ? [{ flight, ends }] : [];
        }
        const ends = later.get(flight.to) ?? (to ? [this.#placeOf(to)] : []);
        return ends.length ? [{ flight, ends }] : [];
      }),
    );
  }

  /** Return the place of a part relative to the host, so that scrolling does not change it. */
  #placeOf(part: Part): DOMRect {
    const { left, top, width, height } = part.getBoundingClientRect();
    const host = this.#host.getBoundingClientRect();
    return new DOMRect(left - host.left, top - host.top, width, height);
  }

  /** Scroll to the board that scores. On a narrow page the table is higher than the screen. */
  #scrollIntoView({ scoring }: Beat): void {
    const board = scoring && "seat" in scoring ? partOf(this.#before, `#seat_${scoring.seat}`) : null;
    if (!board) return;
    const { top, bottom } = board.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight - BAR_PX) board.scrollIntoView({ block: "center", behavior: "smooth" });
  }

  #fly({ flight, ends }: PlannedFlight, pace: number): Promise<unknown> {
    const from = partOf(this.#before, flight.from);
    if (!from) return Promise.resolve();
    if (flight.symbol) return this.#flyOne(flight, from, ends, pace);
    const { first, count } = flight.part ?? { first: 0, count: Infinity };
    const pieces = piecesIn(from).slice(first, first + count);
    const flown = pieces.map((piece, number) => {
      // pieces that join others of their kind take the last places
      const end = ends[Math.max(0, flight.fills ? number : ends.length - pieces.length + number)] ?? ends.at(-1);
      const flying = copyOf(piece);
      const start = this.#placeOf(piece);
      piece.style.visibility = "hidden";
      return end ? this.#move(flying, flight.to, start, end, pace, number * STAGGER_MS) : undefined;
    });
    return Promise.all(flown);
  }

  /** Let one piece of a row fly on. The others are used up. */
  #flyOne({ symbol, to }: Flight, from: Part, ends: readonly DOMRect[], pace: number): Promise<void> {
    const [end] = ends;
    const cell = from.querySelector<Part>(":scope > use, :scope > rect") ?? from;
    const start = this.#placeOf(cell);
    const drawn = cell.getBBox();
    for (const tile of from.querySelectorAll<Part>(":scope > use")) tile.style.visibility = "hidden";
    for (const tile of this.#landed.get(`#${from.id}`) ?? []) tile.remove();
    if (!end) return Promise.resolve();
    const { x, y, width, height } = drawn;
    const use = svgElement("use", { href: symbol ?? "", x, y, width, height });
    return this.#move(frame(use, drawn), to, start, end, pace, 0);
  }

  async #move(
    piece: HTMLElement,
    to: string,
    start: DOMRect,
    end: DOMRect,
    pace: number,
    delay: number,
  ): Promise<void> {
    const middle = ({ left, top, width, height }: DOMRect): [number, number] => [left + width / 2, top + height / 2];
    const [[x, y], [toX, toY]] = [middle(start), middle(end)];
    const at = (left: number, top: number, scale: number) =>
      `translate(${left}px, ${top}px) translate(-50%, -50%) scale(${scale})`;
    const scale = Math.min(1.2, Math.max(0.3, Math.min(end.width / start.width, end.height / start.height)));
    const lift = Math.min(36, Math.hypot(toX - x, toY - y) / 6);
    piece.className = "flying";
    piece.setAttribute("aria-hidden", "true");
    Object.assign(piece.style, { width: `${start.width}px`, height: `${start.height}px` });
    this.#layer.append(piece);
    const frames = [
      { transform: at(x, y, 1) },
      { transform: at((x + toX) / 2, (y + toY) / 2 - lift, 1.12 * Math.max(1, scale)), offset: 0.5 },
      { transform: at(toX, toY, scale) },
    ];
    const motion = piece.animate(frames, { duration: pace, delay, easing: EASING, fill: "both" });
    this.#landed.set(to, [...(this.#landed.get(to) ?? []), piece]);
    await animationEnd(motion, pace + delay);
  }

  async #rise({ flight, ends }: PlannedFlight): Promise<void> {
    const [end] = ends;
    if (!end) return;
    const word = pointsElement(flight.points ?? 0);
    this.#layer.append(word);
    const from = `translate(${end.left + end.width / 2}px, ${end.top + end.height / 2}px)`;
    const frames = [
      { transform: `${from} translate(-50%, -50%) scale(0.5)`, opacity: 0 },
      { transform: `${from} translate(-50%, -60%) scale(1.15)`, opacity: 1, offset: 0.25 },
      { transform: `${from} translate(-50%, -80%) scale(1)`, opacity: 1, offset: 0.7 },
      { transform: `${from} translate(-50%, -170%) scale(1)`, opacity: 0 },
    ];
    await animationEnd(word.animate(frames, { duration: POINTS_MS, fill: "forwards" }), POINTS_MS);
    word.remove();
  }

  async #pause(duration: number): Promise<void> {
    await animationEnd(this.#layer.animate({}, { duration }), duration);
  }

  /** Show the text of a scoring, with a button to skip the rest. */
  #showCaption(event: GameEvent, { scoring }: Beat): void {
    const text = scoring && this.#preferences.caption(event, scoring);
    if (!text) return;
    let caption = this.#layer.querySelector<HTMLElement>(".caption");
    if (!caption) {
      caption = this.#layer.appendChild(document.createElement("div"));
      caption.className = "caption";
      const textElement = caption.appendChild(document.createElement("span"));
      textElement.setAttribute("aria-hidden", "true"); // screen readers read the log
      const button = caption.appendChild(document.createElement("button"));
      button.textContent = this.#preferences.skipLabel();
      button.addEventListener("click", this.#skip);
    }
    (caption.firstElementChild as HTMLElement).textContent = text;
  }
}

/** Resolve when an animation has finished, or after a timeout: a page that is not painted runs no animations. */
const animationEnd = (motion: Animation, duration: number): Promise<unknown> =>
  Promise.race([
    motion.finished.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, 2 * duration + TIMEOUT_MS)),
  ]);

/** Let newly dealt tiles appear one after another, without waiting for the end. */
export function animateDeal(svg: SVGSVGElement, event: GameEvent): void {
  if (!event.effects.some(({ type }) => type.endsWith(".dealt"))) return;
  const frames = [{ opacity: 0 }, { opacity: 1 }];
  for (const [number, tile] of svg.querySelectorAll('[data-source^="factory"] use').entries())
    tile.animate(frames, { duration: DEAL_MS, delay: number * DEAL_STAGGER_MS, fill: "backwards" });
}

/** Return a copy of a piece, in its size on the screen. */
export function copyOf(piece: Part): HTMLElement {
  const copy = piece.cloneNode(true) as Part;
  copy.removeAttribute("transform");
  for (const each of [copy, ...copy.querySelectorAll("[id]")]) each.removeAttribute("id");
  return frame(copy, piece.getBBox()); // its own coordinates, before rotation and scaling
}

function frame(piece: SVGElement, box: DOMRect): HTMLElement {
  const svg = svgElement("svg", { viewBox: viewBoxOf(box), class: "azul-table" });
  svg.append(piece);
  const host = document.createElement("div");
  host.append(svg);
  return host;
}

function pointsElement(points: number): HTMLElement {
  const word = document.createElement("div");
  word.textContent = signed(points);
  word.className = points > 0 ? "flying points" : "flying points loss";
  word.setAttribute("aria-hidden", "true");
  return word;
}
