/** The maintenance and the announcement of the service, above a page. */
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

/** Return maintenance and announcement, null until they are loaded, and a function that loads them again. */
export function useService(): [Service | null, () => Promise<void>] {
  const { settings } = useCommonContext();
  const [service, setService] = useState<Service | null>(null);
  const load = async () => setService(unwrap(await createClient(null, settings).GET("/v1")));
  useEffect(() => {
    load().catch(() => undefined); // the page works without them
  }, [settings.apiKey]);
  return [service, load];
}

/** A closed announcement stays closed in this browser until there is another one. */
export function ServiceNotice() {
  const { words, settings } = usePageContext();
  const { notice } = words.people;
  const [service] = useService();
  const [dismissed, setDismissed] = useState(() => browserStore.read<string>(DISMISSED));
  const { maintenance = null, announcement = null } = service ?? {};
  const text = (settings.language === "de" && announcement?.de) || announcement?.en;
  const dismiss = () => {
    browserStore.write(DISMISSED, announcement?.en);
    setDismissed(announcement?.en ?? null);
  };
  const end = maintenance?.until && formatMoment(maintenance.until, settings.language);
  return (
    <div role="status">
      {maintenance && (
        <p class="banner">
          {[notice.maintenance, maintenance.reason, end && notice.until(end)].filter(Boolean).join(" ")}
        </p>
      )}
      {announcement && announcement.en !== dismissed && (
        <p class="notice announcement">
          <span>{text}</span>
          <button class="quiet" aria-label={notice.close} onClick={dismiss}>
            <Icon icon={X} />
          </button>
        </p>
      )}
    </div>
  );
}
