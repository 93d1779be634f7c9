/** What the player should know on whichever page they are: that they wait, and that somebody asks them for a game. */
import { told, useAround } from "./context";
import { playerName } from "./people";
import { useElapsed } from "./polling";
import { to } from "./route";

export function Notices() {
  const { words, waiting, challenges } = useAround();
  const { waited } = waiting;
  const first = challenges[0];
  return (
    <>
      {first && (
        <p class="notice" role="status">
          <a href={to.lobby}>{words.people.challengedBy(playerName(first.challenger, words))}</a>
        </p>
      )}
      {waited && <StillWaiting since={waited.since} />}
    </>
  );
}

function StillWaiting({ since }: { since: number }) {
  const { words, waiting, toast } = useAround();
  const seconds = useElapsed(since);
  return (
    <p class="notice">
      <a href={to.lobby}>{words.people.waiting}</a> <time class="clock">{words.inBank(seconds)}</time>
      <button class="quiet" onClick={() => waiting.cancel().catch((error: unknown) => toast(told(error, words)))}>
        {words.cancel}
      </button>
    </p>
  );
}
