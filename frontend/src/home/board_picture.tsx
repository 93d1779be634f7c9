/** Small pictures of tables. */
import type { Client } from "@azul-games/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { useClient, usePageContext } from "../shared/context";
import type { Theme } from "../shared/store";

/** A picture, requested when it becomes visible, and again for another `version`. */
export function BoardPicture({
  fetchSvg,
  version,
}: {
  fetchSvg: (client: Client, query: { theme: Theme; layout: "wide" }) => Promise<unknown>;
  version: string;
}) {
  const { settings, me } = usePageContext();
  const client = useClient(me.token);
  const frame = useRef<HTMLDivElement>(null);
  const [svg, setSvg] = useState("");
  const { theme } = settings;
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      fetchSvg(client, { theme, layout: "wide" }).then(
        (found) => setSvg(found as string),
        () => undefined, // the ruleset has no picture
      );
    });
    observer.observe(frame.current as HTMLDivElement);
    return () => observer.disconnect();
  }, [client, version, theme]);
  return (
    <div class="small-board" ref={frame}>
      {svg && <img alt="" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />}
    </div>
  );
}
