/** The announcement and the maintenance above a page. */
import { afterEach, expect, test, vi } from "vitest";
import { ServiceNotice } from "../src/parts/service_notice";
import { advanceTime, flushEffects, pageContext, pressButton, renderPart, textOf, unmountAll } from "./render";

afterEach(async () => {
  vi.useRealTimers();
  await unmountAll();
  localStorage.clear();
});

const NEWS = { en: "A new ruleset!", de: "Ein neues Spiel!", until: null };

async function show(service: object, language: "en" | "de" = "en", isFloating = false): Promise<HTMLElement> {
  vi.stubGlobal("fetch", async () => Response.json({ announcement: null, maintenance: null, ...service }));
  const host = await renderPart(<ServiceNotice isFloating={isFloating} />, pageContext(language));
  if (!isFloating) await flushEffects();
  return host;
}

test("an announcement is shown in the language of the page until it is closed", async () => {
  expect(textOf(await show({}))).toBe("");
  expect(textOf(await show({ announcement: NEWS }, "de"))).toBe("Ein neues Spiel!");
  expect(textOf(await show({ announcement: { ...NEWS, de: null } }, "de"))).toBe("A new ruleset!");
  const host = await show({ announcement: NEWS });
  await pressButton(host, "Close");
  expect(textOf(host)).toBe("");
  expect(textOf(await show({ announcement: NEWS }))).toBe("");
  expect(textOf(await show({ announcement: { ...NEWS, en: "Another one." } }))).toBe("Another one.");
});

test("maintenance cannot be closed and says until when", async () => {
  const maintenance = { reason: "An upgrade.", until: "2026-01-01T12:00:00Z" };
  const host = await show({ maintenance });
  expect(textOf(host)).toMatch(/^Maintenance: .* An upgrade\. Until Jan 1, 2026/);
  expect(host.querySelector("button")).toBeNull();
});

test("on other pages it comes after the page and can be closed", async () => {
  vi.useFakeTimers();
  const host = await show({ maintenance: { reason: null, until: null } }, "en", true);
  expect(textOf(host)).toBe("");
  await advanceTime(3000);
  expect(textOf(host)).toMatch(/^Maintenance: /);
  await pressButton(host, "Close");
  expect(textOf(host)).toBe("");
});
