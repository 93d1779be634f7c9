/**
 * The picture of the table in the page. The service draws it; the stage shows, marks and animates it.
 *
 * Choices are transparent shapes over the picture. So the picture stays unchanged, a finger can hit whole areas, and
 * screen readers find buttons with names. The buttons are one stop of the Tab key; arrow keys move between them.
 */
import type { Option } from "../../rulesets/base/steps";
import { pauseBeforeRetry } from "../../shared/requests";
import { yieldToBrowser } from "../../shared/tasks";
import type { GameEvent } from "../../rulesets/base/events";
import { type Beat, splitIntoBeats } from "../../rulesets/log";
import { moveFocus, setTabStop } from "./arrow_keys";
import { removeLayer, startDrag } from "./dragging";
import {
  ARROWS,
  boundingBox,
  type Box,
  boxInPicture,
  coverShape,
  drawArrows,
  GHOSTS,
  type MoveArrow,
  showPreview,
  singlePieces,
  svgElement,
  viewBoxOf,
} from "./drawings";
import { animateDeal, copyOf, FlightAnimation, type StagePreferences } from "./flight_animation";
import { enlargeTexts, type ScaledTexts, scaledTexts, scaleOf, shortenNames } from "./text_size";
import { Zoom } from "./zoom";

const MAX_ANIMATED = 8; // after a longer absence, the stage shows the result at once
const CHOICES = "choices";
const LAYERS = [CHOICES, GHOSTS, ARROWS];

/** The visible part of the table: everything, the shared supply, or one seat's board. */
export type View = "all" | "market" | number;

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  one.x + one.width > other.x &&
  one.y < other.y + other.height &&
  one.y + one.height > other.y;

const isInside = (part: Element, whole: Element): boolean => {
  const [inner, outer] = [part.getBoundingClientRect(), whole.getBoundingClientRect()];
  const isWithin = inner.left >= outer.left && inner.right <= outer.right;
  return isWithin && inner.top >= outer.top && inner.bottom <= outer.bottom;
};

export class Stage {
  readonly zoom: Zoom;
  readonly #host: HTMLElement;
  readonly #fetch: (revision: number) => Promise<string>;
  #svg: SVGSVGElement | null = null;
  #whole: Box = { x: 0, y: 0, width: 1, height: 1 };
  #view: View | null = null; // of the current picture; null until a view was chosen
  #visibleBox: Box = this.#whole;
  #texts: readonly ScaledTexts[] | null = null; // of the current picture; null until it was measured
  #scale = 0; // for which the text sizes were set
  #revision = 0;
  #queue: Promise<void> = Promise.resolve();
  #requests = 0;
  #refreshes = 0;
  #screen = ""; // size for which the height was measured
  #height = 0;
  #selectedLabels: readonly string[] = []; // of the previous marks
  readonly #preferences: StagePreferences;

  constructor(host: HTMLElement, fetch: (revision: number) => Promise<string>, preferences: StagePreferences) {
    this.#host = host;
    this.#fetch = fetch;
    this.#preferences = preferences;
    this.zoom = new Zoom(host, () => this.#updateView());
    host.addEventListener("keydown", (event) => moveFocus(event, this.#buttons()));
    host.addEventListener("focusin", ({ target }) => {
      if (this.zoom.scale > 1 && target instanceof SVGElement && !isInside(target, host)) this.zoom.reset();
    });
    new ResizeObserver(() => this.#updateView()).observe(host);
  }

  get svg(): SVGSVGElement | null {
    return this.#svg;
  }

  /**
   * Show a revision, and animate the events before it if they are few. Resolve to false if another call came in
   * between.
   */
  show(revision: number, events: readonly GameEvent[]): Promise<boolean> {
    const turn = ++this.#requests;
    this.#queue = this.#queue.then(async () => {
      while (turn === this.#requests) {
        try {
          return await this.#animateTo(revision, events);
        } catch {
          await pauseBeforeRetry();
        }
      }
    });
    return this.#queue.then(() => turn === this.#requests);
  }

  async #animateTo(revision: number, events: readonly GameEvent[]): Promise<void> {
    const between = events.filter((event) => event.revision > this.#revision && event.revision <= revision);
    const animated = this.#svg !== null && this.#revision < revision && between.length <= MAX_ANIMATED;
    for (const event of animated && !this.#preferences.isStill() ? between : []) {
      if (event.effects.length || event.kind === "takeback") await this.#play(event);
    }
    if (this.#revision !== revision || this.#svg === null)
      this.#replacePicture(await this.#pictureOf(revision), revision);
  }

  /** Fetch the current revision again, for example after a change of colours. */
  async refresh(): Promise<void> {
    if (!this.#svg) return;
    const turn = ++this.#refreshes;
    const picture = await this.#pictureOf(this.#revision);
    if (turn === this.#refreshes) this.#replacePicture(picture, this.#revision);
  }

  /** Animate an event over the previous picture, then show the next one. */
  async #play(event: GameEvent): Promise<void> {
    const after = await this.#pictureOf(event.revision);
    const before = this.#svg;
    if (before && after) {
      const isAlike = viewBoxOf(after.whole) === viewBoxOf(this.#whole);
      const beats = splitIntoBeats(event);
      const scorings = beats.filter(({ scoring }) => scoring !== null).length;
      for (const group of this.#view === "all" ? [beats] : groupByBoard(beats)) {
        const [{ scoring = null } = {}] = group;
        if (scoring && "seat" in scoring && this.#view !== "all") this.showView(scoring.seat);
        if (isAlike) after.svg.setAttribute("viewBox", before.getAttribute("viewBox") ?? "");
        const animation = new FlightAnimation(this.#host, before, after.svg, this.#preferences);
        if (!(await animation.play(event, group, scorings))) break;
      }
    }
    this.#replacePicture(after, event.revision);
    this.#updateView();
    if (before && after) animateDeal(after.svg, event);
  }

  async #pictureOf(revision: number): Promise<Picture | null> {
    const picture = pictureOf(await this.#fetch(revision));
    await yieldToBrowser(); // inserting the picture is a long task
    return picture;
  }

  #replacePicture(picture: Picture | null, revision: number): void {
    if (!picture) return;
    const { svg, whole } = picture;
    if (viewBoxOf(whole) !== viewBoxOf(this.#whole)) this.#visibleBox = whole;
    this.#whole = whole;
    this.#host.replaceChildren(svg);
    this.#svg = svg;
    [this.#view, this.#texts, this.#scale] = [null, null, 0];
    this.#revision = revision;
  }

  #buttons(): SVGElement[] {
    return [...(this.#svg?.querySelectorAll<SVGElement>(`#${CHOICES} > [role="button"]`) ?? [])];
  }

  #find(selector: string): SVGGraphicsElement | null {
    return this.#svg?.querySelector<SVGGraphicsElement>(selector) ?? null;
  }

  /**
   * Put buttons over everything that an option means. An element with several options offers all of them. `selected` is
   * highlighted, and `alternatives` can replace it at once.
   */
  mark(marks: Marks): void {
    const svg = this.#svg;
    const before = svg?.querySelector(`#${CHOICES}`);
    const focusedLabel = before?.querySelector(":focus-visible")?.getAttribute("aria-label");
    if (before) removeLayer(before);
    if (!svg) return;
    showPreview(svg, null);
    const { options, alternatives, selected } = marks;
    const labels = [focusedLabel ?? "", ...this.#selectedLabels];
    this.#selectedLabels = selected.map(({ label }) => label);
    if (options.length + alternatives.length + selected.length === 0) return;
    const layer = svgElement("g", { id: CHOICES, role: "toolbar", "aria-label": marks.question }); // inserted when complete, so that the page is laid out once
    const all = this.#findPieces(svg, options);
    for (const [piece, those] of all) {
      if (those.length > 1 && those.length === options.length) continue; // it would only ask the same question again
      layer.append(this.#button(piece, those, "choice", marks));
    }
    const chosen = new Set(this.#findPieces(svg, selected).keys());
    for (const [piece, those] of this.#findPieces(svg, alternatives))
      if (!all.has(piece) && !chosen.has(piece)) layer.append(this.#button(piece, those, "other", marks));
    for (const piece of chosen) {
      const mark = layer.appendChild(svgElement("g", { class: "taken" }));
      for (const each of singlePieces(piece)) mark.append(coverShape(svg, each, marks.roundness));
    }
    svg.append(layer);
    const stop = setTabStop(this.#buttons(), labels);
    if (focusedLabel && stop?.classList.contains("choice")) stop.focus();
  }

  /** Return the options of each piece in the visible part. */
  #findPieces(svg: SVGSVGElement, options: readonly Option[]): Map<SVGGraphicsElement, Option[]> {
    const found = new Map<SVGGraphicsElement, Option[]>();
    for (const option of options) {
      for (const selector of option.selectors) {
        for (const piece of svg.querySelectorAll<SVGGraphicsElement>(selector)) {
          if (!overlap(boxInPicture(svg, piece), this.#visibleBox)) continue;
          found.set(piece, [...(found.get(piece) ?? []), option]);
        }
      }
    }
    return found;
  }

  #button(piece: SVGGraphicsElement, options: readonly Option[], kind: "choice" | "other", marks: Marks): SVGElement {
    const svg = this.#svg as SVGSVGElement;
    const label = options.map((option) => option.label).join(" / ");
    const button = svgElement("g", { class: kind, role: "button", tabindex: -1, "aria-label": label });
    if (marks.recommendation && options.some(marks.recommendation.isRecommended)) {
      button.classList.add("meant");
      button.setAttribute("aria-description", marks.recommendation.label);
    }
    const pieces = singlePieces(piece);
    for (const each of pieces) button.append(coverShape(svg, each, marks.roundness));
    const choose = () => marks.choose(options);
    button.addEventListener("click", choose);
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    });
    const [only, ...more] = options;
    if (only?.preview && more.length === 0) {
      for (const name of ["pointerenter", "focus"])
        button.addEventListener(name, () => showPreview(svg, only.preview ?? null));
      for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => showPreview(svg, null));
    }
    if (only?.isDraggable && more.length === 0) {
      button.dataset["carried"] = "";
      button.addEventListener("pointerdown", (event) =>
        startDrag(event, () => dragImage(pieces), choose, marks.putBack),
      );
    }
    return button;
  }

  drawArrows(arrows: readonly MoveArrow[], roundness: number): void {
    if (this.#svg) drawArrows(this.#svg, arrows, roundness);
  }

  /**
   * Return the view that contains the options, or null if the picture contains none of them. The shared supply comes
   * first, because options there are needed before others.
   */
  viewOf(options: readonly Pick<Option, "selectors">[]): View | null {
    const owners = new Set(
      this.#firstPieces(options).map((piece) => piece.closest("[data-seat]")?.getAttribute("data-seat") ?? "market"),
    );
    if (owners.has("market")) return "market";
    const [only, ...others] = owners;
    if (only === undefined) return null;
    return others.length ? "all" : Number(only);
  }

  /** Return the size in pixels that the smallest piece of the options has when the whole table is shown. */
  smallestPiece(options: readonly Pick<Option, "selectors">[]): number {
    const svg = this.#svg;
    if (!svg) return 0;
    const boxes = this.#firstPieces(options)
      .flatMap(singlePieces)
      .map((piece) => piece.getBoundingClientRect());
    const { width, height } = this.#whole;
    const maxHeight = parseFloat(getComputedStyle(svg).maxHeight) || Infinity;
    const scale = Math.min(this.#host.clientWidth / width, maxHeight / height) / scaleOf(svg);
    return scale * Math.min(...boxes.map((box) => Math.min(box.width, box.height)));
  }

  #firstPieces(options: readonly Pick<Option, "selectors">[]): SVGGraphicsElement[] {
    return options.flatMap(({ selectors }) => selectors).flatMap((selector) => this.#find(selector) ?? []);
  }

  /** Show a part of the picture. */
  showView(view: View): void {
    const svg = this.#svg;
    if (!svg || view === this.#view) return;
    const parts = [...svg.children].filter(
      (child): child is SVGGraphicsElement =>
        child instanceof SVGGraphicsElement &&
        !(child instanceof SVGDefsElement) &&
        !LAYERS.includes(child.id) &&
        !child.classList.contains("az-ground"),
    );
    const isSeat = (part: Element) => /^seat_\d+$/.test(part.id);
    const isWanted = (part: Element) => (view === "market" ? !isSeat(part) : part.id === `seat_${view}`);
    const wanted = parts.filter(isWanted);
    for (const part of parts) part.classList.toggle("off", view !== "all" && !isWanted(part));
    const box =
      view === "all"
        ? null
        : boundingBox(wanted.map((part) => boxInPicture(svg, part)).filter(({ width }) => width > 0));
    this.#view = view;
    this.#visibleBox = box ? { x: box.x - 4, y: box.y - 4, width: box.width + 8, height: box.height + 8 } : this.#whole;
    this.#updateView();
  }

  /** Highlight the boards of the winners. */
  markWinners(seats: readonly number[], isStill: boolean): void {
    for (const seat of seats) {
      const board = this.#find(`#seat_${seat}`);
      board?.classList.add("winner");
      board?.setAttribute("data-still", String(isStill));
    }
  }

  /** Apply view and zoom, and adapt the text sizes. */
  #updateView(): void {
    const svg = this.#svg;
    if (!svg || this.#host.clientWidth === 0) return;
    this.#texts ??= scaledTexts(svg); // measure everything before any change, so that the page is laid out once
    const box = viewBoxOf(this.zoom.visiblePart(this.#visibleBox));
    if (svg.getAttribute("viewBox") !== box) svg.setAttribute("viewBox", box);
    this.#host.classList.toggle("zoomed", this.zoom.scale > 1);
    this.#keepHeight(svg);
    const scale = scaleOf(svg);
    if (scale === this.#scale) return;
    this.#scale = scale;
    enlargeTexts(this.#texts, scale);
    shortenNames(svg);
  }

  /** Let the board keep the height of its highest part, so that nothing below moves when the view changes. */
  #keepHeight(svg: SVGSVGElement): void {
    const { clientWidth, clientHeight } = document.documentElement;
    const screen = `${clientWidth} ${clientHeight}`;
    if (screen !== this.#screen) [this.#screen, this.#height] = [screen, 0];
    if (this.#view !== "all") this.#height = Math.max(this.#height, svg.getBoundingClientRect().height);
    this.#host.style.minHeight = this.#height ? `${this.#height}px` : "";
  }
}

/** Return the beats in groups: those of each board that scores, if only a part of the table is visible. */
function groupByBoard(beats: readonly Beat[]): Beat[][] {
  const boardOf = ({ scoring }: Beat) => (scoring && "seat" in scoring ? scoring.seat : null);
  const groups: Beat[][] = [];
  for (const beat of beats) {
    const group = groups.at(-1);
    if (group?.[0] && boardOf(group[0]) === boardOf(beat)) group.push(beat);
    else groups.push([beat]);
  }
  return groups;
}

/** A picture with its original view box. */
interface Picture {
  svg: SVGSVGElement;
  whole: Box;
}

function pictureOf(text: string): Picture | null {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (!(parsed instanceof SVGSVGElement)) return null;
  const svg = document.importNode(parsed, true);
  svg.setAttribute("role", "group"); // an image could not contain buttons
  const { x, y, width, height } = svg.viewBox.baseVal;
  return { svg, whole: { x, y, width, height } };
}

/** The coach's advice for the current step. */
export interface Recommendation {
  arrows: readonly MoveArrow[];
  /** Return whether an option leads to the advised action. */
  isRecommended: (option: Option) => boolean;
  /** Added to the accessible description of a recommended option. */
  label: string;
}

/** What the stage marks, and callbacks for clicks. */
export interface Marks {
  /** The name of the group of choices. */
  question: string;
  options: readonly Option[];
  alternatives: readonly Option[];
  selected: readonly Option[];
  roundness: number;
  recommendation: Recommendation | null;
  choose: (options: readonly Option[]) => void;
  /** Called when a dragged piece was dropped nowhere. */
  putBack: () => void;
}

/** Return the image that follows the pointer during a drag. */
function dragImage(pieces: readonly SVGGraphicsElement[]): HTMLElement {
  const hand = document.createElement("div");
  for (const piece of pieces) {
    const { width, height } = piece.getBoundingClientRect();
    const copy = copyOf(piece);
    Object.assign(copy.style, { width: `${width}px`, height: `${height}px` });
    hand.append(copy);
  }
  return hand;
}
