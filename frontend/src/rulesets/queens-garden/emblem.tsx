/** The emblem of Queen's Garden. */
import { anglesAround, COLOURS } from "../base/emblem";

/** An expansion of seven spaces, six of them with a tile. */
export function Emblem() {
  const corners = anglesAround(6, 30).map((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(11.2 * Math.cos(angle)).toFixed(1)},${(11.2 * Math.sin(angle)).toFixed(1)}`;
  });
  const hexagon = corners.join(" ");
  return (
    <>
      <polygon points={hexagon} fill="#7fb069" />
      {anglesAround(6, 90).map((turned, tile) => (
        <g key={turned} transform={`rotate(${turned}) translate(21 0) rotate(${-turned})`}>
          <polygon points={hexagon} fill={COLOURS[tile]} />
          <circle r="4" fill="#fff" />
        </g>
      ))}
    </>
  );
}
