/** Waiting for what the service's AI thinks. */
import { type Client, type Schemas, unwrap } from "azul-games-client";
import { WAIT_S } from "./live";

type Analysis = Schemas["Analysis"];

/** Ask for an analysis and follow it to its end; `tell` hears of every report. */
export async function analysed(
  client: Client,
  gameId: string,
  body: Schemas["AnalyseGameRequest"],
  headers: Record<string, string>,
  tell: (analysis: Analysis) => void = () => undefined,
): Promise<Analysis> {
  const asked = await client.POST("/v1/games/{game_id}/analyses", {
    params: { path: { game_id: gameId } },
    headers,
    body,
  });
  let analysis: Analysis = unwrap(asked);
  for (;;) {
    tell(analysis);
    if (analysis.status !== "waiting" && analysis.status !== "running") return analysis;
    const params = { path: { task_id: analysis.id }, query: { after: analysis.version, wait: WAIT_S } };
    analysis = unwrap(await client.GET("/v1/analyses/{task_id}", { params, headers }));
  }
}
