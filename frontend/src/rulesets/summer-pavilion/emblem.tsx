/** The emblem of Summer Pavilion. */
import { anglesAround, COLOURS } from "../base/emblem";

/** A star of six tiles. */
export function Emblem() {
  return (
    <>
      {anglesAround(6).map((turned, tile) => (
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
