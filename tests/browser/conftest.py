"""A real browser, Debian's chromium: where it is missing, these tests fail and say what to install."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import LONGEST, SIZES, Browser
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

# As root chromium starts without its own sandbox only; containers have little shared memory.
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Chrome]:
    """One browser for all tests."""
    browser, server = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or server is None:
        pytest.fail("chromium and chromedriver are needed (hint: apt-get install chromium chromium-driver)")
    options = Options()
    options.binary_location = browser
    for each in ARGUMENTS:
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(server))
    try:
        driver.set_page_load_timeout(LONGEST)
        driver.set_script_timeout(LONGEST)
        yield driver
    finally:
        driver.quit()


@pytest.fixture
def browser(driver: webdriver.Chrome, tmp_path: Path) -> Browser:
    """The browser, with a folder for its page."""
    return Browser(driver, tmp_path)


@pytest.fixture(params=list(SIZES.values()), ids=list(SIZES))
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    """The width and height of a phone's screen, then of a desk's."""
    pair: tuple[int, int] = request.param
    return pair
