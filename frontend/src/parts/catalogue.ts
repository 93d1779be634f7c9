/** The playable rulesets and AI levels, loaded once per language. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import { useEffect, useState } from "preact/hooks";
import { createClient } from "../shared/client";
import { errorText, useClient, usePageContext } from "../shared/context";
import { useOnline } from "../shared/online";
import type { Settings } from "../shared/store";

export interface Catalogue {
  rulesets: readonly Schemas["RulesetSummary"][];
  levels: readonly Schemas["Level"][];
}

const EMPTY: Catalogue = { rulesets: [], levels: [] };
const requests = new Map<string, Promise<Catalogue>>();
const loaded = new Map<string, Catalogue>();

async function fetchCatalogue(client: Client): Promise<Catalogue> {
  const [rulesets, levels] = await Promise.all([client.GET("/v1/rulesets"), client.GET("/v1/levels")]);
  return { rulesets: unwrap(rulesets).rulesets, levels: unwrap(levels).levels };
}

/** Return the catalogue in a language. A failed request is repeated at the next call. */
function loadCatalogue(client: Client, language: string): Promise<Catalogue> {
  const answer = requests.get(language) ?? fetchCatalogue(client);
  requests.set(language, answer);
  answer.then(
    (catalogue) => loaded.set(language, catalogue),
    () => requests.delete(language),
  );
  return answer;
}

/** Pages wait this long for the catalogue, to avoid a layout shift. */
const MAX_WAIT_MS = 1500;

/** Load the catalogue, and resolve after `MAX_WAIT_MS` at the latest. */
export async function preloadCatalogue(settings: Settings): Promise<void> {
  const answer = loadCatalogue(createClient(null, settings), settings.language).catch(() => undefined);
  await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
}

export function useCatalogue(): Catalogue {
  const { words, settings, toast } = usePageContext();
  const client = useClient(null);
  const { reconnects } = useOnline();
  const { language } = settings;
  const [catalogue, setCatalogue] = useState(loaded.get(language) ?? EMPTY);
  useEffect(() => {
    loadCatalogue(client, language).then(setCatalogue, (error: unknown) => toast(errorText(error, words)));
  }, [client, reconnects]);
  return catalogue;
}
