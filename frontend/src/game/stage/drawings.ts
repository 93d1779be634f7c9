/** Shapes on top of the picture: clickable covers, previews of pieces, and arrows. */
import type { MoveTargets } from "../../rulesets/base/motion";
import type { Action, Preview } from "../../rulesets/base/steps";
import { moveTargets } from "../../rulesets/choices";

export const SVG = "http://www.w3.org/2000/svg";
export type Box = { x: number; y: number; width: number; height: number };

/** Return the value of a `viewBox` attribute. */
export const viewBoxOf = ({ x, y, width, height }: Box): string => [x, y, width, height].join(" ");

/** Return the transformation from an element's coordinates to the picture's. */
export function toPicture(svg: SVGSVGElement, element: SVGGraphicsElement): DOMMatrix {
  const [picture, own] = [svg.getScreenCTM(), element.getScreenCTM()];
  return picture && own ? picture.inverse().multiply(own) : new DOMMatrix();
}

export function boxInPicture(svg: SVGSVGElement, part: SVGGraphicsElement): Box {
  const { x, y, width, height } = part.getBBox();
  const matrix = toPicture(svg, part);
  const corner = new DOMPoint(x, y).matrixTransform(matrix);
  const opposite = new DOMPoint(x + width, y + height).matrixTransform(matrix);
  return { x: corner.x, y: corner.y, width: opposite.x - corner.x, height: opposite.y - corner.y };
}

export function boundingBox(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

export function svgElement(name: string, attributes: Record<string, string | number>): SVGElement {
  const created = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, String(value));
  return created;
}

/** Return a shape that covers a piece. */
export function coverShape(svg: SVGSVGElement, piece: SVGGraphicsElement, roundness: number): SVGElement {
  const { a, b, c, d, e, f } = toPicture(svg, piece);
  const shape = outlineOf(piece) ?? boxOf(piece, roundness);
  shape.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
  return shape;
}

/** Return a copy of the polygon that a piece is drawn with, or null. */
function outlineOf(piece: SVGGraphicsElement): SVGElement | null {
  const symbol = piece.ownerSVGElement?.querySelector(`g${piece.getAttribute("href") ?? ":not(*)"}`);
  const outline = symbol?.querySelector("polygon");
  if (!outline) return null;
  const copy = outline.cloneNode() as SVGElement;
  copy.removeAttribute("class");
  return copy;
}

function boxOf(piece: SVGGraphicsElement, roundness: number): SVGElement {
  const { x, y, width, height } = piece.getBBox();
  return svgElement("rect", { x, y, width, height, rx: Math.max(8, roundness * Math.min(width, height)) });
}

/** Return the single pieces of a group. Pieces of one colour may lie apart, with others between them. */
export function singlePieces(group: SVGGraphicsElement): SVGGraphicsElement[] {
  const pieces = group.matches("[data-count]") ? [...group.querySelectorAll<SVGGraphicsElement>("use")] : [];
  return pieces.length ? pieces : [group];
}

/** Return a new, empty layer, and remove the previous one of this id. */
function resetLayer(svg: SVGSVGElement, id: string): SVGElement {
  svg.querySelector(`#${id}`)?.remove();
  return svg.appendChild(svgElement("g", { id, "aria-hidden": "true" }));
}

export const GHOSTS = "ghosts";
const FREE_SPACE = ".az-space";

/** Draw the preview of a choice, or remove it for null. */
export function showPreview(svg: SVGSVGElement, preview: Preview | null): void {
  const ghosts = resetLayer(svg, GHOSTS);
  if (!preview) return ghosts.remove();
  const filled = new Set<Element>();
  for (const { selector, symbol, count } of preview.fills) {
    const free = [...svg.querySelectorAll<SVGGraphicsElement>(`${selector} > ${FREE_SPACE}`)].filter(
      (each) => !filled.has(each),
    );
    for (const space of free.slice(0, count)) {
      filled.add(space);
      ghosts.append(svgElement("use", { href: `#${symbol}`, ...boxInPicture(svg, space) }));
    }
  }
  for (const { selector, text } of preview.notes) {
    const target = svg.querySelector<SVGGraphicsElement>(selector);
    if (target) drawNote(svg, ghosts, boxInPicture(svg, target), text);
  }
}

/** Write a note at the right end of a place, or centred over a place that is smaller. It stays inside the picture. */
function drawNote(svg: SVGSVGElement, layer: SVGElement, { x, y, width, height }: Box, words: string): void {
  const text = layer.appendChild(svgElement("text", { "font-size": 24, y: y + height / 2 + 8 })) as SVGTextElement;
  text.textContent = words;
  const length = text.getComputedTextLength() + 12;
  const left = length > width ? x + (width - length) / 2 : x + width - length;
  const visible = svg.viewBox.baseVal;
  text.setAttribute("x", String(6 + Math.max(visible.x, Math.min(left, visible.x + visible.width - length))));
}

/** The start and the end of a move, drawn as an arrow. */
export interface MoveArrow extends MoveTargets {
  kind: "best" | "played";
}

export const moveArrow = (action: Action, seat: number, kind: MoveArrow["kind"]): MoveArrow => ({
  ...moveTargets(action, seat),
  kind,
});

export const ARROWS = "arrows";

/** Replace the arrows over the picture. */
export function drawArrows(svg: SVGSVGElement, arrows: readonly MoveArrow[], roundness: number): void {
  const arrowLayer = resetLayer(svg, ARROWS);
  if (arrows.length === 0) return arrowLayer.remove();
  const find = (selector: string) => svg.querySelector<SVGGraphicsElement>(selector);
  for (const { from, to, kind } of arrows) {
    const group = arrowLayer.appendChild(svgElement("g", { class: `arrow ${kind}` }));
    const starts = from.flatMap((selector) => find(selector) ?? []).flatMap(singlePieces);
    const end = to === null ? null : find(to);
    for (const piece of end ? [...starts, end] : starts) group.append(coverShape(svg, piece, roundness));
    const start = boundingBox(starts.map((piece) => boxInPicture(svg, piece)));
    if (start && end) group.append(...arrow(start, boxInPicture(svg, end), kind === "best" ? 1 : -1));
  }
}

const HEAD = 13;

/** Return a curved arrow between the centres of two boxes. `side` (1 or -1) is the direction of the curve. */
function arrow(start: Box, end: Box, side: number): SVGElement[] {
  const [x0, y0] = [start.x + start.width / 2, start.y + start.height / 2];
  const [x1, y1] = [end.x + end.width / 2, end.y + end.height / 2];
  const [bentX, bentY] = [(x0 + x1) / 2 - 0.12 * side * (y1 - y0), (y0 + y1) / 2 + 0.12 * side * (x1 - x0)];
  const angle = Math.atan2(y1 - bentY, x1 - bentX);
  const at = (turn: number) => `${x1 - HEAD * Math.cos(angle + turn)} ${y1 - HEAD * Math.sin(angle + turn)}`;
  return [
    svgElement("path", { class: "line", d: `M${x0} ${y0}Q${bentX} ${bentY} ${x1} ${y1}` }),
    svgElement("path", { class: "head", d: `M${at(0.5)}L${x1} ${y1}L${at(-0.5)}z` }),
  ];
}
