/** A banner for a lost connection. Requests are not queued. */
import { useCommonContext } from "../shared/context";
import { useOnline } from "../shared/online";

export function OfflineBanner() {
  const { words } = useCommonContext();
  const { isOnline } = useOnline();
  return (
    <div role="status" class="offline">
      {!isOnline && <p class="banner">{words.offline}</p>}
    </div>
  );
}
