/** A device without a connection: it is told so, nothing is kept to be sent later, and all goes on when it is back. */
import { useEffect, useState } from "preact/hooks";
import { useAround } from "./context";

/** Whether the device has a connection, and how often it has come back. */
export function useOnline(): { online: boolean; returns: number } {
  const [state, set] = useState({ online: navigator.onLine, returns: 0 });
  useEffect(() => {
    const lost = () => set(({ returns }) => ({ online: false, returns }));
    const back = () => set(({ returns }) => ({ online: true, returns: returns + 1 }));
    addEventListener("offline", lost);
    addEventListener("online", back);
    return () => {
      removeEventListener("offline", lost);
      removeEventListener("online", back);
    };
  }, []);
  return state;
}

export function OfflineBanner() {
  const { words } = useAround();
  const { online } = useOnline();
  return (
    <div role="status" class="offline">
      {!online && <p class="banner">{words.sharing.offline}</p>}
    </div>
  );
}
