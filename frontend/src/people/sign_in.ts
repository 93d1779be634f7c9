/**
 * Signing in with a provider of OpenID Connect: away to it, and back with a code.
 *
 * The service makes nonce and PKCE, and redeems the code. What was begun is kept in this tab alone, and the `state` with
 * which the browser comes back must be its id: a code that somebody else's page brings here is left.
 */
import { type Client, type Schemas, unwrap } from "azul-games-client";
import { tabStore } from "../shared/store";

export interface StartedSignIn {
  id: string;
  provider: string;
  /** Whether the identity is to be linked to the player who is here; else one signs in. */
  link: boolean;
}

export interface SignInReturn extends StartedSignIn {
  /** Null: the provider sent none, since nobody signed in. */
  code: string | null;
}

const STORAGE_KEY = "azul-table-sign-in";
const PAGE_URL = new URL(location.pathname, location.href).href;

/** Leaves the page for the provider. */
export async function goToProvider(client: Client, provider: string, link: boolean): Promise<void> {
  const signIn = unwrap(await client.POST("/v1/sign-ins", { body: { provider, redirect_uri: PAGE_URL } }));
  tabStore.write(STORAGE_KEY, { id: signIn.id, provider, link } satisfies StartedSignIn);
  location.assign(signIn.authorization_url ?? PAGE_URL);
}

/** What the browser has come back with, once; the address is cleaned of it. "unknown": it was not begun here. */
function readReturn(): SignInReturn | "unknown" | null {
  const query = new URLSearchParams(location.search);
  const state = query.get("state");
  if (state === null) return null;
  const started = tabStore.read<StartedSignIn>(STORAGE_KEY);
  tabStore.write(STORAGE_KEY, null);
  history.replaceState(null, "", `${location.pathname}#/me`);
  return started?.id === state ? { ...started, code: query.get("code") } : "unknown";
}

export const signInReturn = readReturn();

export async function linkIdentity(client: Client, { id, code }: SignInReturn): Promise<void> {
  unwrap(await client.POST("/v1/me/identities", { body: { sign_in: id, code } }));
}

/** A player and a new token of theirs; `create`: one is made where the identity is nobody's. */
export async function signIn(
  client: Client,
  { id, code }: SignInReturn,
  create: boolean,
): Promise<Schemas["SignedIn"]> {
  const body = { code, create, name: deviceName() };
  return unwrap(await client.POST("/v1/sign-ins/{sign_in}/token", { params: { path: { sign_in: id } }, body }));
}

/** What its user will know this browser by, in the list of devices: `Firefox, Linux`. */
export function deviceName(): string {
  const { userAgent } = navigator;
  const find = (names: readonly string[], pattern: (name: string) => string) =>
    names.find((name) => new RegExp(pattern(name)).test(userAgent));
  const browser = find(["Firefox", "Edg", "OPR", "Chrome", "Safari"], (name) => `${name}/`) ?? "Browser";
  const system = find(["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"], (name) => name);
  const name = { Edg: "Edge", OPR: "Opera" }[browser] ?? browser;
  return system ? `${name}, ${system}` : name;
}
