/** Whether the device has a connection. */
import { useEffect, useState } from "preact/hooks";

/** Whether the device has a connection, and how often it has come back. */
export function useOnline(): { online: boolean; returns: number } {
  const [state, set] = useState({ online: navigator.onLine, returns: 0 });
  useEffect(() => {
    const onOffline = () => set(({ returns }) => ({ online: false, returns }));
    const onOnline = () => set(({ returns }) => ({ online: true, returns: returns + 1 }));
    addEventListener("offline", onOffline);
    addEventListener("online", onOnline);
    return () => {
      removeEventListener("offline", onOffline);
      removeEventListener("online", onOnline);
    };
  }, []);
  return state;
}
