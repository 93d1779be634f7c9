/** Pictures of players, made from their names: initials on a tile with a pattern. */

/** A quarter of a tile in 12 × 12 units. The other quarters are rotated copies. */
const MOTIFS = ["M0 0h12L0 12z", "M12 12V0A12 12 0 0 0 0 12z", "M6 0l6 6-6 6-6-6z", "M0 0h6v6h6v6H6V6H0z"];
const QUARTERS = [0, 90, 180, 270];

/** Return a number that depends only on the name (FNV-1a). */
const hashOf = (name: string): number =>
  [...name].reduce((hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0, 2166136261);

/** Return the first letters of the first and the last word that begin with a letter or digit. */
export function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => /^[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return [...letters.slice(0, 1), ...letters.slice(1).slice(-1)].join("").toUpperCase();
}

/** The picture of a player. In a game it has the colour of the seat. */
export function Avatar({ name, seat }: { name: string; seat?: number | undefined }) {
  const hash = hashOf(name);
  const turn = 90 * ((hash >>> 2) % 4);
  return (
    <span class="avatar" aria-hidden="true" data-initials={initialsOf(name)} data-seat-colour={seat}>
      <svg viewBox="0 0 24 24">
        {QUARTERS.map((angle) => (
          <path key={angle} d={MOTIFS[hash % 4]} transform={`rotate(${angle} 12 12) rotate(${turn} 6 6)`} />
        ))}
      </svg>
    </span>
  );
}
