# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens pages in headless Chromium through chromedriver, and holds that a page
asks for nothing and complains of nothing."""
import base64
import html.parser
import json
import shutil
import subprocess
import time
import urllib.request

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


def is_there():
    """Says so where it is not."""
    if CHROMIUM and DRIVER:
        return True
    print("skipped: chromium and chromedriver (Debian's chromium-driver) are not installed, "
          "pages are not opened")
    return False


class Browser:
    """A session of WebDriver; use it in a `with`."""

    def __enter__(self):
        self.driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        self.session = ""
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                self.port = int(line.split("on port ")[1].split(".")[0])
                break
        self.session = "/" + self.call("", {"capabilities": {"alwaysMatch": {
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "goog:chromeOptions": {"binary": CHROMIUM, "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage", "--hide-scrollbars"]}}}})["sessionId"]
        return self

    def __exit__(self, *_):
        try:
            self.call("", method="DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def call(self, path, body=None, method="POST"):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/session{self.session}{path}", method=method,
            data=json.dumps(body or {}).encode() if method == "POST" else None,
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def devtools(self, command, **parameters):
        return self.call("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def js(self, code, *arguments):
        return self.call("/execute/sync", {"script": code, "args": arguments})

    def open(self, path, width=1600, dark=False, scripts=True, media=""):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=1000,
                      deviceScaleFactor=1, mobile=False)
        self.devtools("Emulation.setEmulatedMedia", media=media, features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            # Nothing glides: what a test clicks on stays where it is.
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.devtools("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call("/url", {"url": path.as_uri()})
        for _ in range(100):  # until everything is drawn
            if not scripts or self.js("return document.documentElement.dataset.drawn"):
                return
            time.sleep(0.05)

    def press(self, key):
        """One key, on what has the focus."""
        self.call("/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]})

    def paper(self):
        """The page as a PDF of A4."""
        return base64.b64decode(self.call("/print", {}))

    def screenshot(self):
        """The whole page: its size, and how many colours a sample of it has."""
        size = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
        data = base64.b64decode(self.devtools(
            "Page.captureScreenshot", format="png", captureBeyondViewport=True,
            clip={"x": 0, "y": 0, "width": size["width"], "height": size["height"],
                  "scale": 1})["data"])
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        return int.from_bytes(data[16:20], "big"), data

    def complaints(self):
        """What the console said, and what was asked for besides the page."""
        said = [entry["message"] for entry in self.call("/se/log", {"type": "browser"})]
        messages = [json.loads(entry["message"])["message"]
                    for entry in self.call("/se/log", {"type": "performance"})]
        asked = [m["params"]["request"]["url"] for m in messages
                 if m["method"] == "Network.requestWillBeSent"]
        return said, [url for url in asked if not url.startswith("file:")]

    def overflowing(self):
        """Elements that stick out of the window, but for those that scroll."""
        return self.js("""
            return [...document.querySelectorAll("main *, header *, footer *")].filter(e =>
              e.getBoundingClientRect().right > innerWidth + 1 &&
              !e.closest(".scroll, .picture, nav, .skip")).map(e => e.outerHTML.slice(0, 90))""")

    def contrasts(self, selectors):
        """The least contrast of text with what is behind it, of each selector."""
        return self.js("""
            const light = c => { const v = c.match(/[\\d.]+/g).map(Number).slice(0, 3).map(x => {
                x /= 255; return x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4; });
              return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
            const behind = e => { for (; e; e = e.parentElement) {
              const c = getComputedStyle(e).backgroundColor;
              if (!/, 0\\)|transparent/.test(c)) return c; } return "rgb(255,255,255)"; };
            return arguments[0].map(s => Math.min(99, ...[...document.querySelectorAll(s)].map(e => {
              const a = light(getComputedStyle(e).color), b = light(behind(e));
              return (Math.max(a, b) + .05) / (Math.min(a, b) + .05); })))""", selectors)


class Tables(html.parser.HTMLParser):
    """The tables of a page by name: lists of rows, numbers to the last digit."""

    def __init__(self, text):
        super().__init__()
        self.by_name, self.rows, self.cell = {}, None, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "table":
            self.rows = self.by_name.setdefault(attributes.get("data-csv"), [])
        elif tag == "tr" and self.rows is not None:
            self.rows.append([])
        elif tag in ("td", "th") and self.rows is not None:
            self.cell = [attributes.get("data-key", attributes.get("data-v")), ""]

    def handle_data(self, data):
        if self.cell:
            self.cell[1] += data

    def handle_endtag(self, tag):
        if tag in ("td", "th") and self.cell:
            exact, shown = self.cell
            self.rows[-1].append(shown if exact is None else exact)
            self.cell = None
        elif tag == "table":
            self.rows = None


def tables(text):
    """{name: [{key: cell}, ...]}"""
    return {name: [dict(zip(rows[0], row)) for row in rows[1:]]
            for name, rows in Tables(text).by_name.items()}
