/** The lobby: open seeks of other players, and the form for an own one. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../parts/design/button";
import { Checkbox, SelectField } from "../parts/fields";
import { useCatalogue } from "../parts/catalogue";
import {
  GameSettingsFields,
  gameSettingsText,
  settingsRequest,
  useGameSettings,
  useTabState,
} from "../parts/game_settings";
import { Header } from "../parts/header";
import { LevelField } from "../parts/level";
import { NameField } from "../parts/name_field";
import { PlayerLink, playerName } from "../parts/player_link";
import { useImposed } from "../parts/standing";
import { errorText, useClient, usePageContext } from "../shared/context";
import { onSubmit, useResultToast } from "../shared/fetching";
import { useElapsed, usePolling } from "../shared/polling";
import { links } from "../shared/route";
import { Challenges } from "./challenges";
import { Friends } from "./friends";
import { useMatchmaking } from "./matchmaking";

type Seek = Schemas["Seek"];

const PAUSE_MS = 3000;
/** Initial maximum rating differences. */
const RATING_RANGES = [100, 200, 400];
/** Seconds until AIs take the open seats. */
const FILL_AFTER_S = [30, 60, 180];

/** Settings of a seek beyond those of the game. By default AIs fill the seats, so that the wait ends. */
const SEEK_DEFAULTS = { range: null as number | null, fills: true, level: "casual" as Schemas["LevelId"], after: 60 };

export function Lobby() {
  const { words, me, toast } = usePageContext();
  const { pendingRequest } = useMatchmaking();
  const { people } = words;
  const client = useClient(null);
  const [seeks, setSeeks] = useState<readonly Seek[] | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { pending } = pendingRequest;
  const reload = usePolling(
    async (signal) => setSeeks(unwrap(await client.GET("/v1/seeks", { signal })).seeks),
    PAUSE_MS,
    [client],
  );
  useEffect(reload, [pending?.asked.id]);
  const isOwn = ({ player }: Seek) => player.id === me.id;
  const waitFor = async (found: Promise<Seek>) => {
    setIsBusy(true);
    try {
      pendingRequest.follow({ kind: "seek", asked: await found });
    } catch (error) {
      toast(errorText(error, words));
      reload();
    } finally {
      setIsBusy(false);
    }
  };
  const join = async ({ id, mixed }: Seek) => {
    const params = { path: { seek_id: id } };
    const ours = await me.client();
    return unwrap(await ours.POST("/v1/seeks/{seek_id}/join", { params, body: mixed ? { mixed } : {} }));
  };
  /** Withdraw a seek that the player has made in another tab or on another device. */
  const withdraw = async ({ id }: Seek) => {
    const ours = await me.client();
    await ours.DELETE("/v1/seeks/{seek_id}", { params: { path: { seek_id: id } } });
    reload();
  };
  return (
    <>
      <Header />
      <main class="wide">
        <h1 tabIndex={-1}>{people.lobby}</h1>
        <div class="columns">
          <div class="column">
            <Challenges />
            {pending && <WaitingCard />}
            <Friends />
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
                      <p class="note">{gameSettingsText(seek, words)}</p>
                    </div>
                    <div class="tools">
                      <WaitingTime since={Date.parse(seek.created_at)} />
                      {!isOwn(seek) ? (
                        <Button
                          class="primary"
                          whyNot={isBusy && words.busy}
                          aria-label={`${people.take}: ${playerName(seek.player, words)}`}
                          onClick={() => waitFor(join(seek))}
                        >
                          {people.take}
                        </Button>
                      ) : (
                        seek.id !== pending?.asked.id && <button onClick={() => withdraw(seek)}>{words.cancel}</button>
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
          {!pending && <SeekForm waitFor={waitFor} isBusy={isBusy} />}
        </div>
      </main>
    </>
  );
}

function WaitingTime({ since }: { since: number }) {
  const { words } = usePageContext();
  const seconds = useElapsed(since);
  return <time aria-label={words.people.waitsFor(words.inBank(seconds))}>{words.inBank(seconds)}</time>;
}

/** The pending seek or challenge, with the elapsed time and a button to cancel it. */
export function WaitingCard() {
  const { words } = usePageContext();
  const showResult = useResultToast();
  const { pendingRequest } = useMatchmaking();
  const { pending, cancel } = pendingRequest;
  const seconds = useElapsed(pending?.since ?? 0);
  if (pending === null) return null;
  const { people } = words;
  const { kind, asked } = pending;
  const fill = kind === "seek" ? asked.fill : null;
  return (
    <section class="card waiting" aria-label={people.waiting}>
      <div role="status">
        <h2>{kind === "seek" ? people.lookingFor : people.waitingFor(playerName(asked.challenged, words))}</h2>
        <p class="note">{gameSettingsText(asked, words)}</p>
        {fill && <p class="note">{people.fillsAfter(fill.after_s)}</p>}
      </div>
      <time class="clock">{words.inBank(seconds)}</time>
      <button onClick={() => showResult(cancel())}>{words.cancel}</button>
    </section>
  );
}

/** The form for a seek. */
function SeekForm({ waitFor, isBusy }: { waitFor: (found: Promise<Seek>) => void; isBusy: boolean }) {
  const { words, me } = usePageContext();
  const { people } = words;
  const catalogue = useCatalogue();
  const { gameSettings, ...form } = useGameSettings(catalogue, useImposed("unrated_until"));
  const [seekSettings, change] = useTabState("azul-table-seek", SEEK_DEFAULTS);
  const { range, fills, level, after } = seekSettings;
  const createSeek = async () => {
    const body: Schemas["SeekRequest"] = {
      ...settingsRequest(gameSettings),
      seats: gameSettings.seats,
      rating_range: gameSettings.rated ? range : null,
      fill: fills ? { level, after_s: after } : null,
    };
    return unwrap(await (await me.client()).POST("/v1/seeks", { body }));
  };
  return (
    <form class="card" onSubmit={onSubmit(() => waitFor(createSeek()))}>
      <h2>{people.seekSomething}</h2>
      <NameField />
      <GameSettingsFields gameSettings={gameSettings} {...form} withSeats />
      {gameSettings.rated && (
        <SelectField
          label={people.opponents}
          value={range ?? ""}
          choose={(value) => change({ range: value === "" ? null : Number(value) })}
        >
          <option value="">{people.anybody}</option>
          {RATING_RANGES.map((points) => (
            <option key={points} value={points}>
              {people.within(points)}
            </option>
          ))}
        </SelectField>
      )}
      <Checkbox label={people.fill} checked={fills} toggle={(checked) => change({ fills: checked })} />
      {fills && (
        <>
          <LevelField name={people.level} level={level} choose={(each) => change({ level: each })} />
          <SelectField label={people.fillWhen} value={after} choose={(value) => change({ after: Number(value) })}>
            {FILL_AFTER_S.map((seconds) => (
              <option key={seconds} value={seconds}>
                {people.afterSeconds(seconds)}
              </option>
            ))}
          </SelectField>
        </>
      )}
      <Button class="primary" whyNot={(isBusy || !gameSettings.variant) && words.busy}>
        {people.seek}
      </Button>
    </form>
  );
}
