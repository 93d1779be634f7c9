"""Components on their page and on the start page: sizes of targets, contrast of texts, and the typeface."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.design import components
from tests.browser.player import Sit

MIN_TARGET_PX, MIN_BUTTON_PX = 24, 40
MAX_WIDTH_CHANGE = 0.03
"""Between the typeface and its fallback."""
THEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
PHONE = (320, 568)
MEASURE = """
({ target, button }) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  // The colour in sRGB, with all notations of CSS. Alpha is 0 to 1.
  const read = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return { rgb: [red, green, blue], alpha: alpha / 255 };
  };
  const over = (top, alpha, below) => top.map((value, at) => alpha * value + (1 - alpha) * below[at]);
  const backgroundOf = (element) => {
    if (!element) return [255, 255, 255];
    const { rgb, alpha } = read(getComputedStyle(element).backgroundColor);
    return alpha === 1 ? rgb : over(rgb, alpha, backgroundOf(element.parentElement));
  };
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const nameOf = (element) => `${element.localName}.${element.className}: ${element.textContent.trim().slice(0, 30)}`;
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const texts = [...document.querySelectorAll("body *")].filter(
    (element) =>
      hasText(element) && isShown(element) && !element.closest("[aria-disabled], option, svg, script, style"));
  const faint = texts.flatMap((element) => {
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const behind = backgroundOf(element);
    const { rgb, alpha } = read(color);
    const isLarge = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
    const found = contrast(over(rgb, alpha, behind), behind);
    return found < (isLarge ? 3 : 4.5) ? [`${nameOf(element)} (${found.toFixed(2)})`] : [];
  });
  const targets = [...document.querySelectorAll("a, button, select, input, textarea, summary, .tabs label")].filter(
    (element) => isShown(element) && !(element.localName === "a" && getComputedStyle(element).display === "inline"));
  const sizeOf = (element) => element.getBoundingClientRect();
  const small = (elements, least) => elements
    .filter((element) => Math.min(sizeOf(element).width, sizeOf(element).height) < least - 0.01)
    .map((element) => `${nameOf(element)} (${Math.round(sizeOf(element).height)} px)`);
  return {
    texts: texts.length,
    faint,
    smallTargets: small(targets, target),
    smallButtons: small(targets.filter((element) => element.matches("button, .button")), button),
    otherFonts: texts.filter((element) => !/^("?Figtree"?|ui-monospace)/.test(getComputedStyle(element).fontFamily))
      .map(nameOf),
    sideways: document.documentElement.scrollWidth - innerWidth,
  };
}
"""
STYLES = """
(button) => {
  const { backgroundColor, color, borderRadius, fontFamily, fontWeight, minHeight } = getComputedStyle(button);
  return { backgroundColor, color, borderRadius, fontFamily, fontWeight, minHeight };
}
"""
LINE = """
(family) => {
  const line = document.createElement("span");
  line.style.cssText = `font: 400 32px/normal ${family}; white-space: nowrap; position: absolute`;
  line.textContent = "Take all tiles of one colour and fill a line before Zoë does.";
  document.body.append(line);
  const { width, height } = line.getBoundingClientRect();
  line.remove();
  return { width, height };
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the page of components."""
    target = tmp_path_factory.mktemp("components")
    components.build(target)
    return target


def check(page: Page, least_texts: int) -> None:
    """Assert that texts can be read and targets hit."""
    measured: dict[str, Any] = page.evaluate(MEASURE, {"target": MIN_TARGET_PX, "button": MIN_BUTTON_PX})
    assert least_texts < measured.pop("texts")
    assert {"faint": [], "smallTargets": [], "smallButtons": [], "otherFonts": [], "sideways": 0} == measured


@pytest.mark.parametrize("width", [320, 1440])
def test_components_can_be_read_and_hit(browser: Browser, folder: Path, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    components.show(page, folder)
    for summary in page.locator("summary").all():
        summary.click()
        assert "none" == summary.evaluate("summary => getComputedStyle(summary).listStyleType")
    check(page, 100)
    menus = page.locator(".bar > button")
    expect(menus).to_have_count(4)
    for menu in menus.all():
        menu.click()
        check(page, 100)
        page.keyboard.press("Escape")
    page.locator("button.danger").first.click()
    expect(page.get_by_role("alertdialog")).to_be_visible()
    check(page, 100)
    page.keyboard.press("Escape")
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    page.close()


def test_the_start_page_is_made_of_these_components(browser: Browser, folder: Path, sit: Sit) -> None:
    page = browser.new_page()
    components.show(page, folder)
    player = sit(*PHONE)
    for theme in THEMES:
        player.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        player.page.goto(f"{player.url}/play")
        player.page.locator("button.primary:not([aria-disabled])").first.wait_for()
        check(player.page, 20)
        shown = page.locator(f"[data-theme={theme}] .tools button.primary:not(.large)").first.evaluate(STYLES)
        assert shown == player.page.locator(".choices button.primary").first.evaluate(STYLES)
    page.close()


def test_the_fallback_has_the_metrics_of_the_typeface(browser: Browser, folder: Path) -> None:
    page = browser.new_page()
    components.show(page, folder)
    real, fallback, other = (page.evaluate(LINE, name) for name in ("Figtree", "'Figtree fallback'", "monospace"))
    assert real["height"] == fallback["height"]
    assert abs(fallback["width"] / real["width"] - 1) < MAX_WIDTH_CHANGE < abs(other["width"] / real["width"] - 1)
    page.close()
