/**
 * A complete bot that polls the service: `node poll.ts http://127.0.0.1:8000 [GAME [INVITE]]`.
 *
 * It creates a player, claims a seat of GAME (a private game needs the invite token) and then plays all its games at
 * the same time. It prints a line for each finished game and stores its token in bot-token.txt. It needs only Node
 * 22.18 or newer.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

type Action = { id: string; text: string; action: { type: string } };
type Legal = { revision: number; actions: Action[] };
type Game = { id: string; ruleset: string; position: unknown; seats: { score: number }[] };

const TOKEN = "bot-token.txt";
const playing = new Set<string>();
const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** Return one of the legal actions. Replace this with your strategy. */
function choose(game: Game, actions: Action[]): Action {
  return actions[Math.floor(Math.random() * actions.length)] as Action;
}

/** Return the JSON of the response, or null if the game has moved on. Retry while the service is busy. */
async function call<T>(url: string, token?: string, body?: object): Promise<T | null> {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  for (;;) {
    const options = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const response = await fetch(url, options).catch(() => null);
    if (response?.ok) return (await response.json()) as T;
    if (response?.status === 409 || response?.status === 412) return null;
    if (response && ![429, 503].includes(response.status)) throw new Error(await response.text());
    await sleep(Number(response?.headers.get("Retry-After") ?? 1));
  }
}

/** Play one action in each waiting game, and print the finished games. */
async function play(api: string, token: string): Promise<void> {
  const turns = await call<{ games: Game[] }>(`${api}/me/turns?wait=25`, token);
  for (const { id } of turns?.games ?? []) {
    playing.add(id);
    const game = await call<Game>(`${api}/games/${id}`, token);
    const legal = await call<Legal>(`${api}/games/${id}/actions`, token);
    if (!game || !legal?.actions.length) continue;
    const chosen = choose(game, legal.actions);
    await call(`${api}/games/${id}/actions`, token, { id: chosen.id, revision: legal.revision });
  }
  const finished = playing.size ? await call<{ games: Game[] }>(`${api}/me/games?status=finished`, token) : null;
  for (const { id, ruleset, seats } of finished?.games ?? [])
    if (playing.delete(id)) console.log(id, ruleset, ...seats.map((seat) => seat.score));
}

const [url, game, invite] = process.argv.slice(2);
const api = `${url}/v1`;
if (!existsSync(TOKEN)) {
  const created = await call<{ token: string }>(`${api}/players`, undefined, { name: "Polly", bot: true });
  writeFileSync(TOKEN, created?.token ?? "", { mode: 0o600 });
}
const token = readFileSync(TOKEN, "utf8");
if (game) await call(`${api}/games/${game}/seats`, token, { token: invite ?? null });
for (;;) await play(api, token);
