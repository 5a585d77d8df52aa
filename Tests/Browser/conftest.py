"""What the tests share: a server with a database of its own, people in a browser, and the texts that they read.

No sleeps: the server says on standard output when it listens, and Playwright waits for what is expected. Every page that a person
sees is watched: an error in the console, an exception or something that the content security policy blocks fails the test.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery staple"
expect.set_options(timeout=15_000)


def pytest_addoption(parser):
    parser.addoption("--program", required=True, help="the docket executable")
    parser.addoption("--image", help="a folder that holds all that the container's image does; the program runs with it as its root")
    parser.addoption("--mend", action="store_true", help="write the README's table of options anew")
    parser.addoption("--pictures", help="the folder for pictures of all pages")


class Server:
    """The program, serving at a port that the system chose."""

    def __init__(self, request, folder):
        self.program = request.config.getoption("--program")
        self.image = request.config.getoption("--image")
        self.folder = folder
        self.database = folder / "docket.sqlite3"
        self.process = None
        self.url = None
        if self.image:
            # The user of the image is not root, and the data is the one thing it may write.
            self.data = pathlib.Path(self.image, "data")
            for old in self.data.iterdir():
                old.unlink()
            os.chown(self.data, 10001, 10001)
            self.database = self.data / "docket.sqlite3"

    def command(self, *arguments):
        if self.image:
            # An engine gives a container its /proc, which Swift's runtime looks at; here a mount of this process's own does.
            script = 'mount --bind /proc "$1/proc" && exec chroot --userspec=10001:10001 "$1" /usr/bin/docket "${@:2}"'
            return ["unshare", "--mount", "bash", "-c", script, "bash", self.image, *arguments]
        return [self.program, *arguments]

    @property
    def environment(self):
        own = {name: value for name, value in os.environ.items() if not name.startswith("DOCKET_")}
        own["DOCKET_DATABASE"] = "/data/docket.sqlite3" if self.image else str(self.database)
        own["DOCKET_RESOURCES"] = "/usr/share/docket" if self.image else str(ROOT)
        if self.image:
            own["TMPDIR"] = "/data"
        return own

    def start(self, *options):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                self.command("serve", "--port", "0", *options), cwd=self.folder, env=self.environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+?:\d+", line)
        assert found, f"serve said {line!r}; its log: {(self.folder / 'log').read_text()}"
        self.url = found[0]
        return self

    def stop(self, number=signal.SIGTERM):
        """The exit code."""
        self.process.send_signal(number)
        code = self.process.wait(timeout=15)
        self.process.stdout.close()
        self.process = None
        return code

    def run(self, *arguments, stdin=""):
        """A sub-command; its standard output."""
        done = subprocess.run(self.command(*arguments), cwd=self.folder, env=self.environment, input=stdin, text=True,
                              capture_output=True, timeout=60)
        assert done.returncode == 0, f"docket {' '.join(arguments)}: {done.returncode}\n{done.stderr}"
        return done.stdout


@pytest.fixture
def stopped(request, tmp_path):
    """A server that the test starts itself."""
    server = Server(request, tmp_path)
    yield server
    if server.process:
        server.process.kill()
        server.process.wait()
        server.process.stdout.close()


@pytest.fixture
def server(stopped):
    return stopped.start()


class Client:
    """A script that has signed up: forms in, JSON out."""

    def __init__(self, url, name="ada", zone="Europe/Berlin", existing=False):
        self.url = url
        self.cookie = None
        fields = {"username": name, "password": PASSWORD}
        if not existing:
            fields |= {"time_zone": zone, "language": "en"}
        response = self.send("/sign-in" if existing else "/sign-up", fields)
        assert response.status in (200, 201, 303), response.read()
        self.cookie = response.headers["Set-Cookie"].split(";")[0]

    def send(self, path, fields=None, accept="application/json"):
        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *arguments):
                return None

        data = None if fields is None else urllib.parse.urlencode(fields).encode()
        request = urllib.request.Request(self.url + path, data, {"Accept": accept})
        if self.cookie:
            request.add_header("Cookie", self.cookie)
        try:
            return urllib.request.build_opener(Stay, urllib.request.ProxyHandler({})).open(request, timeout=15)
        except urllib.error.HTTPError as answer:
            return answer

    def json(self, path, fields=None):
        response = self.send(path, fields)
        text = response.read()
        assert response.status < 300, text
        return json.loads(text)

    def add(self, title, **fields):
        return self.json("/tasks", {"title": title, **fields})


@pytest.fixture(scope="session")
def chromium():
    program = shutil.which("chromium")
    assert program, "chromium is not installed"
    with sync_playwright() as playwright:
        # The sandbox needs a user that is not root; nothing but our own pages is opened.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


class Person:
    """Someone at a browser of their own."""

    def __init__(self, browser, url, name, language, script, troubles, **options):
        self.url = url
        self.name = name
        self.script = script
        self.language = language
        self.text = json.loads((ROOT / f"Templates/strings/{language}.json").read_text())
        self.context = browser.new_context(
            base_url=url, locale={"en": "en-GB", "zh-Hans": "zh-CN"}[language], java_script_enabled=script,
            timezone_id="Europe/Berlin", viewport={"width": 1280, "height": 800}, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        # A page that is refused on purpose is told in the console too; that alone is no trouble.
        self.page.on("console", lambda message: message.type == "error" and "the server responded with a status of" not in message.text
                     and troubles.append(f"{name}, {self.page.url}: {message.text}"))
        self.page.on("pageerror", lambda error: troubles.append(f"{name}, {self.page.url}: {error}"))
        self.page.on("request", lambda sent: sent.url.startswith(url) or troubles.append(f"{name} asked a stranger: {sent.url}"))

    def sign_up(self):
        # The first person is led straight to the form, others by the link on the sign-in page.
        self.page.goto("/")
        if self.page.url.endswith("/sign-in"):
            self.page.get_by_role("link", name=self.text["sign_in.sign_up"]).click()
        self.page.get_by_label(self.text["account.username"]).fill(self.name)
        self.page.get_by_label(self.text["account.password"]).fill(PASSWORD)
        self.page.get_by_role("button", name=self.text["sign_up.submit"]).click()
        expect(self.page).to_have_url(re.compile("/tasks$"))
        return self

    @property
    def rows(self):
        return self.page.locator("#list .rows > li")

    def row(self, title):
        return self.rows.filter(has=self.page.get_by_role("link", name=title, exact=True))

    def add(self, title):
        self.page.locator("#add").fill(title)
        self.page.locator("#add").press("Enter")
        expect(self.row(title)).to_have_count(1)

    def choose(self, label, value):
        """A choice in the list's bar: applied at once, or by its button where no script runs."""
        field = self.page.locator(f".find select[name={label}]")
        if field.input_value() == value:
            return
        field.select_option(value)
        if not self.script:
            self.page.locator(".find button").click()
        expect(self.page).to_have_url(re.compile(f"{label}={value}"))


@pytest.fixture
def people(chromium, server):
    """Makes people; what troubled their pages fails the test at its end."""
    made, troubles = [], []

    def person(name="ada", language="en", script=True, **options):
        made.append(Person(chromium, server.url, name, language, script, troubles, **options))
        return made[-1]

    yield person
    for one in made:
        one.context.close()
    assert not troubles, "\n".join(troubles)
