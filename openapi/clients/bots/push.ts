/**
 * A complete bot that the service calls: `SECRET=whsec_… node push.ts 8080`. Its endpoint is http://127.0.0.1:8080/.
 *
 * It answers each signed request with one of the legal actions. If the request does not list them, it fetches the first
 * 500. A public bot needs https, for example from a reverse proxy. It needs only Node 22.18 or newer.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";

type Action = { id: string; text: string; action: { type: string } };
type Game = { id: string; ruleset: string; position: unknown };
type Decision = { game: Game; seat: number; actions: Action[] | null; positions_url: string };

const key = Buffer.from((process.env["SECRET"] ?? "").replace("whsec_", ""), "base64");

/** Return one of the legal actions. Replace this with your strategy. */
function choose(game: Game, actions: Action[]): Action {
  return actions[Math.floor(Math.random() * actions.length)] as Action;
}

/** Return the legal actions of a decision. */
async function legalActions(decision: Decision): Promise<Action[]> {
  if (decision.actions) return decision.actions;
  const body = JSON.stringify({ position: decision.game.position, form: "list" });
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(decision.positions_url, { method: "POST", headers, body });
  return ((await response.json()) as { legal: { actions: Action[] } }).legal.actions;
}

/** True if the signature is valid and the request is recent. */
function isGenuine(headers: IncomingHttpHeaders, body: string): boolean {
  const at = String(headers["webhook-timestamp"]);
  const mac = createHmac("sha256", key).update(`${headers["webhook-id"]}.${at}.${body}`).digest();
  const matches = (signature: string) => {
    const given = Buffer.from(signature.replace("v1,", ""), "base64");
    return given.length === mac.length && timingSafeEqual(given, mac);
  };
  return Math.abs(Date.now() / 1000 - Number(at)) < 300 && String(headers["webhook-signature"]).split(" ").some(matches);
}

/** Return the body of the response, or null if the request is not genuine. */
async function decide(headers: IncomingHttpHeaders, body: string): Promise<string | null> {
  if (!isGenuine(headers, body)) return null;
  const decision = (JSON.parse(body) as { data: Decision }).data;
  return JSON.stringify({ id: choose(decision.game, await legalActions(decision)).id });
}

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const action = await decide(request.headers, Buffer.concat(chunks).toString()).catch(() => null);
  response.writeHead(action ? 200 : 400).end(action ?? "");
}).listen(Number(process.argv[2]), "127.0.0.1");
