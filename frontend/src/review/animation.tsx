/** The animation of a finished game: show, save and share it. */
import { type Client, unwrap } from "@azul-games/client";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Game } from "../game/live";
import { nameOf } from "../game/players";
import { saveFile, ShareLink } from "../parts/sharing";
import { rulesetTexts } from "../rulesets/registry";
import { errorText, usePageContext } from "../shared/context";
import { PHONE, useMedia } from "../shared/device";
import { pictureTheme } from "../shared/store";

const TYPE = "image/svg+xml";

/** The animation is fetched when the card is opened, because drawing it takes the service a second. */
export function Animation({ client, game }: { client: Client; game: Game }) {
  const { words } = usePageContext();
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card animation" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.animation.title}</summary>
      {isOpen && <AnimationPicture client={client} game={game} />}
    </details>
  );
}

function AnimationPicture({ client, game }: { client: Client; game: Game }) {
  const { words, settings } = usePageContext();
  const { animation } = words;
  const [svg, setSvg] = useState("");
  const [refused, setRefused] = useState("");
  const figure = useRef<HTMLElement>(null);
  const theme = pictureTheme(settings);
  const layout = useMedia(PHONE) ? "narrow" : "wide";
  useEffect(() => {
    const params = { path: { game_id: game.id }, query: { theme, layout } as const };
    client
      .GET("/v1/games/{game_id}/animation.svg", { params, parseAs: "text" })
      .then((answer) => setSvg(unwrap(answer) as string))
      .catch((error: unknown) => setRefused(errorText(error, words)));
  }, [client, game.id, theme, layout]);
  if (!svg) return <p class="note">{refused || animation.loading}</p>;
  const name = rulesetTexts(game.ruleset, words).name;
  const names = game.seats.map((_, seat) => nameOf(game, seat, words)).join(", ");
  const picture = `data:${TYPE},${encodeURIComponent(svg)}`;
  const file = new File([svg], `${game.ruleset}-${game.id}.svg`, { type: TYPE });
  const shareData = { title: name, text: animation.text(name), files: [file] };
  const url = new URL(`v1/games/${game.id}/animation.svg`, location.href).href;
  return (
    <>
      <p class="note">{animation.note}</p>
      <figure ref={figure}>
        <img src={picture} alt={animation.alt(name, names)} />
      </figure>
      <div class="tools">
        <button type="button" onClick={() => saveFile(file)}>
          {animation.save}
        </button>
        {"canShare" in navigator && navigator.canShare(shareData) && (
          <button type="button" onClick={() => navigator.share(shareData).catch(() => undefined)}>
            {animation.send}
          </button>
        )}
        {document.fullscreenEnabled && (
          <button type="button" onClick={() => figure.current?.requestFullscreen().catch(() => undefined)}>
            {animation.large}
          </button>
        )}
      </div>
      {game.visibility === "private" ? (
        <p class="note">{animation.isPrivate}</p>
      ) : (
        <ShareLink name={animation.link} url={url} text={animation.text(name)} />
      )}
    </>
  );
}
