/** The page: which game, or a new one. Tokens come in the fragment, which is sent to nobody, and leave it at once. */
import type { ProblemError } from "azul-games-client";
import { render } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { Create } from "./create";
import { Surroundings } from "./context";
import { GamePage } from "./game";
import { KeyCard } from "./key";
import { keep, loadSettings, saveSettings, type Settings } from "./store";
import "./style.css";
import { WORDS } from "./words";

/** `#/ID?invite=…&watch=…`: the id; what else it says is remembered. */
function opened(): string | null {
  const [, id, query] = /^#\/([\w-]+)(?:\?(.*))?$/.exec(location.hash) ?? [];
  if (id === undefined) return null;
  if (query) {
    const { invite, watch } = Object.fromEntries(new URLSearchParams(query));
    keep(id, { ...(invite && { invite }), ...(watch && { watch }) });
    history.replaceState(null, "", `#/${id}`);
  }
  return id;
}

function Page() {
  const [settings, setSettings] = useState(loadSettings);
  const [id, setId] = useState(opened);
  const [said, setSaid] = useState("");
  const [refusal, keyRefused] = useState<ProblemError | null>(null);
  const change = useCallback((some: Partial<Settings>) => setSettings((before) => ({ ...before, ...some })), []);
  const words = WORDS[settings.language];
  useEffect(() => {
    const follow = () => setId(opened());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    saveSettings(settings);
    document.documentElement.lang = settings.language;
    document.documentElement.dataset["theme"] = settings.theme;
    document.title = words.title;
  }, [settings]);
  useEffect(() => {
    const timer = setTimeout(() => setSaid(""), 6000);
    return () => clearTimeout(timer);
  }, [said]);
  const around = useMemo(() => ({ words, settings, change, toast: setSaid, keyRefused }), [settings]);
  const goOn = (apiKey: string) => {
    change({ apiKey });
    keyRefused(null);
    setSaid("");
  };
  const page = refusal ? (
    <KeyCard refused={refusal} accept={goOn} />
  ) : id === null ? (
    <Create />
  ) : (
    <GamePage key={`${id} ${settings.language}`} id={id} />
  );
  return (
    <Surroundings.Provider value={around}>
      {page}
      <div class="toast" role="status">
        {said && !refusal && <p>{said}</p>}
      </div>
    </Surroundings.Provider>
  );
}

render(<Page />, document.getElementById("page") as HTMLElement);
