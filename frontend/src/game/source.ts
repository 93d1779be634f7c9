/** Where the table gets the pictures and choices of a game, and what takes its decisions. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import type { Action, Choices } from "../rulesets/base/steps";
import type { ListedAction } from "../rulesets/choices";
import { rulesetUi } from "../rulesets/ui_registry";
import { bearerHeader } from "../shared/client";
import { type pictureTheme, storedGame } from "../shared/store";
import type { Game } from "./live";

export type Layout = "wide" | "narrow" | "columns";

export interface RenderOptions {
  theme: ReturnType<typeof pictureTheme>;
  layout: Layout;
}

/** The legal actions at a revision. Null: no seat decides. */
export interface OfferedChoices {
  revision: number;
  choices: Choices | readonly ListedAction[] | null;
}

export interface GameSource {
  /** Return the picture at a revision as SVG. */
  picture: (revision: number, options: RenderOptions, signal: AbortSignal) => Promise<string>;
  choices: (game: Game, signal: AbortSignal) => Promise<OfferedChoices>;
  decide: (game: Game, action: Action) => Promise<unknown>;
}

/** Return the source of a game that the service runs. */
export const serviceSource = (client: Client, id: string): GameSource => ({
  picture: pictures(client, id),
  choices: ({ ruleset }, signal) => (rulesetUi(ruleset) ? fetchChoices : fetchListed)(client, id, signal),
  decide: async ({ revision, to_decide: seat }, action) => {
    const headers = bearerHeader(storedGame(id).seats[seat ?? -1]);
    const params = { path: { game_id: id } };
    unwrap(await client.POST("/v1/games/{game_id}/actions", { params, headers, body: { action, revision } }));
  },
});

/** Return what fetches pictures. The first request has no revision, so start.js may have sent it early. */
function pictures(client: Client, id: string): GameSource["picture"] {
  let isFirst = true;
  return async (revision, options, signal) => {
    const request = (query: { revision?: number }) => {
      const params = { path: { game_id: id }, query: { ...query, ...options } };
      return client.GET("/v1/games/{game_id}/board.svg", { params, parseAs: "text", signal });
    };
    const current = isFirst ? await request({}) : null;
    isFirst = false;
    const isAt = current?.response.headers.get("ETag")?.includes(`"${revision}-`);
    return unwrap(current && isAt ? current : await request({ revision })) as string;
  };
}

async function fetchChoices(client: Client, id: string, signal: AbortSignal): Promise<OfferedChoices> {
  return unwrap(await client.GET("/v1/games/{game_id}/choices", { params: { path: { game_id: id } }, signal }));
}

/** Fetch all pages of legal actions. */
async function fetchListed(client: Client, id: string, signal: AbortSignal): Promise<OfferedChoices> {
  const choices: ListedAction[] = [];
  for (let cursor: string | null = ""; ;) {
    const params = { path: { game_id: id }, query: cursor ? { cursor } : {} };
    const page: Schemas["LegalActions"] = unwrap(await client.GET("/v1/games/{game_id}/actions", { params, signal }));
    choices.push(...page.actions);
    cursor = page.next_cursor;
    if (cursor === null) return { revision: page.revision, choices };
  }
}
