"""A visit to a page of a site: what a reader clicks, and what has to be seen then."""

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

SHOWN = "[...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility())"
WIDER = "return document.documentElement.scrollWidth - window.innerWidth"


class Visit:
    """The page at ``url`` in a browser."""

    def __init__(self, driver, url):
        self.driver, self.url = driver, url
        driver.get(url)

    def all(self, selector):
        """Elements that are displayed."""
        return self.driver.execute_script(f"return {SHOWN}", selector)

    def data(self, selector, *names):
        """Data attributes of the elements that are displayed."""
        rows = self.driver.execute_script(
            f"return {SHOWN}.map((one) => arguments[1].map((name) => one.dataset[name]))",
            selector,
            names,
        )
        return [tuple(values) for values in rows]

    def text(self, selector):
        """The text of the first such element that is displayed."""
        return self.all(selector)[0].text

    def choose(self, form, name, value):
        """Choose an option of a form's list by its value."""
        control = self.driver.find_element(By.CSS_SELECTOR, f"{form} [name={name}]")
        Select(control).select_by_value(value)

    def options(self, form, name, state=""):
        """The options of a form's list, which are displayed only while it is open."""
        selector = f"{form} [name={name}] option{state}"
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def write(self, form, **texts):
        """Write texts into the fields of a form, by their names."""
        for name, text in texts.items():
            control = self.driver.find_element(By.CSS_SELECTOR, f"{form} [name={name}]")
            control.clear()
            control.send_keys(text)

    def press(self, key):
        """Press a key, by its name."""
        self.driver.switch_to.active_element.send_keys(getattr(Keys, key.upper()))

    def overflow(self):
        """Pixels by which the page is wider than the window."""
        return self.driver.execute_script(WIDER)

    def complaints(self):
        """What the browser's console holds."""
        return self.driver.get_log("browser")
