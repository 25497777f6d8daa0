"""A headless browser, as a person's desktop or phone."""

import shutil
from contextlib import contextmanager

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

WIDTHS = {"desktop": 1280, "phone": 390}


@contextmanager
def browser(device: str):
    """Chromium or Chrome with the window of a device; `make test` sees to there being one."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    if binary := shutil.which("chromium"):
        options.binary_location = binary
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    screen = {"width": WIDTHS[device], "height": 850, "deviceScaleFactor": 1}
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {**screen, "mobile": device == "phone"}
    )
    try:
        yield driver
    finally:
        driver.quit()
