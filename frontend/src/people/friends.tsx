/** The players whom the reader follows, with their presence and a button to challenge them. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Button } from "../parts/design/button";
import { PlayerLink, playerName } from "../parts/player_link";
import { usePageContext } from "../shared/context";
import type { Player } from "../shared/me";
import { usePolling } from "../shared/polling";
import { ChallengeForm } from "./challenges";
import { useMatchmaking } from "./matchmaking";

const PAUSE_MS = 15_000;

/** Poll the followed players, those who are online first. */
function useFriends(): readonly Schemas["Followed"][] {
  const { me } = usePageContext();
  const [friends, setFriends] = useState<readonly Schemas["Followed"][]>([]);
  const fetchFriends = async (signal: AbortSignal) => {
    if (me.token === null) return setFriends([]);
    const { following } = unwrap(await (await me.client()).GET("/v1/me/following", { signal }));
    setFriends(following.sort((one, other) => Number(other.online) - Number(one.online)));
  };
  usePolling(fetchFriends, PAUSE_MS, [me.token]);
  return friends;
}

export function Friends() {
  const { words } = usePageContext();
  const { pendingRequest } = useMatchmaking();
  const friends = useFriends();
  const [challenged, setChallenged] = useState<Player | null>(null);
  const { people } = words;
  if (challenged) return <ChallengeForm player={challenged} close={() => setChallenged(null)} />;
  if (friends.length === 0) return null;
  return (
    <section class="card">
      <h2>{people.friends}</h2>
      <ul class="rows" aria-label={people.friends}>
        {friends.map(({ player, online }) => (
          <li key={player.id}>
            <div>
              <PlayerLink player={player} />
              {online && <p class="note">{words.presence.here}</p>}
            </div>
            {online && <span class="here" aria-hidden="true" />}
            <Button
              whyNot={pendingRequest.pending !== null && people.onlyOneRequest}
              aria-label={`${people.challenge}: ${playerName(player, words)}`}
              onClick={() => setChallenged(player)}
            >
              {people.challenge}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
