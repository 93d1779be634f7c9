/** Asking the service for something, and saying in the page what has become of it. */
import { useEffect, useState } from "preact/hooks";
import { told, useAround } from "./context";

/** Says in the page what has become of something that was asked for. */
export function useAsking(): (ask: Promise<unknown>, done?: string) => Promise<void> {
  const { words, toast } = useAround();
  return (ask, done) =>
    ask.then(
      () => {
        if (done) toast(done);
      },
      (error: unknown) => toast(told(error, words)),
    );
}

/** What the service lists, which is looked at again after each change. */
export function useListed<Item>(
  list: () => Promise<readonly Item[]>,
  hangsOn: readonly unknown[],
): [items: readonly Item[], change: (asked: Promise<unknown>, done: string) => Promise<void>] {
  const asking = useAsking();
  const [items, setItems] = useState<readonly Item[]>([]);
  const look = async () => setItems(await list());
  useEffect(() => {
    asking(look());
  }, hangsOn);
  return [items, (asked, done) => asking(asked.then(look), done)];
}
