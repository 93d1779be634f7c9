/**
 * Sign-in with an OpenID Connect provider.
 *
 * The service creates the nonce and the PKCE verifier and redeems the code. This tab stores the id and the secret of the
 * started sign-in. It ignores a code with another `state`, which may come from a forged link. Another client that sees
 * the address of the return does not know the secret.
 */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import { deviceName } from "../shared/device";
import { tabStore } from "../shared/store";

export interface StartedSignIn {
  id: string;
  secret: string;
  provider: string;
  /** Whether the identity is linked to the current player. Otherwise the player of the identity signs in. */
  link: boolean;
}

export interface SignInReturn extends StartedSignIn {
  /** Null if the user cancelled at the provider. */
  code: string | null;
}

const STORAGE_KEY = "azul-table-sign-in";
const PAGE_URL = new URL(location.pathname, location.href).href;

/** Leave the page for the provider. */
export async function goToProvider(client: Client, provider: string, link: boolean): Promise<void> {
  const started = unwrap(await client.POST("/v1/sign-ins", { body: { provider, redirect_uri: PAGE_URL } }));
  const { id, secret, authorization_url } = started;
  tabStore.write(STORAGE_KEY, { id, secret, provider, link } satisfies StartedSignIn);
  location.assign(authorization_url ?? PAGE_URL);
}

/**
 * Return the parameters of a return from a provider, and remove them from the address. "unknown": this tab has started
 * no such sign-in.
 */
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

export async function linkIdentity(client: Client, { id, secret, code }: SignInReturn): Promise<void> {
  unwrap(await client.POST("/v1/me/identities", { body: { sign_in: id, secret, code } }));
}

/** Return a player and a new token. `create`: create a player for an unknown identity. */
export async function signIn(
  client: Client,
  { id, secret, code }: SignInReturn,
  create: boolean,
): Promise<Schemas["SignedIn"]> {
  const body = { secret, code, create, name: deviceName() };
  return unwrap(await client.POST("/v1/sign-ins/{sign_in}/token", { params: { path: { sign_in: id } }, body }));
}
