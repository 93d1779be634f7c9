/** Where strangers meet: who waits for others, and what one wants to play oneself. */
import { type Schemas, unwrap } from "azul-games-client";
import { useEffect, useState } from "preact/hooks";
import { useCatalogue } from "../parts/catalogue";
import { termsAsked, TermsFields, termsTold, useRemembered, useTerms } from "../parts/game_settings";
import { Header } from "../parts/header";
import { LevelField } from "../parts/level";
import { NameField } from "../parts/name_field";
import { PlayerLink, playerName } from "../parts/player_link";
import { errorText, usePageContext, useClient } from "../shared/context";
import { useElapsed, usePolling } from "../shared/polling";
import { links } from "../shared/route";
import { Challenges } from "./challenges";
import { useMatchmaking } from "./matchmaking";

type Seek = Schemas["Seek"];

const PAUSE_MS = 3000;
/** Points that others may be away, at first. */
const RANGES = [100, 200, 400];
/** Seconds after which AIs sit down. */
const FILL_AFTER_S = [30, 60, 180];

/** Of a seek, what a challenge has not: nobody is to wait for ever. */
const MORE = { range: null as number | null, fills: true, level: "casual" as Schemas["LevelId"], after: 60 };

export function Lobby() {
  const { words, me, toast } = usePageContext();
  const { waiting } = useMatchmaking();
  const { people } = words;
  const client = useClient(null);
  const [seeks, setSeeks] = useState<readonly Seek[] | null>(null);
  const [busy, setBusy] = useState(false);
  const { waited } = waiting;
  const lookAgain = usePolling(
    async (signal) => setSeeks(unwrap(await client.GET("/v1/seeks", { signal })).seeks),
    PAUSE_MS,
    [client],
  );
  useEffect(lookAgain, [waited?.asked.id]);
  const isOwn = ({ player }: Seek) => player.id === me.id;
  const ask = async (found: Promise<Seek>) => {
    setBusy(true);
    try {
      waiting.follow({ kind: "seek", asked: await found });
    } catch (error) {
      toast(errorText(error, words));
      lookAgain();
    } finally {
      setBusy(false);
    }
  };
  const join = async ({ id, mixed }: Seek) => {
    const params = { path: { seek_id: id } };
    const ours = await me.client();
    return unwrap(await ours.POST("/v1/seeks/{seek_id}/join", { params, body: mixed ? { mixed } : {} }));
  };
  /** One that another tab or device of ours has begun. */
  const withdraw = async ({ id }: Seek) => {
    const ours = await me.client();
    await ours.DELETE("/v1/seeks/{seek_id}", { params: { path: { seek_id: id } } });
    lookAgain();
  };
  return (
    <>
      <Header />
      <main class="wide">
        <h1 tabIndex={-1}>{people.lobby}</h1>
        <div class="columns">
          <div class="column">
            <Challenges />
            {waited && <WaitingCard />}
            <section class="card">
              <h2>{people.whoWaits}</h2>
              {seeks === null && <p class="note empty">{words.loading}</p>}
              {seeks?.length === 0 && (
                <p class="empty">
                  {people.nobodyWaits} <a href={links.home}>{people.playAI}</a>
                </p>
              )}
              <ul class="rows seeks" aria-label={people.whoWaits}>
                {seeks?.map((seek) => (
                  <li key={seek.id} data-own={isOwn(seek)}>
                    <div>
                      <PlayerLink player={seek.player} /> <small>{seek.points}</small>
                      <p class="note">{termsTold(seek, words)}</p>
                    </div>
                    <div class="tools">
                      <Waits since={Date.parse(seek.created_at)} />
                      {!isOwn(seek) ? (
                        <button
                          class="primary"
                          disabled={busy}
                          aria-label={`${people.take}: ${playerName(seek.player, words)}`}
                          onClick={() => ask(join(seek))}
                        >
                          {people.take}
                        </button>
                      ) : (
                        seek.id !== waited?.asked.id && <button onClick={() => withdraw(seek)}>{words.cancel}</button>
                      )}
                    </div>
                  </li>
                ))}
              </ul>
            </section>
            <p class="card">
              <a href={links.competitions}>{words.competitions.fromLobby}</a>
            </p>
          </div>
          {!waited && <SeekForm ask={ask} busy={busy} />}
        </div>
      </main>
    </>
  );
}

function Waits({ since }: { since: number }) {
  const { words } = usePageContext();
  const seconds = useElapsed(since);
  return <time aria-label={words.people.waitsFor(words.inBank(seconds))}>{words.inBank(seconds)}</time>;
}

/** What we wait for, how long we have, and the way out. */
export function WaitingCard() {
  const { words, toast } = usePageContext();
  const { waiting } = useMatchmaking();
  const { waited, cancel } = waiting;
  const seconds = useElapsed(waited?.since ?? 0);
  if (waited === null) return null;
  const { people } = words;
  const { kind, asked } = waited;
  const fill = kind === "seek" ? asked.fill : null;
  return (
    <section class="card waiting" aria-label={people.waiting}>
      <div role="status">
        <h2>{kind === "seek" ? people.lookingFor : people.waitingFor(playerName(asked.challenged, words))}</h2>
        <p class="note">{termsTold(asked, words)}</p>
        {fill && <p class="note">{people.fillsAfter(fill.after_s)}</p>}
      </div>
      <time class="clock">{words.inBank(seconds)}</time>
      <button onClick={() => cancel().catch((error: unknown) => toast(errorText(error, words)))}>{words.cancel}</button>
    </section>
  );
}

/** What one wants to play oneself. */
function SeekForm({ ask, busy }: { ask: (found: Promise<Seek>) => void; busy: boolean }) {
  const { words, me } = usePageContext();
  const { people } = words;
  const catalogue = useCatalogue();
  const { terms, ...form } = useTerms(catalogue);
  const [more, change] = useRemembered("azul-table-seek", MORE);
  const { range, fills, level, after } = more;
  const seek = async () => {
    const body: Schemas["SeekRequest"] = {
      ...termsAsked(terms),
      seats: terms.seats,
      rating_range: terms.rated ? range : null,
      fill: fills ? { level, after_s: after } : null,
    };
    return unwrap(await (await me.client()).POST("/v1/seeks", { body }));
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        ask(seek());
      }}
    >
      <h2>{people.seekSomething}</h2>
      <NameField />
      <TermsFields terms={terms} {...form} seats />
      {terms.rated && (
        <label class="field">
          <span>{people.opponents}</span>
          <select
            value={range ?? ""}
            onChange={({ currentTarget: { value } }) => change({ range: value === "" ? null : Number(value) })}
          >
            <option value="">{people.anybody}</option>
            {RANGES.map((points) => (
              <option key={points} value={points}>
                {people.within(points)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={fills}
          onChange={({ currentTarget }) => change({ fills: currentTarget.checked })}
        />
        <span>{people.fill}</span>
      </label>
      {fills && (
        <>
          <LevelField name={people.level} level={level} choose={(each) => change({ level: each })} />
          <label class="field">
            <span>{people.fillWhen}</span>
            <select value={after} onChange={({ currentTarget }) => change({ after: Number(currentTarget.value) })}>
              {FILL_AFTER_S.map((seconds) => (
                <option key={seconds} value={seconds}>
                  {people.afterSeconds(seconds)}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
      <button class="primary" disabled={busy || !terms.variant}>
        {people.seek}
      </button>
    </form>
  );
}
