/** Small pictures of games. */
import { unwrap } from "@azul-games/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { bearerHeader } from "../shared/client";
import { useClient, usePageContext } from "../shared/context";

/** The board of a game, requested when it becomes visible. `token`: one that may read the game. */
export function BoardPicture({ id, revision, token }: { id: string; revision: number; token: string | undefined }) {
  const { settings, me } = usePageContext();
  const client = useClient(me.token);
  const frame = useRef<HTMLDivElement>(null);
  const [svg, setSvg] = useState("");
  const { theme } = settings;
  useEffect(() => {
    const params = { path: { game_id: id }, query: { theme, layout: "wide" as const } };
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      client
        .GET("/v1/games/{game_id}/board.svg", { params, headers: bearerHeader(token), parseAs: "text" })
        .then((answer) => setSvg(unwrap(answer) as string))
        .catch(() => undefined); // the ruleset has no picture
    });
    observer.observe(frame.current as HTMLDivElement);
    return () => observer.disconnect();
  }, [client, id, revision, theme]);
  return (
    <div class="small-board" ref={frame}>
      {svg && <img alt="" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />}
    </div>
  );
}
