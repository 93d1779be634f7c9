/**
 * The picture of the table in the page: fetched from the service, put in, marked and animated; never drawn here.
 *
 * Choices are transparent shapes over what they mean, so the picture stays as it came, whole areas can be hit with a
 * finger, and a screen reader finds buttons with names.
 */
import type { Option } from "../../rulesets/base/steps";
import { pauseBeforeRetry } from "../../shared/requests";
import { yieldToBrowser } from "../../shared/tasks";
import type { GameEvent } from "../../rulesets/base/events";
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
import { enlargeTexts, type ScaledTexts, scaledTexts, scaleOf } from "./text_size";
import { Zoom } from "./zoom";

const MAX_ANIMATED = 8; // events at once: whoever comes back does not wait for all that was missed
const CHOICES = "choices";
const LAYERS = [CHOICES, GHOSTS, ARROWS];

/** A part of the table that is looked at: all, what is offered to everybody, or a seat's own. */
export type View = "all" | "market" | number;

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  one.x + one.width > other.x &&
  one.y < other.y + other.height &&
  one.y + one.height > other.y;

export class Stage {
  readonly zoom: Zoom;
  readonly #host: HTMLElement;
  readonly #fetch: (revision: number) => Promise<string>;
  #svg: SVGSVGElement | null = null;
  #whole: Box = { x: 0, y: 0, width: 1, height: 1 };
  #view: View | null = null; // of this picture, if it was looked at
  #visibleBox: Box = this.#whole;
  #texts: readonly ScaledTexts[] | null = null; // of this picture, once it was seen
  #scale = 0; // at which they are as large as they have to be
  #revision = 0;
  #queue: Promise<void> = Promise.resolve();
  #requests = 0;
  readonly #preferences: StagePreferences;

  constructor(host: HTMLElement, fetch: (revision: number) => Promise<string>, preferences: StagePreferences) {
    this.#host = host;
    this.#fetch = fetch;
    this.#preferences = preferences;
    this.zoom = new Zoom(host, () => this.#updateView());
    new ResizeObserver(() => this.#updateView()).observe(host);
  }

  get svg(): SVGSVGElement | null {
    return this.#svg;
  }

  /** Show a revision, going through the events before it where they are few; resolves when it is there. */
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
    for (const event of animated ? between : []) {
      if (event.effects.length && !this.#preferences.isStill()) await this.#play(event);
    }
    if (this.#revision !== revision || this.#svg === null)
      this.#replacePicture(await this.#pictureOf(revision), revision);
  }

  /** Fetch the same revision again: the colours have changed. */
  async refresh(): Promise<void> {
    if (this.#svg) this.#replacePicture(await this.#pictureOf(this.#revision), this.#revision);
  }

  /** What moves flies over the picture before, to where the one after has it; then that is put in. */
  async #play(event: GameEvent): Promise<void> {
    const after = await this.#pictureOf(event.revision);
    const before = this.#svg;
    if (before && after) {
      const isAlike = viewBoxOf(after.whole) === viewBoxOf(this.#whole);
      if (isAlike) after.svg.setAttribute("viewBox", before.getAttribute("viewBox") ?? "");
      await new FlightAnimation(this.#host, before, after.svg, this.#preferences).play(event);
    }
    this.#replacePicture(after, event.revision);
    this.#updateView();
    if (before && after) animateDeal(after.svg, event);
  }

  async #pictureOf(revision: number): Promise<Picture | null> {
    const picture = pictureOf(await this.#fetch(revision));
    await yieldToBrowser(); // to put it in takes long enough
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

  #find(selector: string): SVGGraphicsElement | null {
    return this.#svg?.querySelector<SVGGraphicsElement>(selector) ?? null;
  }

  /**
   * Put a button over all that an option means; elements that mean several offer them all. What was `taken` stands out,
   * and what could be chosen in its place (`others`) can be clicked at once.
   */
  mark(marks: Marks): void {
    const svg = this.#svg;
    const before = svg?.querySelector(`#${CHOICES}`);
    const byKeys = before?.querySelector(":focus-visible");
    if (before) removeLayer(before);
    if (!svg) return;
    showPreview(svg, null);
    const { options, alternatives, selected } = marks;
    if (options.length + alternatives.length + selected.length === 0) return;
    const layer = svgElement("g", { id: CHOICES }); // put in when it is whole: the page is laid out once
    const all = this.#findPieces(svg, options);
    for (const [piece, those] of all) layer.append(this.#button(piece, those, "choice", marks));
    const chosen = new Set(this.#findPieces(svg, selected).keys());
    for (const [piece, those] of this.#findPieces(svg, alternatives))
      if (!all.has(piece) && !chosen.has(piece)) layer.append(this.#button(piece, those, "other", marks));
    for (const piece of chosen) {
      const mark = layer.appendChild(svgElement("g", { class: "taken" }));
      for (const each of singlePieces(piece)) mark.append(coverShape(svg, each, marks.roundness));
    }
    svg.append(layer);
    if (byKeys) layer.querySelector<SVGElement>(".choice")?.focus();
  }

  /** What the options mean of the part that is looked at. */
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
    const button = svgElement("g", { class: kind, role: "button", tabindex: 0, "aria-label": label });
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

  /** Draw where actions lead. */
  drawArrows(arrows: readonly MoveArrow[], roundness: number): void {
    if (this.#svg) drawArrows(this.#svg, arrows, roundness);
  }

  /** Where the options lie: what is offered to everybody comes first, since others can be seen before they are chosen. */
  viewOf(options: readonly Pick<Option, "selectors">[]): View {
    const owners = new Set(
      options
        .flatMap(({ selectors }) => selectors)
        .flatMap((selector) => this.#find(selector) ?? [])
        .map((element) => element.closest("[data-seat]")?.getAttribute("data-seat") ?? "market"),
    );
    if (owners.has("market")) return "market";
    const [only, ...others] = owners;
    return only === undefined || others.length ? "all" : Number(only);
  }

  /** Show a part of the picture; the picture itself stays whole. */
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
    const wanted = parts.filter((part) => (view === "market" ? !isSeat(part) : part.id === `seat_${view}`));
    const box =
      view === "all"
        ? null
        : boundingBox(wanted.map((part) => boxInPicture(svg, part)).filter(({ width }) => width > 0));
    this.#view = view;
    this.#visibleBox = box
      ? { x: box.x - 8, y: box.y - 8, width: box.width + 16, height: box.height + 16 }
      : this.#whole;
    this.#updateView();
  }

  /** Set the boards of these seats off. */
  markWinners(seats: readonly number[], still: boolean): void {
    for (const seat of seats) {
      const board = this.#find(`#seat_${seat}`);
      board?.classList.add("winner");
      board?.setAttribute("data-still", String(still));
    }
  }

  /** Show the part that is looked at, as large as is wished, with words that can be read. */
  #updateView(): void {
    const svg = this.#svg;
    if (!svg || this.#host.clientWidth === 0) return;
    this.#texts ??= scaledTexts(svg); // all is read before anything is changed: the page is laid out once
    const box = viewBoxOf(this.zoom.visiblePart(this.#visibleBox));
    if (svg.getAttribute("viewBox") !== box) svg.setAttribute("viewBox", box);
    this.#host.classList.toggle("closer", this.zoom.scale > 1);
    const scale = scaleOf(svg);
    if (scale === this.#scale) return;
    this.#scale = scale;
    enlargeTexts(this.#texts, scale);
  }
}

/** A picture, and the box that it is drawn in. */
interface Picture {
  svg: SVGSVGElement;
  whole: Box;
}

function pictureOf(text: string): Picture | null {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (!(parsed instanceof SVGSVGElement)) return null;
  const svg = document.importNode(parsed, true);
  svg.setAttribute("role", "group"); // an image has no buttons in it
  const { x, y, width, height } = svg.viewBox.baseVal;
  return { svg, whole: { x, y, width, height } };
}

/** What is meant now. */
export interface Recommendation {
  arrows: readonly MoveArrow[];
  /** Whether an option leads to what is advised. */
  isRecommended: (option: Option) => boolean;
  /** What such an option is called beside its name. */
  label: string;
}

/** What is marked, and what a click on it does. */
export interface Marks {
  options: readonly Option[];
  alternatives: readonly Option[];
  selected: readonly Option[];
  roundness: number;
  /** Which options a coach means, and how that is said. */
  recommendation: Recommendation | null;
  choose: (options: readonly Option[]) => void;
  /** What was chosen last is not wanted after all. */
  putBack: () => void;
}

/** Pieces as a hand holds them. */
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
