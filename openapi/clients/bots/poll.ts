/**
 * A whole bot that needs no address of its own: `node poll.ts http://127.0.0.1:8000 [GAME [INVITE]]`.
 *
 * It becomes a player, claims a seat of GAME (a private game wants its invite token), and then decides wherever it is
 * waited for, in any number of games at once; of each that is over it prints a line. Its player token is kept in
 * bot-token.txt. Needs Node 22.18 or newer.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

type Action = { id: string; text: string; action: { type: string } };
type Legal = { revision: number; actions: Action[] };
type Game = { id: string; ruleset: string; position: unknown; seats: { score: number }[] };

const TOKEN = "bot-token.txt";
const playing = new Set<string>();
const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** Here goes your strength: `game` is the whole view, `actions` all that is legal. */
function choose(game: Game, actions: Action[]): Action {
  return actions[Math.floor(Math.random() * actions.length)] as Action;
}

/** The answer's JSON, null where the game has moved on; what the service is too busy for is asked again. */
async function ask<T>(url: string, token?: string, body?: object): Promise<T | null> {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  for (;;) {
    const sent = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const answer = await fetch(url, sent).catch(() => null);
    if (answer?.ok) return (await answer.json()) as T;
    if (answer?.status === 409 || answer?.status === 412) return null;
    if (answer && ![429, 503].includes(answer.status)) throw new Error(await answer.text());
    await sleep(Number(answer?.headers.get("Retry-After") ?? 1));
  }
}

/** Decide once in each game that waits, and tell which are over. */
async function play(api: string, token: string): Promise<void> {
  const turns = await ask<{ games: Game[] }>(`${api}/me/turns?wait=25`, token);
  for (const { id } of turns?.games ?? []) {
    playing.add(id);
    const game = await ask<Game>(`${api}/games/${id}`, token);
    const legal = await ask<Legal>(`${api}/games/${id}/actions`, token);
    if (!game || !legal?.actions.length) continue;
    const chosen = choose(game, legal.actions);
    await ask(`${api}/games/${id}/actions`, token, { id: chosen.id, revision: legal.revision });
  }
  const finished = playing.size ? await ask<{ games: Game[] }>(`${api}/me/games?status=finished`, token) : null;
  for (const { id, ruleset, seats } of finished?.games ?? [])
    if (playing.delete(id)) console.log(id, ruleset, ...seats.map((seat) => seat.score));
}

const [url, game, invite] = process.argv.slice(2);
const api = `${url}/v1`;
if (!existsSync(TOKEN)) {
  const made = await ask<{ token: string }>(`${api}/players`, undefined, { name: "Polly", bot: true });
  writeFileSync(TOKEN, made?.token ?? "", { mode: 0o600 });
}
const token = readFileSync(TOKEN, "utf8");
if (game) await ask(`${api}/games/${game}/seats`, token, { token: invite ?? null });
for (;;) await play(api, token);
