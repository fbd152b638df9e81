"""A page of a report in a real browser: opening it, asking what it shows, does and asks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from isolation_grader.report import Report
from isolation_grader.showing.html import text

LONGEST = 120
"""Seconds; a backstop, on a machine that does much else."""
SIZES = {"phone": (360, 740), "desk": (1280, 900)}


class Browser:
    """The browser, at a page."""

    def __init__(self, driver: webdriver.Chrome, folder: Path) -> None:
        self.driver = driver
        self._folder = folder

    def open(self, report: Report, *, size: tuple[int, int] = SIZES["desk"], **media: str) -> None:
        """Show a report; `media` are features of the screen, with `_` for `-`."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features})
        file = self._folder / "report.html"
        file.write_text(text(report), encoding="utf-8")
        self._forget_logs()
        self.driver.get(file.as_uri())
        self.wait("return document.readyState === 'complete'")

    def run(self, script: str, *arguments: object) -> Any:
        """What a script gives that runs in the page."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str, *arguments: object) -> None:
        """Until a script gives something true."""
        WebDriverWait(self.driver, LONGEST).until(lambda _: self.run(script, *arguments), script)

    def find(self, selector: str) -> WebElement:
        """The first element that a selector of CSS names."""
        return self.driver.find_element("css selector", selector)

    def text(self, selector: str) -> str:
        """What people read there."""
        return self.find(selector).text

    def requests(self) -> list[str]:
        """The addresses that were asked for since the page was opened."""
        messages = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        return [
            each["params"]["request"]["url"]
            for each in messages
            if each["method"] == "Network.requestWillBeSent"
        ]

    def console(self) -> list[str]:
        """What it complained about since the page was opened."""
        return [entry["message"] for entry in self._log("browser")]

    def _forget_logs(self) -> None:
        for name in ("performance", "browser"):
            self._log(name)

    def _log(self, name: str) -> list[dict[str, Any]]:
        return list(self.driver.get_log(name))  # type: ignore[no-untyped-call]
