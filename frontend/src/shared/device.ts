/** What the device is like: as narrow as a phone that stands, or one on which nothing may move. */
import { useEffect, useState } from "preact/hooks";

const NARROW = "(max-width: 43rem)";

export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const media = matchMedia(NARROW);
    const follow = () => setNarrow(media.matches);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, []);
  return narrow;
}

export const asksForStillness = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
