/** A banner for a lost connection. Requests are not queued. */
import { usePageContext } from "../shared/context";
import { useOnline } from "../shared/online";

export function OfflineBanner() {
  const { words } = usePageContext();
  const { isOnline } = useOnline();
  return (
    <div role="status" class="offline">
      {!isOnline && <p class="banner">{words.sharing.offline}</p>}
    </div>
  );
}
