/** A link that one sends: copied, given to what the device sends with, or shown as a QR code; and files that one keeps. */
import { useEffect, useState } from "preact/hooks";
import { usePageContext } from "../shared/context";

/** So long a browser may take to begin. */
const REVOKE_MS = 60_000;

/** The browser saves a file where downloads go. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
}

/** Puts a text where it can be pasted from; where that may not be, it is shown. */
export function useCopy(): (text: string) => Promise<void> {
  const { words, toast } = usePageContext();
  return (text) =>
    navigator.clipboard.writeText(text).then(
      () => toast(words.copied),
      () => toast(text),
    );
}

export interface ShareLinkProps {
  /** What it leads to, in a few words. */
  name: string;
  url: string;
  /** What is sent with it. */
  text: string;
  /** One of several: its name is shown, and another is the one to send. */
  isSecondary?: boolean;
}

/** A dark module is a step right and a step back: one path for all. */
async function drawQrCode(text: string): Promise<{ path: string; size: number }> {
  const { generate } = await import("lean-qr");
  const code = generate(text);
  const places = Array.from({ length: code.size ** 2 }, (_, place) => [place % code.size, (place / code.size) | 0]);
  const dark = places.filter(([x = 0, y = 0]) => code.get(x, y));
  return { path: dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join(""), size: code.size };
}

function QrCode({ name, url }: ShareLinkProps) {
  const { words } = usePageContext();
  const [code, setCode] = useState<{ path: string; size: number } | null>(null);
  useEffect(() => {
    drawQrCode(url).then(setCode, () => undefined);
  }, [url]);
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

/** The link, to be seen, and the ways to send it. */
export function ShareLink(props: ShareLinkProps) {
  const { words } = usePageContext();
  const { sharing } = words;
  const copy = useCopy();
  const [isCodeShown, setIsCodeShown] = useState(false);
  const { name, url, text, isSecondary = false } = props;
  /** Who closes the sheet again has decided so. */
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
          {sharing.copy}
        </button>
        {"share" in navigator && (
          <button type="button" aria-label={`${sharing.share}: ${name}`} onClick={send}>
            {sharing.share}
          </button>
        )}
        <button
          type="button"
          aria-expanded={isCodeShown}
          aria-label={`${sharing.qr}: ${name}`}
          onClick={() => setIsCodeShown(!isCodeShown)}
        >
          {isCodeShown ? sharing.qrHide : sharing.qr}
        </button>
      </div>
      {isCodeShown && <QrCode {...props} />}
    </div>
  );
}
