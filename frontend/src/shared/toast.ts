/** What the page says for a moment. */
import { type Dispatch, type StateUpdater, useEffect, useState } from "preact/hooks";

const SHOWN_MS = 6000;

/** What is said now, empty after some seconds; and by what something else is said. */
export function useToast(): [string, Dispatch<StateUpdater<string>>] {
  const [text, setText] = useState("");
  useEffect(() => {
    if (text === "") return;
    // what is said in the moment before this effect is renewed is not taken away with what was said before
    const timer = setTimeout(() => setText((now) => (now === text ? "" : now)), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
