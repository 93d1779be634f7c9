/**
 * Looking closer at the picture: two fingers, the wheel with Ctrl (what a touchpad's pinch is), the wheel alone at the
 * top of the page or where one looks closer already, and + − 0 on the keyboard. What is enlarged is moved by dragging.
 */
import type { Box } from "./drawings";

const MOST = 5;
const WHEEL = 1.0015; // a pixel of the wheel
const KEY_STEP = 1.4;
const CALM_MS = 400; // a page that has just been scrolled is not meant

interface Point {
  x: number;
  y: number;
}

export class Zoom {
  readonly #host: HTMLElement;
  readonly #changed: () => void;
  #whole: Box = { x: 0, y: 0, width: 1, height: 1 };
  #scale = 1;
  #left = 0; // where the visible part begins, as a share of the whole
  #top = 0;
  #scrolled = 0;

  /** `changed` hears of every change. */
  constructor(host: HTMLElement, changed: () => void) {
    this.#host = host;
    this.#changed = changed;
    host.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    host.addEventListener("touchstart", (event) => this.#touch(event), { passive: true });
    host.addEventListener("pointerdown", (event) => this.#drag(event));
    addEventListener("scroll", () => (this.#scrolled = performance.now()), { passive: true });
  }

  get scale(): number {
    return this.#scale;
  }

  /** The part of the picture that is to be seen, of a whole. */
  of(whole: Box): Box {
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

  /** Larger by a factor, so that what lies at the point stays there. */
  by(factor: number, at: Point = { x: 0.5, y: 0.5 }): void {
    const scale = Math.min(MOST, Math.max(1, this.#scale * factor));
    const part = 1 / this.#scale - 1 / scale;
    this.#scale = scale;
    this.#move(at.x * part, at.y * part);
  }

  reset(): void {
    this.#reset();
    this.#changed();
  }

  #move(right: number, down: number): void {
    const most = 1 - 1 / this.#scale;
    this.#left = Math.min(most, Math.max(0, this.#left + right));
    this.#top = Math.min(most, Math.max(0, this.#top + down));
    this.#changed();
  }

  /** A place on the screen, as a share of the picture's visible part. */
  #share({ clientX, clientY }: { clientX: number; clientY: number }): Point {
    const { left, top, width, height } = this.#host.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  }

  #wheel(event: WheelEvent): void {
    const calm = scrollY === 0 && performance.now() - this.#scrolled > CALM_MS && event.deltaY < 0;
    if (!event.ctrlKey && this.#scale === 1 && !calm) return;
    event.preventDefault();
    this.by(WHEEL ** -(event.ctrlKey ? 4 * event.deltaY : event.deltaY), this.#share(event));
  }

  #touch(event: TouchEvent): void {
    const ending = new AbortController();
    const options = { signal: ending.signal, passive: false } as const;
    const middle = ({ touches: [one, other] }: TouchEvent) =>
      one && other
        ? { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 }
        : { clientX: one?.clientX ?? 0, clientY: one?.clientY ?? 0 };
    const apart = ({ touches: [one, other] }: TouchEvent) =>
      one && other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 0;
    let [at, wide] = [this.#share(middle(event)), apart(event)];
    const move = (moved: TouchEvent) => {
      if (document.documentElement.classList.contains("carrying")) return;
      if (wide === 0 && this.#scale === 1) return;
      moved.preventDefault();
      const [to, now] = [this.#share(middle(moved)), apart(moved)];
      if (wide && now) this.by(now / wide, to);
      this.#move((at.x - to.x) / this.#scale, (at.y - to.y) / this.#scale);
      [at, wide] = [to, now];
    };
    this.#host.addEventListener("touchmove", move, options);
    for (const name of ["touchend", "touchcancel", "touchstart"] as const)
      addEventListener(name, () => ending.abort(), { signal: ending.signal, capture: true });
  }

  /** By mouse. */
  #drag(event: PointerEvent): void {
    const isFree = event.target instanceof Element && !event.target.closest("[data-carried]");
    if (this.#scale === 1 || event.pointerType !== "mouse" || event.button !== 0 || !isFree) return;
    const ending = new AbortController();
    let at = this.#share(event);
    const move = (moved: PointerEvent) => {
      const to = this.#share(moved);
      this.#move((at.x - to.x) / this.#scale, (at.y - to.y) / this.#scale);
      at = to;
    };
    addEventListener("pointermove", move, { signal: ending.signal });
    addEventListener("pointerup", () => ending.abort(), { signal: ending.signal });
  }

  /** Whether the key was meant for this. */
  key(name: string): boolean {
    if (name === "+" || name === "=") this.by(KEY_STEP);
    else if (name === "-") this.by(1 / KEY_STEP);
    else if (name === "0") this.reset();
    else return false;
    return true;
  }
}
