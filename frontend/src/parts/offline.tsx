/** Says that the device has no connection: nothing is kept to be sent later, and all goes on when it is back. */
import { usePageContext } from "../shared/context";
import { useOnline } from "../shared/online";

export function OfflineBanner() {
  const { words } = usePageContext();
  const { online } = useOnline();
  return (
    <div role="status" class="offline">
      {!online && <p class="banner">{words.sharing.offline}</p>}
    </div>
  );
}
