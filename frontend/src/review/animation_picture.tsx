/** The animation of a finished game: show, save and share it. */
import { unwrap } from "@azul-games/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { seatNames } from "../parts/player_link";
import { saveFile, ShareLink } from "../parts/sharing";
import { rulesetTexts } from "../rulesets/registry";
import { errorText, usePageContext } from "../shared/context";
import { LOW, PHONE, useMedia } from "../shared/device";
import { useLoaded } from "../shared/fetching";
import { pictureTheme } from "../shared/store";
import type { FinishedGame } from "./animation";

const TYPE = "image/svg+xml";

export function AnimationPicture({ client, game }: FinishedGame) {
  const { words, settings } = usePageContext();
  const { animation } = words;
  const figure = useRef<HTMLElement>(null);
  const theme = pictureTheme(settings);
  const [isPhone, isLow] = [PHONE, LOW].map(useMedia);
  const layout = isPhone && !isLow ? "narrow" : "wide";
  const { value: svg, error } = useLoaded(async () => {
    const params = { path: { game_id: game.id }, query: { theme, layout } as const };
    return unwrap(await client.GET("/v1/games/{game_id}/animation.svg", { params, parseAs: "text" })) as string;
  }, [client, game.id, theme, layout]);
  if (!svg) return <p class="note">{error === null ? animation.loading : errorText(error, words)}</p>;
  const name = rulesetTexts(game.ruleset, words).name;
  const names = seatNames(game.seats, words).join(", ");
  const picture = `data:${TYPE},${encodeURIComponent(svg)}`;
  const file = new File([svg], `${game.ruleset}-${game.id}.svg`, { type: TYPE });
  const shareData = { title: name, text: animation.text(name) };
  const url = new URL(`v1/games/${game.id}/animation.svg`, location.href).href;
  return (
    <>
      <p class="note">{animation.note}</p>
      <figure ref={figure}>
        <img src={picture} alt={animation.alt(name, names)} />
      </figure>
      <div class="tools">
        <FileButtons file={file} save={animation.save} share={shareData} />
        {document.fullscreenEnabled && (
          <button type="button" onClick={() => figure.current?.requestFullscreen().catch(() => undefined)}>
            {animation.large}
          </button>
        )}
      </div>
      <Gif key={svg} svg={svg} fileName={`${game.ruleset}-${game.id}.gif`} share={shareData} />
      {game.visibility === "private" ? (
        <p class="note">{animation.isPrivate}</p>
      ) : (
        <ShareLink name={animation.link} url={url} text={animation.text(name)} />
      )}
    </>
  );
}

/** Buttons that save a file, and share it if the browser can. */
function FileButtons({ file, save, share }: { file: File; save: string; share: ShareData }) {
  const { words } = usePageContext();
  const data = { ...share, files: [file] };
  return (
    <>
      <button type="button" onClick={() => saveFile(file)}>
        {save}
      </button>
      {"canShare" in navigator && navigator.canShare(data) && (
        <button type="button" onClick={() => navigator.share(data).catch(() => undefined)}>
          {words.animation.send}
        </button>
      )}
    </>
  );
}

/** Creates a GIF of the animation in the browser. This takes some seconds and can be cancelled. */
function Gif({ svg, fileName, share }: { svg: string; fileName: string; share: ShareData }) {
  const { words, toast } = usePageContext();
  const { animation } = words;
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const create = async () => {
    const { signal } = (controller.current = new AbortController());
    setProgress(0);
    try {
      const { createGif } = await import("./gif");
      const bytes = await createGif(svg, { onProgress: setProgress, signal });
      setFile(new File([bytes], fileName, { type: "image/gif" }));
    } catch (error) {
      if (!signal.aborted) toast(errorText(error, words));
    }
    setProgress(null);
  };
  return (
    <div class="tools gif">
      {file && <FileButtons file={file} save={animation.saveGif} share={share} />}
      {!file && progress === null && (
        <button type="button" onClick={create}>
          {animation.createGif}
        </button>
      )}
      {progress !== null && (
        <>
          <progress value={progress} aria-label={animation.creatingGif} />
          <button type="button" onClick={() => controller.current.abort()}>
            {words.cancel}
          </button>
        </>
      )}
    </div>
  );
}
