"""What keeps a page from those who use a keyboard or a screen reader, after WCAG 2.2, level AA."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

TABS = 40  # of a page, that are pressed
OPENED = "[...document.querySelectorAll('details')].slice(0, 9).forEach((one) => one.open = true);"
COLOURS = """
const channels = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
const light = (colour) => channels(colour).slice(0, 3)
  .map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
const behind = (element) => {
  for (let one = element; one; one = one.parentElement) {
    const colour = getComputedStyle(one).backgroundColor;
    if (channels(colour)[3] !== 0) return colour;
  }
  return "rgb(255, 255, 255)";
};
const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
"""
LOOKED_AT = """
const found = [], told = (what, element) => found.push(
  what + ": " + (element ? element.outerHTML.slice(0, 120) : ""));
const all = (selector) => [...document.querySelectorAll(selector)];
const seen = (element) => element.checkVisibility({checkVisibilityCSS: true});
const nameOf = (element) => (element.getAttribute("aria-label") || element.textContent
  || [...element.querySelectorAll("img")].map((image) => image.alt).join("")).trim();

if (!document.documentElement.lang) told("no language");
if (!document.title.trim()) told("no title");
if (all("h1").length !== 1) told(all("h1").length + " first headings");
if (all("main").length !== 1) told(all("main").length + " main parts");
let level = 0;
for (const head of all("h1, h2, h3, h4, h5, h6")) {
  const own = Number(head.tagName[1]);
  if (own > level + 1) told("heading of level " + own + " after " + level, head);
  level = own;
}
const ids = all("[id]").map((one) => one.id);
ids.filter((id, k) => ids.indexOf(id) !== k).forEach((id) => told("twice the id " + id));

const skip = document.querySelector("a[href]");
if (!skip || !document.querySelector("main" + skip.getAttribute("href")))
  told("the first link does not lead to the content", skip);
all("nav").filter((one) => !nameOf(one) || !one.hasAttribute("aria-label"))
  .forEach((one) => told("menu without a name", one));
all("[tabindex]").filter((one) => one.tabIndex > 0).forEach((one) => told("own tab order", one));
all("a[href], button, summary").filter((one) => one.tabIndex < 0 || (seen(one) && !nameOf(one)))
  .forEach((one) => told("without a name, or out of reach of the keyboard", one));
all("input, select, textarea").filter((one) => !one.labels.length && !one.ariaLabel)
  .forEach((one) => told("control without a label", one));
all("form").filter((one) => !one.ariaLabel).forEach((one) => told("form without a name", one));
all("[title]").forEach((one) => told("a title, which no keyboard shows", one));
all("img:not([alt]), img[alt='']").forEach((one) => told("picture without words", one));
all("svg:not([aria-hidden])").filter((one) => one.getAttribute("role") !== "img" || !one.ariaLabel)
  .forEach((one) => told("drawing without words", one));
all("th:not([scope])").forEach((one) => told("head of a table without a scope", one));
all("th[scope]").filter((one) => !one.textContent.trim())
  .forEach((one) => told("empty head of a table", one));
all("[data-sort]").filter((one) => !one.matches("button") || !one.closest("th[aria-sort]"))
  .forEach((one) => told("sorts, and is no button in a head that says so", one));
all("form output").filter((one) => one.ariaLive !== "polite")
  .forEach((one) => told("a count that is not announced", one));
all("body *").filter((one) => one.scrollWidth > one.clientWidth + 1 && seen(one)
  && /auto|scroll/.test(getComputedStyle(one).overflowX))
  .filter((one) => one.tabIndex < 0 || !one.ariaLabel || !one.getAttribute("role"))
  .forEach((one) => told("scrolls, but not by the keyboard, or has no name", one));

// Contrast of text with what is behind it: 4.5, or 3 for large text.
const pale = new Set();
for (const one of all("body *:not(svg *)")) {
  if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
  if (!seen(one)) continue;
  const style = getComputedStyle(one), size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const there = ratio(light(style.color), light(behind(one)));
  const key = style.color + " on " + behind(one);
  if (there < (large ? 3 : 4.5) && !pale.has(key)) {
    pale.add(key);
    told("contrast " + there.toFixed(2) + ", " + key, one);
  }
}
return found;
"""
FOCUSABLE = """
return [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
  .filter((one) => one.checkVisibility({checkVisibilityCSS: true}) && !one.disabled)
"""
OUTLINE = """
const one = document.activeElement, style = getComputedStyle(one);
const there = ratio(light(style.outlineColor), light(behind(one.parentElement)));
const drawn = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 && there >= 3;
const seen = drawn || style.outlineStyle === "auto";  // the browser's own, which is seen everywhere
return [one === arguments[0], seen, one.outerHTML];
"""


def barriers(driver):
    """What is found on the page that the driver has open, a line each; none where all is well.

    The first parts that can be opened are.
    """
    return driver.execute_script(OPENED + COLOURS + LOOKED_AT)


def lost_by_keyboard(driver, tabs=TABS):
    """Pressing Tab from the top: what comes out of the order of the page, or cannot be seen."""
    driver.execute_script("document.activeElement.blur(); scrollTo(0, 0);")
    expected, faults = driver.execute_script(FOCUSABLE)[:tabs], []
    for element in expected:
        ActionChains(driver).send_keys(Keys.TAB).perform()
        reached, seen, text = driver.execute_script(COLOURS + OUTLINE, element)
        if not reached:
            return [*faults, f"not reached: {element.get_attribute('outerHTML')[:120]}"]
        if not seen:
            faults.append(f"focus without an outline: {text[:120]}")
    return faults
