/** Challenges: received ones, and the form for a new one. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Button } from "../parts/design/button";
import { useCatalogue } from "../parts/catalogue";
import { GameSettingsFields, gameSettingsText, settingsRequest, useGameSettings } from "../parts/game_settings";
import { PlayerLink, playerName } from "../parts/player_link";
import { useImposed } from "../parts/standing";
import { errorText, usePageContext } from "../shared/context";
import { onSubmit, useSubmit } from "../shared/fetching";
import type { Me, Player } from "../shared/me";
import { usePlayerStream } from "../shared/player_stream";
import { usePolling } from "../shared/polling";
import { links } from "../shared/route";
import { useMatchmaking } from "./matchmaking";

type Challenge = Schemas["Challenge"];

/** Pause between polls while there is no stream. */
const PAUSE_MS = 5000;

const idsOf = (challenges: readonly Challenge[]): string => challenges.map(({ id }) => id).join();

/**
 * Return the challenges that need the player's answer. The player's stream reports changes at once; without it the page
 * polls. `hidden`: the stream does not show others that the player is online.
 */
export function useChallenges(me: Me, hidden: boolean): readonly Challenge[] {
  const [found, setFound] = useState<readonly Challenge[]>([]);
  const isStreaming = usePlayerStream(me, hidden, ({ kind }) => {
    if (kind === "challenge") reload();
    else if (kind === "standing") me.reload();
  });
  const reload = usePolling(
    async (signal) => {
      const fetchReceived = async () => unwrap(await (await me.client()).GET("/v1/me/challenges", { signal })).received;
      const received = me.token === null ? [] : await fetchReceived();
      setFound((before) => (idsOf(before) === idsOf(received) ? before : received)); // keep the array to avoid a render
    },
    isStreaming ? null : PAUSE_MS,
    [me.token, isStreaming],
  );
  return found;
}

/** The received challenges, with buttons to answer them. */
export function Challenges() {
  const { words, me, toast } = usePageContext();
  const { challenges } = useMatchmaking();
  const { people } = words;
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const answer = async ({ id, mixed }: Challenge, accept: boolean) => {
    setAnswered((before) => [...before, id]);
    const params = { path: { challenge_id: id } };
    try {
      const client = await me.client();
      if (accept) {
        const { game_id } = unwrap(
          await client.POST("/v1/challenges/{challenge_id}/accept", { params, body: mixed ? { mixed } : {} }),
        );
        if (game_id !== null) location.hash = links.game(game_id);
      } else unwrap(await client.POST("/v1/challenges/{challenge_id}/decline", { params, body: {} }));
    } catch (error) {
      setAnswered((before) => before.filter((each) => each !== id));
      toast(errorText(error, words));
    }
  };
  const unanswered = challenges.filter(({ id }) => !answered.includes(id));
  if (unanswered.length === 0) return null;
  return (
    <section class="card offered">
      <h2>{people.challengesToYou}</h2>
      <ul class="rows">
        {unanswered.map((challenge) => {
          const name = playerName(challenge.challenger, words);
          return (
            <li key={challenge.id}>
              <div>
                <PlayerLink player={challenge.challenger} />
                <p class="note">{gameSettingsText(challenge, words)}</p>
              </div>
              <div class="tools">
                <button
                  class="primary"
                  aria-label={`${people.accept}: ${name}`}
                  onClick={() => answer(challenge, true)}
                >
                  {people.accept}
                </button>
                <button aria-label={`${words.decline}: ${name}`} onClick={() => answer(challenge, false)}>
                  {words.decline}
                </button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The form for a challenge. After sending it, the page waits for an answer. */
export function ChallengeForm({ player, close }: { player: Player; close: () => void }) {
  const { words, me } = usePageContext();
  const { pendingRequest } = useMatchmaking();
  const { people } = words;
  const { gameSettings, ...form } = useGameSettings(useCatalogue(), useImposed("unrated_until"));
  const [isSending, submit] = useSubmit();
  const send = async () => {
    const client = await me.client();
    const params = { path: { player: player.id } };
    const body = { ...settingsRequest(gameSettings), mixed: gameSettings.rated && player.bot };
    const challenge = unwrap(await client.POST("/v1/players/{player}/challenges", { params, body }));
    close();
    pendingRequest.follow({ kind: "challenge", asked: challenge });
  };
  return (
    <form class="card" onSubmit={onSubmit(() => submit(send))} aria-label={people.challenge}>
      <h2>{people.challengeOf(playerName(player, words))}</h2>
      <GameSettingsFields gameSettings={gameSettings} {...form} withSeats={false} />
      <div class="tools">
        <Button class="primary" whyNot={(isSending || !gameSettings.variant) && words.busy}>
          {people.sendChallenge}
        </Button>
        <button type="button" onClick={close}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
}
