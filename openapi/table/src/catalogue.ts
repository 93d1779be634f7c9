/** What can be played, and how strong AIs are: asked for once, and again in another language. */
import { type Client, type Schemas, unwrap } from "azul-games-client";
import { useEffect, useState } from "preact/hooks";
import { told, useAround, useClient } from "./context";
import { useOnline } from "./online";

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

export function useCatalogue(): Catalogue {
  const { words, settings, toast } = useAround();
  const client = useClient(null);
  const { returns } = useOnline();
  const { language } = settings;
  const [found, setFound] = useState(known.get(language) ?? NOTHING);
  useEffect(() => {
    const answer = asked.get(language) ?? ask(client);
    asked.set(language, answer);
    answer.then(
      (catalogue) => {
        known.set(language, catalogue);
        setFound(catalogue);
      },
      (error: unknown) => {
        asked.delete(language);
        toast(told(error, words));
      },
    );
  }, [client, returns]);
  return found;
}
