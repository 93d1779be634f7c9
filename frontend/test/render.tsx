/** Parts of the page in a document, and the service's answers to them. */
import { type Client, connect } from "azul-games-client";
import { type ComponentChildren, render } from "preact";
import { act } from "preact/test-utils";
import { vi } from "vitest";
import { type PageContextValue, PageContext } from "../src/shared/context";
import type { Me } from "../src/shared/me";
import { loadSettings } from "../src/shared/store";
import { type Language, WORDS } from "../src/shared/words";

/** Nobody's player. */
export const NOBODY: Me = {
  token: null,
  id: null,
  player: null,
  client: () => Promise.reject(new Error("nobody")),
  accept: () => undefined,
  update: () => undefined,
  leave: () => undefined,
};

export const around = (language: Language = "en", others: Partial<PageContextValue> = {}): PageContextValue => ({
  words: WORDS[language],
  settings: { ...loadSettings(), language },
  change: () => undefined,
  toast: () => undefined,
  onKeyRefused: () => undefined,
  me: NOBODY,
  ...others,
});

/** A part of the page, drawn with all its effects. */
export async function drawn(part: ComponentChildren, surroundings: PageContextValue = around()): Promise<HTMLElement> {
  const host = document.createElement("div");
  document.body.append(host);
  await again(host, part, surroundings);
  return host;
}

/** The same part with other properties. */
export const again = (
  host: HTMLElement,
  part: ComponentChildren,
  surroundings: PageContextValue = around(),
): Promise<void> => act(() => render(<PageContext.Provider value={surroundings}>{part}</PageContext.Provider>, host));

/** Take all parts away. */
export async function cleared(): Promise<void> {
  await act(() => [...document.body.children].forEach((host) => render(null, host)));
  document.body.replaceChildren();
}

/** What a hook returns now. */
export async function hooked<T>(
  hook: () => T,
  surroundings: PageContextValue = around(),
): Promise<{ readonly now: T }> {
  const result: { now: T } = { now: undefined as T };
  const Hooked = () => {
    result.now = hook();
    return null;
  };
  await drawn(<Hooked />, surroundings);
  return result;
}

/** Effects and answers that are due have come. */
export const settled = (): Promise<void> => act(async () => void (await new Promise((done) => setTimeout(done))));

/** The fake time has gone on. */
export const passed = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

/** A press of a button by its name. */
export async function press(host: ParentNode, name: string): Promise<void> {
  const button = [...host.querySelectorAll("button")].find(
    (each) => (each.getAttribute("aria-label") ?? each.textContent) === name,
  );
  if (!button) throw new Error(`no button ${name}`);
  await act(() => button.click());
}

export const textOf = (element: Element | null): string => element?.textContent?.replace(/\s+/g, " ").trim() ?? "";

export type Answer = (request: Request) => unknown;

/** A client of a service that answers so; what it was asked is kept in `asked`. */
export function answering(answer: Answer): { client: Client; asked: Request[] } {
  const asked: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    asked.push(request.clone());
    const body = await answer(request);
    return body instanceof Response ? body : Response.json(body);
  };
  return { client: connect({ url: "http://table.test", fetch, patience: 0 }), asked };
}

/** A refusal of the service. */
export const refusal = (status: number, code: string): Response =>
  Response.json({ status, code, title: code }, { status });
