/** What can be played, and how strong AIs are: asked for once, and again in another language. */
import { type Client, type Schemas, unwrap } from "azul-games-client";
import { useEffect, useState } from "preact/hooks";
import { clientFor } from "../shared/client";
import { errorText, usePageContext, useClient } from "../shared/context";
import { useOnline } from "../shared/online";
import type { Settings } from "../shared/store";

export interface Catalogue {
  rulesets: readonly Schemas["RulesetSummary"][];
  levels: readonly Schemas["Level"][];
}

const NOTHING: Catalogue = { rulesets: [], levels: [] };
const asked = new Map<string, Promise<Catalogue>>();
const known = new Map<string, Catalogue>();

async function ask(client: Client): Promise<Catalogue> {
  const [rulesets, levels] = await Promise.all([client.GET("/v1/rulesets"), client.GET("/v1/levels")]);
  return { rulesets: unwrap(rulesets).rulesets, levels: unwrap(levels).levels };
}

/** Asked for once in each language; what fails is asked for again. */
function catalogueOf(client: Client, language: string): Promise<Catalogue> {
  const answer = asked.get(language) ?? ask(client);
  asked.set(language, answer);
  answer.then(
    (catalogue) => known.set(language, catalogue),
    () => asked.delete(language),
  );
  return answer;
}

/** So long does a page wait for it, so that nothing in it moves when it comes. */
const SOON_MS = 1500;

/** Until it is there, or has not come soon. */
export async function expectCatalogue(settings: Settings): Promise<void> {
  const answer = catalogueOf(clientFor(null, settings), settings.language).catch(() => undefined);
  await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, SOON_MS))]);
}

export function useCatalogue(): Catalogue {
  const { words, settings, toast } = usePageContext();
  const client = useClient(null);
  const { reconnects } = useOnline();
  const { language } = settings;
  const [found, setFound] = useState(known.get(language) ?? NOTHING);
  useEffect(() => {
    catalogueOf(client, language).then(setFound, (error: unknown) => toast(errorText(error, words)));
  }, [client, reconnects]);
  return found;
}
