/** Texts of the picture are no smaller on the screen than can be read, however small it is shown. */

const MIN_TEXT_PX = 11.02;
const CROWDED_FACTOR = 1.4; // texts so much larger than drawn stand over what is beside them

/** Texts that are drawn at one scale. */
export interface ScaledTexts {
  texts: readonly SVGTextElement[];
  /** What they are drawn with wherever it is used; null: they stand in the picture. */
  symbol: Element | null;
  /** How many lengths of the picture a length of 1 is there; the least, where a symbol is used. */
  scale: number;
}

/** How many pixels a length of 1 is there. */
export function scaleOf(element: SVGGraphicsElement): number {
  const { a, b } = element.getScreenCTM() ?? { a: 1, b: 0 };
  return Math.hypot(a, b);
}

/** All texts of a picture that is in the page: their scales are measured. */
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

/** Make those larger that could not be read. `scale`: how many pixels a length of the picture is. */
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
