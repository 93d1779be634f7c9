/**
 * A client of the service for browsers and Node 22.18 or newer.
 *
 *     const client = connect({ url: "http://127.0.0.1:8000", token });
 *     const game = unwrap(await client.GET("/v1/games/{game_id}", { params: { path: { game_id } } }));
 *     for await (const item of follow(client, game.id)) draw(item.game);
 *
 * `npm run generate` writes the types of the API document to src/schema.d.ts; `Schemas["Game"]` names one of them. The
 * modules here add retries (retry.ts), streams (follow.ts) and errors (problems.ts).
 */
export { connect, newKey, type Client, type Connection } from "./connect.ts";
export { follow, followPlayer, type FollowOptions, type StreamState } from "./follow.ts";
export { problemOf, ProblemError, unwrap, type Problem } from "./problems.ts";
export type { components, operations, paths } from "./schema.d.ts";
import type { components } from "./schema.d.ts";

/** Types of the API document by name: `Schemas["Game"]`. */
export type Schemas = components["schemas"];
