/** The emblem of Azul. */
import { anglesAround, COLOURS } from "../base/emblem";

/** Four tiles of a wall. */
export function Emblem() {
  return (
    <>
      {[0, 1, 2, 3].map((tile) => (
        <g key={tile} transform={`translate(${-31 + 32 * (tile % 2)} ${-31 + 32 * (tile >> 1)})`}>
          <rect width="30" height="30" rx="5" fill={COLOURS[tile]} />
          {anglesAround(4, 45 * (tile % 2)).map((turned) => (
            <ellipse key={turned} cx="15" cy="9" rx="3.4" ry="5" fill="#fff" transform={`rotate(${turned} 15 15)`} />
          ))}
        </g>
      ))}
    </>
  );
}
