/**
 * A whole bot that is called: `SECRET=whsec_… node push.ts 8080`, and the seat's endpoint is http://127.0.0.1:8080/.
 *
 * It answers each signed request with one of the legal actions; where they are too many to be sent it asks for the
 * first 500 of them. From the internet it is called by https only: put it behind a proxy that has a certificate.
 * Needs Node 22.18 or newer.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";

type Action = { id: string; text: string; action: { type: string } };
type Game = { id: string; ruleset: string; position: unknown };
type Told = { game: Game; seat: number; actions: Action[] | null; positions_url: string };

const key = Buffer.from((process.env["SECRET"] ?? "").replace("whsec_", ""), "base64");

/** Here goes your strength: `game` is the whole view, `actions` what is legal. */
function choose(game: Game, actions: Action[]): Action {
  return actions[Math.floor(Math.random() * actions.length)] as Action;
}

async function legal(told: Told): Promise<Action[]> {
  if (told.actions) return told.actions;
  const body = JSON.stringify({ position: told.game.position, form: "list" });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(told.positions_url, { method: "POST", headers, body });
  return ((await answer.json()) as { legal: { actions: Action[] } }).legal.actions;
}

/** Whether the request is the service's, and not an old one. */
function isGenuine(headers: IncomingHttpHeaders, body: string): boolean {
  const at = String(headers["webhook-timestamp"]);
  const mac = createHmac("sha256", key).update(`${headers["webhook-id"]}.${at}.${body}`).digest();
  const fits = (signature: string) => {
    const given = Buffer.from(signature.replace("v1,", ""), "base64");
    return given.length === mac.length && timingSafeEqual(given, mac);
  };
  return Math.abs(Date.now() / 1000 - Number(at)) < 300 && String(headers["webhook-signature"]).split(" ").some(fits);
}

async function answered(headers: IncomingHttpHeaders, body: string): Promise<string | null> {
  if (!isGenuine(headers, body)) return null;
  const told = (JSON.parse(body) as { data: Told }).data;
  return JSON.stringify({ id: choose(told.game, await legal(told)).id });
}

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const answer = await answered(request.headers, Buffer.concat(chunks).toString()).catch(() => null);
  response.writeHead(answer ? 200 : 400).end(answer ?? "");
}).listen(Number(process.argv[2]), "127.0.0.1");
