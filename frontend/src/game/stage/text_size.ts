/** The minimum size of texts in the picture, however small the picture is, and names that are too long for their row. */

const MIN_TEXT_PX = 12.02;
const CROWDED_FACTOR = 1.4; // texts enlarged by more than this cover their surroundings

/** Texts with the same scale. */
export interface ScaledTexts {
  texts: readonly SVGTextElement[];
  /** The symbol that contains the texts, or null for texts of the picture itself. */
  symbol: Element | null;
  /** Length in the picture of one unit of the text's coordinates; for a symbol, of its smallest use. */
  scale: number;
}

/** Return the pixels on the screen of one unit of an element's coordinates. */
export function scaleOf(element: SVGGraphicsElement): number {
  const { a, b } = element.getScreenCTM() ?? { a: 1, b: 0 };
  return Math.hypot(a, b);
}

/** Return all texts of a picture with their scales. The picture must be in the page. */
export function scaledTexts(svg: SVGSVGElement): ScaledTexts[] {
  const textsIn = (where: Element) => [...where.querySelectorAll<SVGTextElement>("text[font-size]")];
  const whole = scaleOf(svg);
  const placed = textsIn(svg).filter((text) => !text.closest("defs"));
  const symbols = [...svg.querySelectorAll<SVGSymbolElement>("defs :is(symbol, g)[id]")];
  const smallestScale = (symbol: SVGSymbolElement) => {
    const uses = [...svg.querySelectorAll<SVGUseElement>(`use[href="#${symbol.id}"]:not(defs *)`)];
    const width = symbol.viewBox?.baseVal?.width;
    return Math.min(...uses.map((use) => scaleOf(use) * (width ? use.width.baseVal.value / width : 1)));
  };
  return [
    ...placed.map((text) => ({ texts: [text], symbol: null, scale: scaleOf(text) / whole })),
    ...symbols
      .map((symbol) => ({ symbol, texts: textsIn(symbol) }))
      .filter(({ texts }) => texts.length > 0)
      .map(({ symbol, texts }) => ({ symbol, texts, scale: smallestScale(symbol) / whole })),
  ];
}

/** Enlarge texts that would be too small to read. `scale`: pixels of one unit of the picture. */
export function enlargeTexts(all: readonly ScaledTexts[], scale: number): void {
  for (const { texts, symbol, scale: ownScale } of all) {
    for (const text of texts) {
      const size = Number(text.getAttribute("font-size"));
      const minSize = MIN_TEXT_PX / (ownScale * scale);
      const isSmall = Number.isFinite(minSize) && minSize > size;
      text.style.fontSize = isSmall ? `${minSize}px` : "";
      symbol?.classList.toggle("crowded", isSmall && minSize > CROWDED_FACTOR * size);
    }
  }
}

/** The text after a name in the header of a board. */
const AFTER_NAME = '[id^="seat_"] > g > text:first-child + text';
const GAP = 8; // between them
const MAX_UNMEASURED = 8; // letters that have room in every layout

const fullNames = new WeakMap<Element, string>();

/** Shorten names that would cover the next text of their row. */
export function shortenNames(svg: SVGSVGElement): void {
  for (const next of svg.querySelectorAll<SVGTextElement>(AFTER_NAME)) {
    const name = next.previousElementSibling as SVGTextElement;
    const letters = [...(fullNames.get(name) ?? name.textContent ?? "")];
    if (letters.length <= MAX_UNMEASURED) continue;
    if (fullNames.has(name)) name.textContent = letters.join("");
    fullNames.set(name, letters.join(""));
    const room = next.getBBox().x - name.getBBox().x - GAP;
    while (name.getComputedTextLength() > room && letters.pop()) name.textContent = `${letters.join("")}…`;
  }
}
