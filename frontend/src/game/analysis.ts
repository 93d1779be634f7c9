/** Waiting for what the service's AI thinks. */
import { type Client, type Schemas, unwrap } from "azul-games-client";
import { LONG_POLL_S } from "../shared/requests";

type Analysis = Schemas["Analysis"];
type Tell = (analysis: Analysis) => void;
type Headers = Record<string, string>;

/** Ask for an analysis and follow it to its end; `tell` hears of every report. */
export async function analysed(
  client: Client,
  gameId: string,
  body: Schemas["AnalyseGameRequest"],
  headers: Headers,
  tell: Tell = () => undefined,
): Promise<Analysis> {
  const asked = await client.POST("/v1/games/{game_id}/analyses", {
    params: { path: { game_id: gameId } },
    headers,
    body,
  });
  return followed(client, unwrap(asked), headers, tell);
}

const goesOn = ({ status }: Analysis): boolean => status === "waiting" || status === "running";

/** Follow an analysis that was asked for. */
export async function followed(
  client: Client,
  begun: Analysis,
  headers: Headers,
  tell: Tell,
  signal: AbortSignal | null = null,
): Promise<Analysis> {
  let analysis = begun;
  for (;;) {
    tell(analysis);
    if (!goesOn(analysis)) return analysis;
    const params = { path: { task_id: analysis.id }, query: { after: analysis.version, wait: LONG_POLL_S } };
    analysis = unwrap(await client.GET("/v1/analyses/{task_id}", { params, headers, signal }));
  }
}
