"""A headless Chromium that the tests of pages look with: its DevTools protocol over two pipes, without other packages."""
import base64
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import time


def program():
    """Path of Chromium, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One tab. `messages` collects what pages write to the console, and exceptions that nothing catches."""

    def __init__(self, timeout: float = 20):
        self.timeout = timeout
        self.messages = []
        self._next = 0
        self._rest = b""
        self._replies = {}
        self._events = []
        self._profile = tempfile.TemporaryDirectory(prefix="weft_browser_")
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()

        def ends():  # the protocol is on file descriptors 3 and 4
            high = [os.dup(fd) for fd in (to_browser, from_browser)]
            high = [fd if fd > 9 else os.dup2(fd, fd + 20) for fd in high]
            os.dup2(high[0], 3, True)
            os.dup2(high[1], 4, True)

        self._process = subprocess.Popen(
            [program(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             "--no-first-run", "--disable-extensions", "--disable-background-networking", f"--user-data-dir={self._profile.name}",
             "about:blank"],
            preexec_fn=ends, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        target = self._send("Target.createTarget", {"url": "about:blank"}, session=None)["targetId"]
        self._session = self._send("Target.attachToTarget", {"targetId": target, "flatten": True}, session=None)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for fd in (self._out, self._in):
            os.close(fd)
        self._profile.cleanup()

    # ---- the protocol: messages of JSON, each followed by a zero byte

    def _read(self, deadline: float):
        while b"\0" not in self._rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._in], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self._in, 1 << 20)
            if not more:
                raise RuntimeError("the browser has ended")
            self._rest += more
        text, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(text)
        if "id" in message:
            self._replies[message["id"]] = message
            return
        method, values = message.get("method"), message.get("params", {})
        self._events.append(method)
        if method == "Runtime.consoleAPICalled":
            self.messages.append(values["type"] + ": " + " ".join(str(a.get("value", a.get("description"))) for a in values["args"]))
        elif method == "Runtime.exceptionThrown":
            detail = values["exceptionDetails"]
            self.messages.append("exception: " + detail.get("exception", {}).get("description", detail["text"]))
        elif method == "Log.entryAdded":
            self.messages.append(f"{values['entry']['level']}: {values['entry']['text']}")
        elif method == "Network.requestWillBeSent" and values["request"]["url"].split(":")[0] not in ("file", "data", "blob", "about"):
            self.messages.append("request: " + values["request"]["url"])

    def _send(self, method: str, values: dict, session):
        self._next += 1
        message = {"id": self._next, "method": method, "params": values}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self.timeout
        while self._next not in self._replies:
            self._read(deadline)
        reply = self._replies.pop(self._next)
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']['message']}")
        return reply.get("result", {})

    def send(self, method: str, **values):
        return self._send(method, values, self._session)

    # ---- what tests do

    def look(self, width: int, height: int = 1000, dark: bool = False):
        """Size of the window and the colours that its user prefers."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", media="screen",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path, wait_for: str = "document.readyState === 'complete'"):
        """Opens a file and waits until an expression is true there."""
        self.messages.clear()
        # A page of the same address with another fragment would not be loaded again.
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url="file://" + os.path.abspath(path))
        deadline = time.monotonic() + self.timeout
        while not self.value(f"document.URL !== 'about:blank' && ({wait_for})"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{path}: never {wait_for}: {'; '.join(self.messages)}")
            time.sleep(0.02)

    def value(self, expression: str):
        """What an expression is on the page."""
        reply = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in reply:
            detail = reply["exceptionDetails"]
            raise RuntimeError(f"{expression}: {detail.get('exception', {}).get('description', detail['text'])}")
        return reply["result"].get("value")

    def point_at(self, x: float, y: float):
        """Moves the pointer, in two steps as a hand does."""
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x - 3, y=y - 3)
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

    def press(self, key: str):
        """Presses a key and lets it go."""
        code = "Space" if key == " " else key
        text = {"Enter": "\r", " ": " "}.get(key)
        values = {"key": key, "code": code, "windowsVirtualKeyCode": self.KEYS[key]}
        self.send("Input.dispatchKeyEvent", type="keyDown", **values, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **values)

    def pages_on_paper(self) -> int:
        """Number of pages of A4 that the page takes."""
        self.send("Emulation.setEmulatedMedia", media="", features=[])
        reply = self.send("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)
        return len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(reply["data"])))

    def picture(self, path, whole: bool = True):
        """Writes a PNG of the page."""
        reply = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **self._clip(whole))
        with open(path, "wb") as f:
            f.write(base64.b64decode(reply["data"]))

    def _clip(self, whole: bool):
        if not whole:
            return {}
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        return {"clip": {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000), "scale": 1}}
