/** The maintenance and the announcement of the service: above the start page, and over the top of other pages. */
import { type Schemas, unwrap } from "@azul-games/client";
import { X } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { createClient } from "../shared/client";
import { useCommonContext, usePageContext } from "../shared/context";
import { browserStore } from "../shared/store";
import { Icon } from "./design/icon";
import { formatMoment } from "./player_link";

type Service = Schemas["Service"];

const DISMISSED = "azul-table-announcement";

/** The request waits this long where it must not delay the picture of a game. */
const DELAY_MS = 3000;

/**
 * Return maintenance and announcement, null until they are loaded, and a function that loads them again. `isDelayed`:
 * load them after `DELAY_MS`.
 */
export function useService(isDelayed = false): [Service | null, () => Promise<void>] {
  const { settings } = useCommonContext();
  const [service, setService] = useState<Service | null>(null);
  const load = async () => setService(unwrap(await createClient(null, settings).GET("/v1")));
  useEffect(() => {
    const tryLoading = () => load().catch(() => undefined); // the page works without them
    if (!isDelayed) return void tryLoading();
    const timer = setTimeout(tryLoading, DELAY_MS);
    return () => clearTimeout(timer);
  }, [settings.apiKey]);
  return [service, load];
}

/**
 * A closed announcement stays closed in this browser until there is another one. `isFloating`: cover a part of the page
 * instead of moving it, so that the maintenance can be closed, too.
 */
export function ServiceNotice({ isFloating = false }: { isFloating?: boolean }) {
  const { words, settings } = usePageContext();
  const { notice } = words.people;
  const [service] = useService(isFloating);
  const [isClosed, close] = useState(false);
  const [dismissed, setDismissed] = useState(() => browserStore.read<string>(DISMISSED));
  const { maintenance = null, announcement = null } = service ?? {};
  const text = (settings.language === "de" && announcement?.de) || announcement?.en;
  const dismiss = () => {
    browserStore.write(DISMISSED, announcement?.en);
    setDismissed(announcement?.en ?? null);
  };
  const end = maintenance?.until && formatMoment(maintenance.until, settings.language);
  return (
    <div role="status" class={isFloating ? "floating" : undefined}>
      {maintenance && !isClosed && (
        <p class="banner">
          {[notice.maintenance, maintenance.reason, end && notice.until(end)].filter(Boolean).join(" ")}
          {isFloating && <CloseButton label={notice.close} close={() => close(true)} />}
        </p>
      )}
      {announcement && announcement.en !== dismissed && (
        <p class="notice announcement">
          <span>{text}</span>
          <CloseButton label={notice.close} close={dismiss} />
        </p>
      )}
    </div>
  );
}

const CloseButton = ({ label, close }: { label: string; close: () => void }) => (
  <button class="quiet" aria-label={label} onClick={close}>
    <Icon icon={X} />
  </button>
);
