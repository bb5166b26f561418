"""browser_keys.py BROWSER [OPTION ...]: starts a headless Chromium and does what the lines of its input say:

    open URL         shows a page in place of the one before, of which nothing is left: no cache, no cookie
    press KEY ...    Tab, Shift+Tab, Enter, Space or Escape, one after the other
    hold KEY         one of them, which is not released
    release KEY      and now it is
    type TEXT        into what has the focus
    until SCRIPT     waits until the script's value is true
    eval SCRIPT      prints the script's value: a text as it is, anything else as JSON
    compare A B      prints by how many pixels two pictures differ, by more than a shade each, since a browser does not draw the edges of
                     letters alike each time
    close            ends the browser, as the end of the input does
    picture FILE     writes what a window of 700 by 700 shows as PNG, when it is loaded, each frame has an address and is loaded,
                     frames fetch nothing any more, fonts are there, and two pictures are alike

It speaks the DevTools protocol through the pipe that the browser takes as its descriptors 3 and 4. What the page writes to its
console as an error goes to the standard error. Status 1 where the browser refuses something or ends; what is waited for in vain
is waited for until the time limit of the whole test."""

import base64
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

KEYS = {"Tab": (9, None), "Enter": (13, "\r"), "Space": (32, " "), "Escape": (27, None)}
NAMES = {"Space": " "}


DIFFER = """(async () => {
    const [a, b] = await Promise.all(%s.map(async (source) => {
        const image = new Image();
        image.src = 'data:image/png;base64,' + source;
        await image.decode();
        const drawn = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height}).getContext('2d');
        drawn.drawImage(image, 0, 0);
        return drawn.getImageData(0, 0, image.width, image.height);
    }));
    if (a.width !== b.width || a.height !== b.height)
        return 'other sizes';
    let n = 0;
    for (let i = 0; i < a.data.length; i += 4)
        n += [0, 1, 2].some(k => Math.abs(a.data[i + k] - b.data[i + k]) > 8);
    return n;
})()"""


class Browser:
    def __init__(self, program, folder, options):
        # nothing of ours lies on the browser's 3 and 4, so that the two ends may be put there; bash also duplicates
        # descriptors above 9, which dash refuses, and which the ends are where a make with jobs has descriptors open
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "bash", program, "--headless", "--no-sandbox",
             "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--window-size=1000,700",
             # all frames are frames of one process, so that the page's session hears of them
             "--disable-site-isolation-trials", "--disable-features=IsolateOrigins,site-per-process,IsolateSandboxedIframes",
             f"--user-data-dir={folder}", "--remote-debugging-pipe", *options, "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.answers, self.questions = os.fdopen(ours_in, "rb"), os.fdopen(ours_out, "wb")
        self.rest, self.number, self.session = b"", 0, None
        self.context = None
        self.loading, self.idle = set(), set()  # frames that load, and loads behind which nothing is fetched any more

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.answers.fileno(), 65536)
            if not more:
                raise SystemExit("the browser has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def hear(self, method, params):
        if method == "Page.frameStartedLoading":
            self.loading.add(params["frameId"])
        elif method in ("Page.frameStoppedLoading", "Page.frameDetached"):
            self.loading.discard(params["frameId"])
        elif method == "Page.lifecycleEvent" and params["name"] == "networkIdle":
            self.idle.add(params["loaderId"])
        elif method == "Runtime.exceptionThrown" or method == "Log.entryAdded" and params["entry"]["level"] == "error":
            print("console:", json.dumps(params), file=sys.stderr)

    def ask(self, method, **params):
        self.number += 1
        question = {"id": self.number, "method": method, "params": params}
        if self.session:
            question["sessionId"] = self.session
        self.questions.write(json.dumps(question).encode() + b"\0")
        self.questions.flush()
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise SystemExit(f"{method}: {message['error']['message']}")
                return message["result"]
            if message.get("sessionId") == self.session:
                self.hear(message.get("method"), message.get("params"))

    def open(self, url):
        self.session = None
        if self.context:
            self.ask("Target.disposeBrowserContext", browserContextId=self.context)
        self.loading, self.idle = set(), set()
        self.context = self.ask("Target.createBrowserContext")["browserContextId"]
        target = self.ask("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for method in ("Runtime.enable", "Log.enable", "Page.enable"):
            self.ask(method)
        self.ask("Page.setLifecycleEventsEnabled", enabled=True)
        self.ask("Emulation.setFocusEmulationEnabled", enabled=True)
        self.ask("Page.navigate", url=url)

    def value(self, script):
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{script}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def key(self, name, down):
        shift, name = name.startswith("Shift+"), name.removeprefix("Shift+")
        code, text = KEYS[name]
        event = {"key": NAMES.get(name, name), "code": name, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        if down and text:
            event["text"] = text
        self.ask("Input.dispatchKeyEvent", type="keyUp" if not down else "keyDown" if text else "rawKeyDown", **event)

    def until(self, script):
        while not self.value(f"Boolean({script})"):
            time.sleep(0.05)

    def is_settled(self, tree):
        return all((child["frame"]["url"] == "about:blank" or child["frame"]["loaderId"] in self.idle) and self.is_settled(child)
                   for child in tree.get("childFrames", ()))

    def wait_for_fonts(self, tree):
        """A page without its fonts counts as loaded: they are fetched when its text is laid out, and text shows in another font meanwhile."""
        world = self.ask("Page.createIsolatedWorld", frameId=tree["frame"]["id"])["executionContextId"]
        self.ask("Runtime.evaluate", contextId=world, awaitPromise=True,
                 expression="document.documentElement.getBoundingClientRect(), document.fonts.ready.then(() => true)")
        for child in tree.get("childFrames", ()):
            self.wait_for_fonts(child)

    def picture(self):
        self.ask("Emulation.setDeviceMetricsOverride", width=700, height=700, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setScrollbarsHidden", hidden=True)
        self.until("location.href !== 'about:blank' && document.readyState === 'complete' && "
                   "[...document.querySelectorAll('iframe')].every(f => f.src)")
        while not self.is_settled(self.ask("Page.getFrameTree")["frameTree"]) or self.loading:
            time.sleep(0.05)
        self.wait_for_fonts(self.ask("Page.getFrameTree")["frameTree"])
        before = None
        while (now := self.ask("Page.captureScreenshot")["data"]) != before:
            before = now
            time.sleep(0.1)
        return base64.b64decode(now)

    def compare(self, files):
        self.open("about:blank")
        return self.value(DIFFER % json.dumps([base64.b64encode(open(file, "rb").read()).decode() for file in files]))


def main(program, *options):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(program, folder, options)
        try:
            for line in sys.stdin:
                verb, _, rest = line.strip().partition(" ")
                if verb == "open":
                    browser.open(rest)
                elif verb == "press":
                    for name in rest.split():
                        browser.key(name, True)
                        browser.key(name, False)
                elif verb in ("hold", "release"):
                    browser.key(rest, verb == "hold")
                elif verb == "type":
                    browser.ask("Input.insertText", text=rest)
                elif verb == "picture":
                    with open(rest, "wb") as file:
                        file.write(browser.picture())
                elif verb == "compare":
                    print(browser.compare(rest.split()), flush=True)
                elif verb == "close":
                    break
                elif verb == "until":
                    browser.until(rest)
                elif verb == "eval":
                    value = browser.value(rest)
                    print(value if isinstance(value, str) else json.dumps(value), flush=True)
                else:
                    raise SystemExit(f"no verb {verb!r}")
        finally:
            browser.process.kill()
            browser.process.wait()


main(*sys.argv[1:])
