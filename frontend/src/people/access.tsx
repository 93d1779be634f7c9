/** Access to the player's account: identity providers, tokens, devices and blocked players. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import type { ComponentChildren } from "preact";
import { formatDate, PlayerLink } from "../parts/player_link";
import { ownDevice, usePush } from "../parts/push";
import { useClient, usePageContext } from "../shared/context";
import { deviceName } from "../shared/device";
import { useList, useLoaded, useResultToast } from "../shared/fetching";
import { goToProvider } from "./sign_in";

export function useProviders(): readonly Schemas["IdentityProvider"][] {
  const client = useClient(null);
  const { value } = useLoaded(async () => unwrap(await client.GET("/v1/identity-providers")).providers, [client]);
  return value ?? []; // sign-in is optional
}

/** Return a provider's name, such as `Example (login.example.org)`. The host shows who identifies the player. */
const providerName = ({ id, issuer }: Schemas["IdentityProvider"]): string =>
  `${id.slice(0, 1).toUpperCase()}${id.slice(1)} (${new URL(issuer).hostname})`;

/** A sign-in button for each provider. */
export function SignInButtons({
  client,
  providers,
}: {
  client: Client;
  providers: readonly Schemas["IdentityProvider"][];
}) {
  const { people } = usePageContext().words;
  const showResult = useResultToast();
  return (
    <div class="tools">
      {providers.map((provider) => (
        <button key={provider.id} onClick={() => showResult(goToProvider(client, provider.id, false))}>
          {people.signInWith(providerName(provider))}
        </button>
      ))}
    </div>
  );
}

/** Linked identities, or nothing if the operator has configured no provider. */
export function Identities({ client }: { client: Client }) {
  const { words, settings } = usePageContext();
  const { people } = words;
  const showResult = useResultToast();
  const providers = useProviders();
  const [linked, change] = useList(async () => unwrap(await client.GET("/v1/me/identities")).identities, [client]);
  const unlink = async (provider: string) =>
    unwrap(await client.DELETE("/v1/me/identities/{provider}", { params: { path: { provider } } }));
  if (providers.length === 0) return null;
  return (
    <section class="card stack">
      <h2>{people.signIn}</h2>
      <p class="note">{linked.length ? people.signInSafe : people.signInWhy}</p>
      <ul class="rows">
        {providers.map((provider) => {
          const name = providerName(provider);
          const since = linked.find((each) => each.provider === provider.id)?.linked_at;
          return (
            <li key={provider.id}>
              <div>
                {name}
                {since && <p class="note">{people.linkedSince(formatDate(since, settings.language))}</p>}
              </div>
              {since ? (
                <button
                  aria-label={`${people.unlink}: ${name}`}
                  onClick={() => change(unlink(provider.id), people.unlinkedNow)}
                >
                  {people.unlink}
                </button>
              ) : (
                <button
                  class="primary"
                  aria-label={`${people.link}: ${name}`}
                  onClick={() => showResult(goToProvider(client, provider.id, true))}
                >
                  {people.link}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <details>
        <summary>{people.otherPlayer}</summary>
        <p class="note">{people.otherPlayerNote}</p>
        <SignInButtons client={client} providers={providers} />
      </details>
    </section>
  );
}

/** Devices with a token, and devices that receive notices. */
export function Devices({ client }: { client: Client }) {
  const { words, settings } = usePageContext();
  const { people } = words;
  const [tokens, changeTokens] = useList(async () => unwrap(await client.GET("/v1/me/tokens")).tokens, [client]);
  const [devices, changeDevices] = useList(async () => unwrap(await client.GET("/v1/me/devices")).devices, [client]);
  const subscribe = usePush();
  const endToken = async (token_id: string) =>
    unwrap(await client.DELETE("/v1/me/tokens/{token_id}", { params: { path: { token_id } } }));
  const endDevice = async (device_id: string) =>
    unwrap(await client.DELETE("/v1/me/devices/{device_id}", { params: { path: { device_id } } }));
  const day = (moment: string) => formatDate(moment, settings.language);
  return (
    <section class="card stack">
      <h2>{people.devices}</h2>
      <p class="note">{people.devicesNote}</p>
      <ul class="rows tokens">
        {tokens.map(({ id, name, current, created_at, used_at, scopes }) => (
          <Entry
            key={id}
            name={name ?? (current ? deviceName() : people.unnamed)}
            details={[
              people.madeOn(day(created_at)),
              ...(used_at ? [people.usedOn(day(used_at))] : []),
              ...(scopes.includes("play") ? [] : [people.readOnly]),
            ]}
            end={current ? undefined : () => changeTokens(endToken(id), people.revoked)}
          >
            {current && <small>({people.thisDevice})</small>}
          </Entry>
        ))}
        {devices.map(({ id, name, created_at }) => (
          <Entry
            key={id}
            name={name ?? people.unnamed}
            details={[people.getsNotices, people.madeOn(day(created_at))]}
            end={() => changeDevices(endDevice(id), people.revoked)}
          >
            {id === ownDevice() && <small>({people.thisDevice})</small>}
          </Entry>
        ))}
      </ul>
      {subscribe && !devices.some(({ id }) => id === ownDevice()) && (
        <button onClick={() => changeDevices(subscribe(), "")}>{people.pushHere}</button>
      )}
    </section>
  );
}

interface EntryProps {
  name: string;
  details: readonly string[];
  /** Undefined for the current device. */
  end: (() => void) | undefined;
  children?: ComponentChildren;
}

function Entry({ name, details, end, children }: EntryProps) {
  const { people } = usePageContext().words;
  return (
    <li>
      <div>
        {name} {children}
        <p class="note">{details.join(" · ")}</p>
      </div>
      {end && (
        <button aria-label={`${people.revoke}: ${name}`} onClick={end}>
          {people.revoke}
        </button>
      )}
    </li>
  );
}

export function BlockedPlayers({ client }: { client: Client }) {
  const { people } = usePageContext().words;
  const [blocked, change] = useList(async () => unwrap(await client.GET("/v1/me/blocked")).blocked, [client]);
  const unblock = async (player: string) =>
    unwrap(await client.DELETE("/v1/me/blocked/{player}", { params: { path: { player } } }));
  if (blocked.length === 0) return null;
  return (
    <section class="card stack">
      <h2>{people.blocked}</h2>
      <ul class="rows">
        {blocked.map(({ id, player }) => (
          <li key={id}>
            <PlayerLink player={player} />
            <button onClick={() => change(unblock(id), people.unblockedNow)}>{people.unblock}</button>
          </li>
        ))}
      </ul>
    </section>
  );
}
