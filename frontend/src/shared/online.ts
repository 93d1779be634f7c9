/** Whether the device has a connection. */
import { useEffect, useState } from "preact/hooks";

/** Whether the device has a connection, and how often it has come back. */
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
