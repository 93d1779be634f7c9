/** Rendering of parts of the page, and a fake service. */
import { type Client, connect } from "@azul-games/client";
import { type ComponentChildren, render } from "preact";
import { act } from "preact/test-utils";
import { vi } from "vitest";
import { PageContext, type PageContextValue } from "../src/shared/context";
import { NOBODY } from "../src/shared/me";
import { loadSettings } from "../src/shared/store";
import { type Language, WORDS } from "../src/shared/words";

export { NOBODY };

export const pageContext = (language: Language = "en", others: Partial<PageContextValue> = {}): PageContextValue => ({
  words: WORDS[language],
  settings: { ...loadSettings(), language },
  changeSettings: () => undefined,
  toast: () => undefined,
  onKeyRefused: () => undefined,
  me: NOBODY,
  ...others,
});

/** Render a part of the page and run its effects. */
export async function renderPart(
  part: ComponentChildren,
  context: PageContextValue = pageContext(),
): Promise<HTMLElement> {
  const host = document.createElement("div");
  document.body.append(host);
  await rerender(host, part, context);
  return host;
}

/** Render the part again with other properties. */
export const rerender = (
  host: HTMLElement,
  part: ComponentChildren,
  context: PageContextValue = pageContext(),
): Promise<void> => act(() => render(<PageContext.Provider value={context}>{part}</PageContext.Provider>, host));

export async function unmountAll(): Promise<void> {
  await act(() => [...document.body.children].forEach((host) => render(null, host)));
  document.body.replaceChildren();
}

/** Render a hook. `now` is its latest result. */
export async function renderHook<T>(
  hook: () => T,
  context: PageContextValue = pageContext(),
): Promise<{ readonly now: T }> {
  const result: { now: T } = { now: undefined as T };
  const Hooked = () => {
    result.now = hook();
    return null;
  };
  await renderPart(<Hooked />, context);
  return result;
}

/** Wait for pending effects and responses. */
export const flushEffects = (): Promise<void> => act(async () => void (await new Promise((done) => setTimeout(done))));

/** Advance the fake timers. */
export const advanceTime = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

/** Press a button, found by its accessible name or text. */
export async function pressButton(host: ParentNode, name: string): Promise<void> {
  const button = [...host.querySelectorAll("button")].find(
    (each) => (each.getAttribute("aria-label") ?? each.textContent) === name,
  );
  if (!button) throw new Error(`no button ${name}`);
  await act(() => button.click());
}

export const textOf = (element: Element | null): string => element?.textContent?.replace(/\s+/g, " ").trim() ?? "";

export type Answer = (request: Request) => unknown;

/** Return a client of a fake service, and the requests that it has received. */
export function fakeService(answer: Answer): { client: Client; requests: Request[] } {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request.clone());
    const body = await answer(request);
    return body instanceof Response ? body : Response.json(body);
  };
  return { client: connect({ url: "http://table.test", fetch, patience: 0 }), requests };
}

/** Return a response with a problem document. */
export const problemResponse = (status: number, code: string): Response =>
  Response.json({ status, code, title: code }, { status });
