import { type Dispatch, type StateUpdater, useEffect, useState } from "preact/hooks";

const SHOWN_MS = 6000;

/** Return the current toast, which is cleared after some seconds, and its setter. */
export function useToast(): [string, Dispatch<StateUpdater<string>>] {
  const [text, setText] = useState("");
  useEffect(() => {
    if (text === "") return;
    // an older timer must not clear a newer text
    const timer = setTimeout(() => setText((now) => (now === text ? "" : now)), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
