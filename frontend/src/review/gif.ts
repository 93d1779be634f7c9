/** Converts an animation into a GIF, for places that show no SVG. Loaded when somebody asks for one. */
import { applyPalette, GIFEncoder, quantize } from "gifenc/dist/gifenc.esm.js"; // the main file is CommonJS

const WIDTH = 640;
const PROGRESS = "az-progress";
const COLOURS = 255;
const TRANSPARENT = 255; // the index after the last colour
const KEEP = 1; // disposal method: later frames are drawn over this one

/** The stills of an animation, and how long they last in seconds. */
interface Film {
  root: SVGSVGElement;
  stills: number;
  seconds: number;
  held: number;
  height: number;
  /** Whether the elements of a class are visible, by still. */
  visibility: ReadonlyMap<string, readonly boolean[]>;
}

export interface GifOptions {
  /** Called with the share of frames that are done. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Return an animation of the service as a GIF with one frame for each still. Rejects when the signal is aborted. */
export async function createGif(svg: string, { onProgress, signal }: GifOptions): Promise<Uint8Array<ArrayBuffer>> {
  const film = readFilm(svg);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, film.height];
  const context = canvas.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
  const pixelsOf = async (still: number): Promise<Uint8ClampedArray<ArrayBuffer>> => {
    await new Promise((resolve) => setTimeout(resolve)); // let the browser paint the progress
    signal.throwIfAborted();
    const image = new Image(WIDTH, film.height);
    image.src = `data:image/svg+xml,${encodeURIComponent(pictureOf(film, still))}`;
    await image.decode();
    context.drawImage(image, 0, 0, WIDTH, film.height);
    return context.getImageData(0, 0, WIDTH, film.height).data;
  };
  const last = film.stills - 1;
  const palette = quantize(await mixOf([0, last >> 1, last], pixelsOf), COLOURS); // shared, so equal pixels stay equal
  const encoder = GIFEncoder();
  let before: Uint8Array | null = null;
  for (let still = 0; still <= last; still++) {
    const frame = applyPalette(await pixelsOf(still), palette);
    encoder.writeFrame(before ? changes(before, frame) : frame, WIDTH, film.height, {
      delay: 1000 * (still === last ? film.held : film.seconds),
      dispose: KEEP,
      ...(before ? { transparent: true, transparentIndex: TRANSPARENT } : { palette }),
    });
    before = frame;
    onProgress((still + 1) / film.stills);
  }
  encoder.finish();
  return encoder.bytes();
}

function readFilm(svg: string): Film {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement as unknown as SVGSVGElement;
  const { width, height } = root.viewBox.baseVal;
  const [stills = 1, seconds = 1, held = 1] = ["stills", "seconds", "held"].map((name) => Number(root.dataset[name]));
  const lasts = (stills - 1) * seconds + held;
  const visibility = new Map<string, readonly boolean[]>();
  for (const rule of animationRules(root)) {
    const changes = new Map<number, boolean>();
    for (const { keyText, style } of [...rule.cssRules] as CSSKeyframeRule[])
      for (const percent of keyText.split(","))
        changes.set(Math.round((parseFloat(percent) * lasts) / 100 / seconds), style.visibility === "visible");
    let isVisible = false;
    const byStill = Array.from({ length: stills }, (_, still) => (isVisible = changes.get(still) ?? isVisible));
    visibility.set(rule.name, byStill);
  }
  return { root, stills, seconds, held, height: Math.round((WIDTH * height) / width), visibility };
}

/** Remove the animation's style, and return its keyframes. */
function animationRules(root: SVGSVGElement): CSSKeyframesRule[] {
  const style = [...root.querySelectorAll("style")].find((each) => each.textContent?.includes("@keyframes"));
  if (!style) return [];
  style.remove();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style.textContent ?? "");
  const rules = [...sheet.cssRules].flatMap((rule) => (rule instanceof CSSMediaRule ? [...rule.cssRules] : []));
  return rules.filter((rule): rule is CSSKeyframesRule => rule instanceof CSSKeyframesRule && rule.name !== PROGRESS);
}

/** Return the picture of a still. It contains only what is visible, because browsers parse it again for each frame. */
function pictureOf({ root, stills, height, visibility }: Film, still: number): string {
  const picture = root.cloneNode(true) as SVGSVGElement;
  for (const [name, isVisible] of visibility)
    if (!isVisible[still]) for (const hidden of picture.querySelectorAll(`.${name}`)) hidden.remove();
  const progress = picture.querySelector<SVGElement>(`.${PROGRESS}`);
  progress?.style.setProperty("transform", `scaleX(${still / (stills - 1)})`);
  picture.setAttribute("width", String(WIDTH)); // Firefox draws only images with a size
  picture.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(picture);
}

/** Return the pixels of several stills one after the other. */
async function mixOf(
  stills: readonly number[],
  pixelsOf: (still: number) => Promise<Uint8ClampedArray<ArrayBuffer>>,
): Promise<Uint8ClampedArray<ArrayBuffer>> {
  const parts: Uint8ClampedArray<ArrayBuffer>[] = [];
  for (const still of stills) parts.push(await pixelsOf(still));
  return new Uint8ClampedArray(await new Blob(parts).arrayBuffer());
}

/** Return the pixels that changed. The others are transparent and cost almost no bytes. */
const changes = (before: Uint8Array, frame: Uint8Array): Uint8Array =>
  frame.map((colour, at) => (colour === before[at] ? TRANSPARENT : colour));
