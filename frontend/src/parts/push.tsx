/** Notifications by Web Push: the offer in a game that may take days, and the button in the account. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useEffect, useState } from "preact/hooks";
import { useClient, usePageContext } from "../shared/context";
import { useResultToast } from "../shared/fetching";
import { deviceName } from "../shared/device";
import { browserStore } from "../shared/store";

const DEVICE_KEY = "azul-table-device";
const ANSWERED_KEY = "azul-table-push-answered";
const LIVE_S = 3600;
const EVENTS: Schemas["NoticeType"][] = [
  ...(["your_turn", "game_started", "offer", "seat_lost", "game_over", "rematch"] as const),
  ...(["challenge", "challenge_answered", "rounds_changed"] as const),
];

interface Push {
  worker: ServiceWorkerRegistration;
  key: string;
}

/** Return the id under which the service knows this browser as a device, or null. */
export const ownDevice = (): string | null => browserStore.read<string>(DEVICE_KEY);

/**
 * Return a function that asks the browser for permission and subscribes it, or null if the browser or the service sends
 * no notifications, or there is no player. `isWanted`: whether to ask the service.
 */
export function usePush(isWanted = true): (() => Promise<void>) | null {
  const { words, settings, me, toast } = usePageContext();
  const { people } = words;
  const showResult = useResultToast();
  const client = useClient(me.token);
  const [push, setPush] = useState<Push | null>(null);
  useEffect(() => {
    setPush(null);
    if (!isWanted || me.token === null) return;
    if (!("PushManager" in globalThis) || Notification.permission === "denied") return;
    const prepare = async () => {
      const worker = await navigator.serviceWorker.ready;
      setPush({ worker, key: unwrap(await client.GET("/v1/push-key")).public_key });
    };
    prepare().catch(() => undefined); // the operator sends no notifications
  }, [client, isWanted]);
  if (push === null) return null;
  const { worker, key } = push;
  const subscribe = async () => {
    const options = { userVisibleOnly: true, applicationServerKey: key };
    const subscription = await worker.pushManager.subscribe(options).catch(() => null);
    if (subscription === null) return toast(people.pushRefused);
    const { endpoint = "", keys } = subscription.toJSON();
    const sent = { endpoint, keys: keys as Schemas["SubscriptionKeys"] };
    const body = { subscription: sent, events: EVENTS, language: settings.language, name: deviceName() };
    browserStore.write(DEVICE_KEY, unwrap(await client.POST("/v1/me/devices", { body })).id);
    toast(people.pushOn);
  };
  return () => showResult(subscribe());
}

/** Return whether the player waits for other people in a game, for hours or days. */
const isCorrespondence = ({ clock, seats, status }: Schemas["Game"], player: string | null): boolean =>
  ["open", "playing"].includes(status) &&
  (clock === null || clock.turn_s + clock.bank_s > LIVE_S) &&
  seats.some((seat) => seat.player === player) &&
  seats.some((seat) => seat.player !== player && (seat.kind === "player" || seat.kind === "open"));

/** Offer notifications in the first correspondence game, until the player has answered. */
export function PushOffer({ game }: { game: Schemas["Game"] }) {
  const { words, me } = usePageContext();
  const { people } = words;
  const [isAnswered, setIsAnswered] = useState(() => browserStore.read<boolean>(ANSWERED_KEY) ?? false);
  const subscribe = usePush(!isAnswered && ownDevice() === null && isCorrespondence(game, me.id));
  if (subscribe === null) return null;
  const answer = () => {
    browserStore.write(ANSWERED_KEY, true);
    setIsAnswered(true);
  };
  return (
    <p class="notice">
      {people.pushOffer}{" "}
      <button class="primary" onClick={() => subscribe().then(answer)}>
        {people.pushYes}
      </button>
      <button class="quiet" onClick={answer}>
        {people.pushNo}
      </button>
    </p>
  );
}
