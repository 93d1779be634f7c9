/** The connection state of the device. */
import { useEffect, useState } from "preact/hooks";

/** Return whether the device is online, and the number of reconnects. */
export function useOnline(): { online: boolean; reconnects: number } {
  const [state, set] = useState({ online: navigator.onLine, reconnects: 0 });
  useEffect(() => {
    const onOffline = () => set(({ reconnects }) => ({ online: false, reconnects }));
    const onOnline = () => set(({ reconnects }) => ({ online: true, reconnects: reconnects + 1 }));
    addEventListener("offline", onOffline);
    addEventListener("online", onOnline);
    return () => {
      removeEventListener("offline", onOffline);
      removeEventListener("online", onOnline);
    };
  }, []);
  return state;
}
