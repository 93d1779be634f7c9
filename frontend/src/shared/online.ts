/** The connection state of the device. */
import { useEffect, useState } from "preact/hooks";

/** Return whether the device is online, and the number of reconnects. */
export function useOnline(): { isOnline: boolean; reconnects: number } {
  const [state, set] = useState({ isOnline: navigator.onLine, reconnects: 0 });
  useEffect(() => {
    const onOffline = () => set(({ reconnects }) => ({ isOnline: false, reconnects }));
    const onOnline = () => set(({ reconnects }) => ({ isOnline: true, reconnects: reconnects + 1 }));
    addEventListener("offline", onOffline);
    addEventListener("online", onOnline);
    return () => {
      removeEventListener("offline", onOffline);
      removeEventListener("online", onOnline);
    };
  }, []);
  return state;
}
