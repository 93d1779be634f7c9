/** Notices on every page: a pending request and received challenges. */
import { playerName } from "../parts/player_link";
import { usePageContext } from "../shared/context";
import { useResultToast } from "../shared/fetching";
import { useElapsed } from "../shared/polling";
import { links } from "../shared/route";
import { useMatchmaking } from "./matchmaking";
import type { PendingRequest } from "./pending_request";

export function Notices() {
  const { words } = usePageContext();
  const { pendingRequest, challenges } = useMatchmaking();
  const { pending } = pendingRequest;
  const first = challenges[0];
  return (
    <>
      {first && (
        <p class="notice" role="status">
          <a href={links.lobby}>{words.people.challengedBy(playerName(first.challenger, words))}</a>
        </p>
      )}
      {pending && <StillWaiting pending={pending} />}
    </>
  );
}

function StillWaiting({ pending }: { pending: PendingRequest }) {
  const { words } = usePageContext();
  const showResult = useResultToast();
  const { pendingRequest } = useMatchmaking();
  const seconds = useElapsed(pending.since);
  return (
    <p class="notice">
      <a href={links.lobby}>
        {pending.kind === "seek"
          ? words.people.lookingFor
          : words.people.waitingFor(playerName(pending.asked.challenged, words))}
      </a>{" "}
      <time class="clock">{words.inBank(seconds)}</time>
      <button class="quiet" onClick={() => showResult(pendingRequest.cancel())}>
        {words.cancel}
      </button>
    </p>
  );
}
