/** Requests for analyses by the service's AI. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import { LONG_POLL_S } from "../shared/requests";

type Analysis = Schemas["Analysis"];
type OnProgress = (analysis: Analysis) => void;
type Headers = Record<string, string>;

/** Request an analysis and wait for its end. `onProgress` receives each report. */
export async function analyse(
  client: Client,
  gameId: string,
  body: Schemas["AnalyseGameRequest"],
  headers: Headers,
  onProgress: OnProgress = () => undefined,
): Promise<Analysis> {
  const response = await client.POST("/v1/games/{game_id}/analyses", {
    params: { path: { game_id: gameId } },
    headers,
    body,
  });
  return followAnalysis(client, unwrap(response), headers, onProgress);
}

const isRunning = ({ status }: Analysis): boolean => status === "waiting" || status === "running";

/** Poll a requested analysis until its end. */
export async function followAnalysis(
  client: Client,
  started: Analysis,
  headers: Headers,
  onProgress: OnProgress,
  signal: AbortSignal | null = null,
): Promise<Analysis> {
  let analysis = started;
  for (;;) {
    onProgress(analysis);
    if (!isRunning(analysis)) return analysis;
    const params = { path: { task_id: analysis.id }, query: { after: analysis.version, wait: LONG_POLL_S } };
    analysis = unwrap(await client.GET("/v1/analyses/{task_id}", { params, headers, signal }));
  }
}
