/** Asking the service for something, and saying in the page what has become of it. */
import { useEffect, useState } from "preact/hooks";
import { errorText, usePageContext } from "./context";

/** Says in the page what has become of something that was asked for. */
export function useResultToast(): (ask: Promise<unknown>, done?: string) => Promise<void> {
  const { words, toast } = usePageContext();
  return (ask, done) =>
    ask.then(
      () => {
        if (done) toast(done);
      },
      (error: unknown) => toast(errorText(error, words)),
    );
}

/** What the service lists, which is looked at again after each change. */
export function useList<Item>(
  list: () => Promise<readonly Item[]>,
  dependencies: readonly unknown[],
): [items: readonly Item[], change: (asked: Promise<unknown>, done: string) => Promise<void>] {
  const showResult = useResultToast();
  const [items, setItems] = useState<readonly Item[]>([]);
  const reload = async () => setItems(await list());
  useEffect(() => {
    showResult(reload());
  }, dependencies);
  return [items, (asked, done) => showResult(asked.then(reload), done)];
}
