/**
 * Zooming into the picture: pinching, the wheel with Ctrl (a pinch on a touchpad), the wheel alone at the top of the
 * page or when already zoomed, and the keys + − 0 while the table has the focus. Dragging moves the zoomed picture.
 */
import { isPressed } from "./dragging";
import type { Box } from "./drawings";

const MAX_SCALE = 5;
const WHEEL_FACTOR = 1.0015; // for one pixel of the wheel
const KEY_STEP = 1.4;
const CALM_MS = 400; // a wheel event right after scrolling belongs to the page

interface Point {
  x: number;
  y: number;
}

export class Zoom {
  readonly #host: HTMLElement;
  readonly #onChange: () => void;
  #whole: Box = { x: 0, y: 0, width: 1, height: 1 };
  #scale = 1;
  #left = 0; // start of the visible part, as a share of the whole
  #top = 0;
  #scrolled = 0;
  #lastTouch: { at: Point; apart: number } | null = null; // position and distance of the fingers at the last event

  /** `onChange` is called after every change. */
  constructor(host: HTMLElement, onChange: () => void) {
    this.#host = host;
    this.#onChange = onChange;
    host.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    host.addEventListener("touchmove", (event) => this.#touch(event), { passive: false });
    host.addEventListener("touchstart", () => (this.#lastTouch = null), { passive: true });
    host.addEventListener("pointerdown", (event) => this.#drag(event));
    addEventListener("scroll", () => (this.#scrolled = performance.now()), { passive: true });
  }

  get scale(): number {
    return this.#scale;
  }

  /** Return the visible part of `whole`. A new `whole` resets the zoom. */
  visiblePart(whole: Box): Box {
    const { x, y, width, height } = this.#whole;
    if (x !== whole.x || y !== whole.y || width !== whole.width || height !== whole.height) this.#reset();
    this.#whole = whole;
    return {
      x: whole.x + this.#left * whole.width,
      y: whole.y + this.#top * whole.height,
      width: whole.width / this.#scale,
      height: whole.height / this.#scale,
    };
  }

  #reset(): void {
    this.#scale = 1;
    this.#left = this.#top = 0;
  }

  /** Zoom by a factor and keep the given point in place. */
  zoomBy(factor: number, at: Point = { x: 0.5, y: 0.5 }): void {
    const scale = Math.min(MAX_SCALE, Math.max(1, this.#scale * factor));
    const part = 1 / this.#scale - 1 / scale;
    this.#scale = scale;
    this.#move(at.x * part, at.y * part);
  }

  reset(): void {
    this.#reset();
    this.#onChange();
  }

  #move(right: number, down: number): void {
    const most = 1 - 1 / this.#scale;
    this.#left = Math.min(most, Math.max(0, this.#left + right));
    this.#top = Math.min(most, Math.max(0, this.#top + down));
    this.#onChange();
  }

  /** Return a position on the screen as a share of the visible part. */
  #toPoint({ clientX, clientY }: { clientX: number; clientY: number }): Point {
    const { left, top, width, height } = this.#host.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  }

  #wheel(event: WheelEvent): void {
    const isMeant = scrollY === 0 && performance.now() - this.#scrolled > CALM_MS && event.deltaY < 0;
    if (!event.ctrlKey && this.#scale === 1 && !isMeant) return;
    event.preventDefault();
    this.zoomBy(WHEEL_FACTOR ** -(event.ctrlKey ? 4 * event.deltaY : event.deltaY), this.#toPoint(event));
  }

  /** Return the middle of two fingers, as a share of the visible part, and their distance in pixels. */
  #fingers({ touches: [one, other] }: TouchEvent): { at: Point; apart: number } {
    if (!one) return { at: { x: 0.5, y: 0.5 }, apart: 0 };
    if (!other) return { at: this.#toPoint(one), apart: 0 };
    const middle = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
    return { at: this.#toPoint(middle), apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) };
  }

  #touch(event: TouchEvent): void {
    if (isPressed()) return event.preventDefault();
    const { at, apart } = this.#fingers(event);
    if (apart === 0 && this.#scale === 1) return;
    event.preventDefault();
    const before = this.#lastTouch;
    this.#lastTouch = { at, apart };
    if (!before || (before.apart === 0) !== (apart === 0)) return;
    if (apart) this.zoomBy(apart / before.apart, at);
    this.#move((before.at.x - at.x) / this.#scale, (before.at.y - at.y) / this.#scale);
  }

  /** Move the zoomed picture by mouse. */
  #drag(event: PointerEvent): void {
    const isFree = event.target instanceof Element && !event.target.closest("[data-carried]");
    if (this.#scale === 1 || event.pointerType !== "mouse" || event.button !== 0 || !isFree) return;
    const controller = new AbortController();
    let at = this.#toPoint(event);
    const move = (moved: PointerEvent) => {
      const to = this.#toPoint(moved);
      this.#move((at.x - to.x) / this.#scale, (at.y - to.y) / this.#scale);
      at = to;
    };
    addEventListener("pointermove", move, { signal: controller.signal });
    addEventListener("pointerup", () => controller.abort(), { signal: controller.signal });
  }

  /** Return whether the key belongs to the zoom. */
  handleKey(name: string): boolean {
    if (name === "+" || name === "=") this.zoomBy(KEY_STEP);
    else if (name === "-") this.zoomBy(1 / KEY_STEP);
    else if (name === "0") this.reset();
    else return false;
    return true;
  }
}
