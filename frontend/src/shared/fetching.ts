/** Requests whose result the page shows. */
import { useEffect, useRef, useState } from "preact/hooks";
import { errorText, useCommonContext } from "./context";
import { usePolling } from "./polling";

/** Return a function that awaits a request and shows its error, or the text `done`, as a toast. */
export function useResultToast(): (request: Promise<unknown>, done?: string) => Promise<void> {
  const { words, toast } = useCommonContext();
  return (request, done) =>
    request.then(
      () => {
        if (done) toast(done);
      },
      (error: unknown) => toast(errorText(error, words)),
    );
}

/** Return a form's submit handler that runs a function instead of leaving the page. */
export const onSubmit = (run: () => unknown) => (event: Event) => {
  event.preventDefault();
  run();
};

/**
 * Return whether a form is being sent, and a function that sends it and shows its error. After a success the form
 * disappears, so `isSending` stays true.
 */
export function useSubmit(): [isSending: boolean, submit: (send: () => Promise<unknown>) => Promise<void>] {
  const { words, toast } = useCommonContext();
  const [isSending, setIsSending] = useState(false);
  const submit = async (send: () => Promise<unknown>) => {
    setIsSending(true);
    try {
      await send();
    } catch (error) {
      toast(errorText(error, words));
      setIsSending(false);
    }
  };
  return [isSending, submit];
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

export interface Loaded<T> {
  /** Null until it is loaded. */
  value: T | null;
  /** The error of the last request, or null. */
  error: unknown;
  reload: () => Promise<void>;
  /** Show the result of another request. Results of earlier requests are ignored. */
  show: (request: Promise<T>) => Promise<void>;
}

/**
 * Load a value when a dependency changes, and again every `refreshMs` milliseconds unless null. Results that arrive
 * after a later request are ignored. `isCleared`: after a change, the value is null until the new one is loaded.
 */
export function useLoaded<T>(
  load: () => Promise<T>,
  dependencies: readonly unknown[],
  { refreshMs = null, isCleared = false }: { refreshMs?: number | null; isCleared?: boolean } = {},
): Loaded<T> {
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState<unknown>(null);
  const latest = useRef<Promise<T> | null>(null);
  const show = async (request: Promise<T>) => {
    latest.current = request;
    try {
      const loaded = await request;
      if (latest.current !== request) return;
      setValue(loaded);
      setError(null);
    } catch (failure) {
      if (latest.current === request) setError(failure);
    }
  };
  const reload = () => show(load());
  useEffect(() => {
    setError(null);
    if (isCleared) setValue(null);
    if (refreshMs === null) reload();
    return () => {
      latest.current = null;
    };
  }, dependencies);
  usePolling(async () => refreshMs !== null && reload(), refreshMs, dependencies);
  return { value, error, reload, show };
}
