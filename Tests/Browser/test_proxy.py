"""Docket behind the proxies that people use, Debian's nginx and Caddy, in a folder of the host; and what forwarded fields may say.

A proxy that is not installed is skipped; .ci/run installs both.
"""

import html
import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.parse

import pytest
from conftest import PASSWORD, Client, Person, expect

NGINX = """daemon off; user root; worker_processes 1; pid {folder}/pid; error_log stderr;
events {{}}
http {{
    access_log off; client_max_body_size 16m;
    client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
    server {{
        listen 127.0.0.1:{port};
        location /docket/ {{
            proxy_pass http://{place}{slash};
            proxy_http_version 1.1; proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Forwarded-Proto {scheme};
        }}
    }}
}}
"""
CADDY = """{{
    admin off
    auto_https off
}}
http://127.0.0.1:{port} {{
    {handle} /docket/* {{
        reverse_proxy {place}
    }}
}}
"""


class Proxy:
    """A running proxy before a server of ours."""

    def __init__(self, kind, folder):
        self.kind = kind
        self.folder = folder
        self.process = None
        if not shutil.which(kind, path=os.environ["PATH"] + ":/usr/sbin"):
            pytest.skip(f"{kind} is not installed")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/docket"

    def start(self, place, strips, scheme="$scheme"):
        self.folder.mkdir()
        file = self.folder / "configuration"
        if self.kind == "nginx":
            # Nothing behind the address: the path stays as it is. A slash: the folder's name is taken off.
            file.write_text(NGINX.format(folder=self.folder, port=self.port, place=place, slash="/" if strips else "", scheme=scheme))
            command = ["nginx", "-p", str(self.folder), "-c", str(file)]
        else:
            file.write_text(CADDY.format(port=self.port, place=place, handle="handle_path" if strips else "handle"))
            command = ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]
        environment = dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin", HOME=str(self.folder), XDG_DATA_HOME=str(self.folder),
                           XDG_CONFIG_HOME=str(self.folder))
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        end = time.monotonic() + 15
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            assert self.process.poll() is None and time.monotonic() < end, (self.folder / "log").read_text()
            time.sleep(0.02)

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=15)
            self.log.close()


@pytest.fixture
def proxy(request, tmp_path):
    one = Proxy(request.param, tmp_path / "proxy")
    yield one
    one.stop()


def place(server):
    return server.url.removeprefix("http://")


def behind(stopped, proxy, *options):
    stopped.start("--trusted-proxies", "127.0.0.1", "--log", "json", *options)
    return stopped


both = pytest.mark.parametrize("proxy", ["nginx", "caddy"], indirect=True)


@both
@pytest.mark.parametrize("strips", [True, False], ids=["path taken off", "path kept"])
def test_pages_below_a_folder_of_the_host(stopped, proxy, strips):
    server = behind(stopped, proxy, "--public-url", proxy.url)
    proxy.start(place(server), strips)
    ada = Client(proxy.url)
    task = ada.add("Buy milk")
    direct = Client(server.url, existing=True)
    # Each address of each page leads below the folder, and there to what the server has without the proxy.
    seen, waiting = {"/docket/"}, ["/docket/tasks", "/docket/", f"/docket/tasks/{task['id']}"]
    while waiting and len(seen) < 60:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        own, accept = path.removeprefix("/docket"), "*/*" if "/public/" in path else "text/html"
        answer = ada.send(own, accept=accept)
        assert answer.status == direct.send(own, accept=accept).status, f"{path}: {answer.status}"
        if answer.status == 303:
            assert answer.headers["Location"].startswith("/docket/")
            continue
        if "text/html" not in answer.headers["Content-Type"]:
            continue
        for address in re.findall(r'(?:href|src|action|formaction)="([^"]*)"', answer.read().decode()):
            address = html.unescape(address).split("#")[0]
            if not address or address.startswith(("http://", "https://")):
                continue
            assert address.startswith("/docket/"), f"{path} leads to {address}"
            if "sign-out" not in address and not re.search("/(pin|completion|trash|restore|bulk|undo|empty|trash-completed)(/|$)", address):
                waiting.append(address)
    assert len(seen) > 20
    answer = ada.send("/tasks", {"title": "Water the plants"}, accept="text/html")
    assert answer.status == 303 and answer.headers["Location"].startswith("/docket/tasks")


@both
def test_the_client_is_who_the_proxy_saw(stopped, proxy):
    server = behind(stopped, proxy)
    proxy.start(place(server), True)

    def client_in_log(path, fields):
        # Another address of this machine, which is not listed.
        connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=15, source_address=("127.0.0.2", 0))
        connection.request("GET", "/docket" + path, headers=fields)
        answer = connection.getresponse()
        answer.read()
        name = answer.headers["X-Request-ID"]
        connection.close()
        # The line is written when the answer has been sent, so it may come a moment behind it.
        end = time.monotonic() + 15
        while not (found := re.search(rf'"id":"{name}","client":"([^"]*)"', (server.folder / "log").read_text())):
            assert time.monotonic() < end, f"no line of {name}"
            time.sleep(0.02)
        return found[1]

    assert client_in_log("/sign-in", {}) == "127.0.0.2"
    assert client_in_log("/sign-in", {"X-Forwarded-For": "192.0.2.7"}) == "127.0.0.2"
    # What the proxy passes on without looking contradicts what it says: then neither counts.
    assert client_in_log("/sign-in", {"Forwarded": "for=192.0.2.7"}) == "127.0.0.1"


@pytest.mark.parametrize("proxy", ["nginx"], indirect=True)
def test_a_proxy_that_speaks_tls_makes_cookies_secure(stopped, proxy):
    server = behind(stopped, proxy)
    proxy.start(place(server), True, scheme="https")
    answer = Client(proxy.url).send("/sign-in", {"username": "ada", "password": PASSWORD})
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-docket") and "; Secure" in cookie
    assert answer.headers["Strict-Transport-Security"]
    # The same fields from elsewhere are anyone's word.
    direct = http.client.HTTPConnection(*server.url.removeprefix("http://").split(":"), timeout=15, source_address=("127.0.0.3", 0))
    direct.request("GET", "/sign-in", headers={"X-Forwarded-Proto": "https"})
    assert direct.getresponse().headers["Strict-Transport-Security"] is None


@pytest.mark.parametrize("proxy", ["nginx"], indirect=True)
def test_a_form_behind_a_proxy_that_hides_the_host(stopped, proxy):
    """The host that nginx sends by itself is ours, not the one in the browser: only the public address tells."""
    server = behind(stopped, proxy, "--public-url", proxy.url)
    proxy.start(place(server), True)
    Client(proxy.url)
    for sender, status in ((f"http://127.0.0.1:{proxy.port}", 401), ("http://evil.example", 403)):
        connection = http.client.HTTPConnection(*server.url.removeprefix("http://").split(":"), timeout=15)
        body = urllib.parse.urlencode({"username": "ada", "password": "wrong"})
        connection.request("POST", "/sign-in", body, {
            "Origin": sender, "Host": "upstream", "Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"})
        assert connection.getresponse().status == status


@pytest.mark.parametrize("proxy", ["caddy"], indirect=True)
def test_scripts_of_pages_below_a_folder(chromium, stopped, proxy):
    server = behind(stopped, proxy, "--public-url", proxy.url)
    proxy.start(place(server), False)
    troubles = []
    ada = Person(chromium, proxy.url, "ada", "en", True, troubles)
    page = ada.page
    page.goto(proxy.url + "/")
    page.get_by_label(ada.text["account.username"]).fill("ada")
    page.get_by_label(ada.text["account.password"]).fill(PASSWORD)
    page.get_by_role("button", name=ada.text["sign_up.submit"]).click()
    expect(page).to_have_url(proxy.url + "/tasks")
    ada.add("Buy milk")
    page.goto(proxy.url + "/help")
    page.keyboard.press("/")
    expect(page).to_have_url(proxy.url + "/tasks")
    page.goto(proxy.url + "/admin/server")
    expect(page.get_by_text(f"Forms from http://127.0.0.1:{proxy.port} are taken.")).to_be_visible()
    page.get_by_role("button", name=ada.text["server.check"]).click()
    expect(page.get_by_text(ada.text["notice.form_came_through"])).to_be_visible()
    ada.context.close()
    assert not troubles, "\n".join(troubles)


def test_a_unix_socket_in_place_of_a_port(stopped):
    path = str(stopped.folder / "socket")
    stopped.process = subprocess.Popen(
        stopped.command("serve", "--host", path), cwd=stopped.folder, env=stopped.environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert path in stopped.process.stdout.readline()
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(15)
        client.connect(path)
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        answer = b""
        while piece := client.recv(65536):
            answer += piece
    assert answer.endswith(b"\r\n\r\nok\n")
    assert stopped.stop() == 0
    assert not os.path.exists(path)


@pytest.mark.parametrize("host, address", [("::", "::1"), ("*", "::1"), ("*", "127.0.0.1"), ("0.0.0.0", "127.0.0.1")])
def test_addresses_of_both_kinds(stopped, host, address):
    if ":" in address:
        try:
            socket.create_server((address, 0), family=socket.AF_INET6).close()
        except OSError:
            pytest.skip("this machine has no IPv6")
    port = int(stopped.start("--host", host).url.rsplit(":", 1)[1])
    connection = http.client.HTTPConnection(address, port, timeout=15)
    connection.request("GET", "/metrics")
    answer = connection.getresponse()
    assert answer.status == 200
    assert b'docket_connections_open 1\n' in answer.read()


def test_metrics_are_for_this_machine_and_the_token(stopped):
    token = "a token of sixteen or more".replace(" ", "-")
    port = int(stopped.start("--metrics-token", token).url.rsplit(":", 1)[1])

    def status(fields):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
        connection.request("GET", "/metrics", headers=fields)
        return connection.getresponse().status

    assert status({}) == 200
    assert status({"X-Forwarded-For": "192.0.2.7"}) == 404
    assert status({"X-Forwarded-For": "192.0.2.7", "Authorization": "Bearer " + token}) == 200
    assert status({"Authorization": "Bearer " + token[:-1]}) == 404


def test_a_proxy_signs_people_in(stopped):
    """Its word counts from its address, with each request anew; without it, and from elsewhere, the sign-in page shows."""
    def ask(*fields, path="/tasks", method="GET"):
        connection = http.client.HTTPConnection(stopped.url.removeprefix("http://"), timeout=15)
        connection.putrequest(method, path)
        for name, value in (("Accept", "text/html"), *fields):
            connection.putheader(name, value.encode())
        connection.endheaders()
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer, text

    stopped.start("--trusted-proxies", "127.0.0.1", "--proxy-user-header", "Remote-User", "--proxy-accounts", "on",
                  "--proxy-sign-out-url", "https://auth.example.org/logout")
    answer, text = ask(("Remote-User", "小雅"))
    assert answer.status == 200 and "小雅" in text and "https://auth.example.org/logout" in text
    assert "Set-Cookie" not in answer.headers
    assert ask(("Remote-User", "bob"))[0].status == 200
    assert ask(("Remote-User", "bob"), path="/admin/users")[0].status == 403
    assert ask(("Remote-User", "bob"), ("Remote-User", "小雅"))[0].status == 400
    for fields in [(), (("Remote-User", ""),), (("Remote_User", "小雅"),), (("X-Remote-User", "小雅"),)]:
        answer, _ = ask(*fields)
        assert answer.status == 303 and answer.headers["Location"] == "/sign-in"
    stopped.stop()
    # The same fields from an address that is no proxy's.
    stopped.start("--trusted-proxies", "192.0.2.1", "--proxy-user-header", "Remote-User", "--proxy-accounts", "on")
    answer, _ = ask(("Remote-User", "小雅"), ("X-Forwarded-For", "192.0.2.1"))
    assert answer.status == 303 and answer.headers["Location"] == "/sign-in"
