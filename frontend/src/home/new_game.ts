/** New games: storing their tokens, and creating them from pasted text. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import { LONG_POLL_S } from "../shared/requests";
import { bearerHeader } from "../shared/client";
import { links } from "../shared/route";
import { storeTokens } from "../shared/store";

export type NewGame = Pick<Schemas["CreatedGame"], "game" | "tokens">;

/** Store the tokens of a new game and open its page. */
export function openNewGame({ game, tokens }: NewGame): void {
  const { host, invite, watch } = tokens;
  storeTokens(game, { ...tokens.seats }, { host, invite, watch });
  location.hash = links.game(game.id);
}

/** Return whether a text is an exported game, which begins with a tag. Other texts are positions. */
export const isGameText = (text: string): boolean => text.startsWith("[");

/**
 * Create a game from an exported one. The service imports long games in the background; `createError` makes the error
 * if that fails.
 */
export async function importGame(
  client: Client,
  text: string,
  createError: (reason: string) => Error,
): Promise<NewGame> {
  const headers = { "Content-Type": "text/plain" };
  const response = unwrap(
    await client.POST("/v1/games/import", { body: text, bodySerializer: (body) => body as string, headers }),
  );
  if ("game" in response) return response;
  let task: Schemas["Import"] = response;
  while (task.game_id === null) {
    if (task.refusal) throw createError(task.refusal.detail ?? task.refusal.title);
    const params = { path: { task_id: response.id }, query: { after: task.version, wait: LONG_POLL_S } };
    const answer = await client.GET("/v1/imports/{task_id}", { params });
    if (answer.response.status !== 204) task = unwrap(answer) as Schemas["Import"];
  }
  const params = { path: { game_id: task.game_id } };
  const game = unwrap(await client.GET("/v1/games/{game_id}", { params, headers: bearerHeader(response.tokens.host) }));
  return { game, tokens: response.tokens };
}
