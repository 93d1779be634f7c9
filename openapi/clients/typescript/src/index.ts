/**
 * A client of the service for browsers and Node 22.18 or newer.
 *
 *     const client = connect({ url: "http://127.0.0.1:8000", token });
 *     const game = unwrap(await client.GET("/v1/games/{game_id}", { params: { path: { game_id } } }));
 *     for await (const item of follow(client, game.id)) draw(item.game);
 *
 * Paths, parameters, bodies and answers are typed by the service's document (`npm run generate` writes them to
 * src/schema.d.ts); `Schemas["Game"]` names one of its types. What is written by hand is what a document cannot say:
 * when to ask again (retry.ts), how to take up a stream (follow.ts), and refusals as errors with a code (problems.ts).
 */
export { connect, newKey, type Client, type Connection } from "./connect.ts";
export { follow, type FollowOptions, type StreamState } from "./follow.ts";
export { problemOf, ProblemError, unwrap, type Problem } from "./problems.ts";
export type { components, operations, paths } from "./schema.d.ts";
import type { components } from "./schema.d.ts";

/** The document's types by name: `Schemas["Game"]`. */
export type Schemas = components["schemas"];
