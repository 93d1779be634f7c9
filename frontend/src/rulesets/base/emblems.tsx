/** A small picture of each ruleset, for the first page. */
import type { JSX } from "preact";

const around = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + (360 / count) * at);
const COLOURS = ["#2a6fc9", "#f0b429", "#d6352f", "#68728a", "#2f9e8f", "#8a4fbf"];

/** Four tiles of a wall. */
function Tiles() {
  return (
    <>
      {[0, 1, 2, 3].map((tile) => (
        <g key={tile} transform={`translate(${-31 + 32 * (tile % 2)} ${-31 + 32 * (tile >> 1)})`}>
          <rect width="30" height="30" rx="5" fill={COLOURS[tile]} />
          {around(4, 45 * (tile % 2)).map((turned) => (
            <ellipse key={turned} cx="15" cy="9" rx="3.4" ry="5" fill="#fff" transform={`rotate(${turned} 15 15)`} />
          ))}
        </g>
      ))}
    </>
  );
}

/** A star of six tiles. */
function Star() {
  return (
    <>
      {around(6).map((turned, tile) => (
        <path
          key={turned}
          d="M0 0L10 -17L0 -35L-10 -17Z"
          fill={COLOURS[tile]}
          stroke="#fff"
          stroke-width="1.5"
          transform={`rotate(${turned})`}
        />
      ))}
      <circle r="5" fill="#fff" />
    </>
  );
}

/** An expansion of seven spaces, six of them laid. */
function Garden() {
  const corners = around(6, 30).map((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(11.2 * Math.cos(angle)).toFixed(1)},${(11.2 * Math.sin(angle)).toFixed(1)}`;
  });
  const hexagon = corners.join(" ");
  return (
    <>
      <polygon points={hexagon} fill="#7fb069" />
      {around(6, 90).map((turned, tile) => (
        <g key={turned} transform={`rotate(${turned}) translate(21 0) rotate(${-turned})`}>
          <polygon points={hexagon} fill={COLOURS[tile]} />
          <circle r="4" fill="#fff" />
        </g>
      ))}
    </>
  );
}

const EMBLEMS: Record<string, () => JSX.Element> = {
  azul: Tiles,
  "summer-pavilion": Star,
  "queens-garden": Garden,
};

/** Nothing for a ruleset that has none. */
export function Emblem({ ruleset }: { ruleset: string }) {
  const Drawn = EMBLEMS[ruleset];
  if (!Drawn) return null;
  return (
    <svg class="emblem" viewBox="-37 -37 74 74" aria-hidden="true">
      <Drawn />
    </svg>
  );
}
