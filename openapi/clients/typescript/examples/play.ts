/**
 * Play a whole game against an AI: `node play.ts http://127.0.0.1:8000 queens-garden --level greedy`.
 *
 * The script follows the game's stream and chooses random actions when its seat must decide. With `--game=ID
 * --token=TOKEN` it takes a seat of an existing game. It needs Node 22.18 or newer, and `npm ci` and `npm run generate`
 * in openapi.
 */
import { parseArgs } from "node:util";
import { connect, follow, ProblemError, type Schemas, unwrap } from "../src/index.ts";

type Game = Schemas["Game"];
type Seat = { id: string; token: string; number: number };

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    level: { type: "string", default: "greedy" },
    variant: { type: "string" },
    game: { type: "string" },
    token: { type: "string" },
    seat: { type: "string", default: "0" },
  },
});
const [url = "http://127.0.0.1:8000", ruleset = "azul"] = positionals;
let seat: Seat | null = null;
const client = connect({ url, token: () => seat?.token ?? null });

/** Create a game with seat 0 for this script and an AI on the other seat. */
async function create(): Promise<Seat> {
  const info = unwrap(await client.GET("/v1/rulesets")).rulesets.find(({ id }) => id === ruleset);
  const { levels } = unwrap(await client.GET("/v1/levels"));
  if (!info) throw new Error(`${ruleset} cannot be played there`);
  if (!levels.some(({ id }) => id === options.level)) throw new Error(`${options.level} is none of the levels`);
  const body = {
    ruleset,
    variant: options.variant ?? info.variants[0],
    seats: [
      { kind: "player", name: "Tess" },
      { kind: "ai", level: options.level },
    ],
  } as Schemas["CreateGameRequest"]; // the compiler cannot see that the names were checked
  const { game, tokens } = unwrap(await client.POST("/v1/games", { body }));
  return { id: game.id, token: tokens.seats["0"] ?? "", number: 0 };
}

/** Choose an action. Put your own strategy here. */
function choose(_game: Game, actions: readonly Schemas["LegalAction"][]): Schemas["LegalAction"] {
  return actions[Math.floor(Math.random() * actions.length)] as Schemas["LegalAction"];
}

/**
 * Decide once. Return the game's next revision; older items of the stream need no reaction. 412 means that the game has
 * changed, 409 that the seat cannot decide now. In both cases the stream delivers the new state.
 */
async function decide({ id, number }: Seat, game: Game): Promise<number> {
  const path = { game_id: id };
  try {
    const legal = unwrap(await client.GET("/v1/games/{game_id}/actions", { params: { path } }));
    if (legal.seat !== number || legal.actions.length === 0) return legal.revision;
    const header = { "If-Match": `"${legal.revision}"` };
    const body = { id: choose(game, legal.actions).id };
    const decided = unwrap(await client.POST("/v1/games/{game_id}/actions", { params: { path, header }, body }));
    return decided.game.revision;
  } catch (error) {
    if (!(error instanceof ProblemError) || ![409, 412].includes(error.status)) throw error;
    console.log(`refused: ${error.code}`);
    return error.problem.revision ?? game.revision + 1;
  }
}

async function play(ownSeat: Seat): Promise<void> {
  let expectedRevision = 0;
  const onState = (state: string) => console.log(`connection: ${state}`);
  for await (const { kind, revision, game, ...item } of follow(client, ownSeat.id, { onState })) {
    console.log(`${revision} ${kind}: ${"text" in item ? item.text : ""}`);
    if (!game) continue;
    if (game.outcome) console.log(game.outcome.seats.map(({ rank, score }) => `rank ${rank}: ${score}`).join(", "));
    if (game.to_decide === ownSeat.number && revision >= expectedRevision)
      expectedRevision = await decide(ownSeat, game);
  }
}

seat = options.game ? { id: options.game, token: options.token ?? "", number: Number(options.seat) } : await create();
console.log(`game ${seat.id}`);
await play(seat);
