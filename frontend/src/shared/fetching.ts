/** Requests whose result the page shows. */
import { useEffect, useState } from "preact/hooks";
import { errorText, usePageContext } from "./context";

/** Return a function that awaits a request and shows its error, or the text `done`, as a toast. */
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

/** Return a list from the service, and a function that reloads it after a change. */
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
