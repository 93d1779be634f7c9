/** Sharing a link (copy, the device's share sheet, QR code) and saving files. */
import { Copy, QrCode as QrCodeIcon, Share2 } from "lucide";
import { useState } from "preact/hooks";
import { usePageContext } from "../shared/context";
import { useLoaded } from "../shared/fetching";
import { Icon } from "./design/icon";

/** Time for the browser to start the download. */
const REVOKE_MS = 60_000;

/** Save a file in the browser's download folder. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
}

/** Return a function that copies a text to the clipboard. If that is forbidden, a toast shows the text. */
export function useCopy(): (text: string) => Promise<void> {
  const { words, toast } = usePageContext();
  return (text) =>
    navigator.clipboard.writeText(text).then(
      () => toast(words.copied),
      () => toast(text),
    );
}

export interface ShareLinkProps {
  /** A short description of the target. */
  name: string;
  url: string;
  /** The message that is sent with the link. */
  text: string;
  /** True for a second link on a page: its name is visible and its button less prominent. */
  isSecondary?: boolean;
}

/** Return the dark modules as one SVG path. */
async function drawQrCode(text: string): Promise<{ path: string; size: number }> {
  const { generate } = await import("lean-qr");
  const code = generate(text);
  const places = Array.from({ length: code.size ** 2 }, (_, place) => [place % code.size, (place / code.size) | 0]);
  const dark = places.filter(([x = 0, y = 0]) => code.get(x, y));
  return { path: dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join(""), size: code.size };
}

function QrCode({ name, url }: ShareLinkProps) {
  const { words } = usePageContext();
  const { value: code } = useLoaded(() => drawQrCode(url), [url]);
  if (code === null) return <p class="note">…</p>;
  const { path, size } = code;
  return (
    <figure class="qr">
      <svg viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={words.sharing.qrOf(name)}>
        <rect x="-4" y="-4" width="100%" height="100%" fill="#fff" />
        <path d={path} fill="#000" shape-rendering="crispEdges" />
      </svg>
      <figcaption class="note">{words.sharing.qrNote}</figcaption>
    </figure>
  );
}

/** The link with the ways to share it. */
export function ShareLink(props: ShareLinkProps) {
  const { words } = usePageContext();
  const { sharing } = words;
  const copy = useCopy();
  const [isCodeShown, setIsCodeShown] = useState(false);
  const { name, url, text, isSecondary = false } = props;
  /** Closing the share sheet is no error. */
  const send = () => navigator.share({ title: words.title, text, url }).catch(() => undefined);
  return (
    <div class="sharing" role="group" aria-label={name}>
      {isSecondary && <span class="note">{name}</span>}
      <input
        class="link"
        readOnly
        aria-label={name}
        value={url}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div class="tools">
        <button
          type="button"
          class={isSecondary ? "" : "primary"}
          aria-label={`${sharing.copy}: ${name}`}
          onClick={() => copy(url)}
        >
          <Icon icon={Copy} />
          {sharing.copy}
        </button>
        {"share" in navigator && (
          <button type="button" aria-label={`${sharing.share}: ${name}`} onClick={send}>
            <Icon icon={Share2} />
            {sharing.share}
          </button>
        )}
        <button
          type="button"
          aria-expanded={isCodeShown}
          aria-label={`${sharing.qr}: ${name}`}
          onClick={() => setIsCodeShown(!isCodeShown)}
        >
          <Icon icon={QrCodeIcon} />
          {isCodeShown ? sharing.qrHide : sharing.qr}
        </button>
      </div>
      {isCodeShown && <QrCode {...props} />}
    </div>
  );
}
