"""The program from outside, without a browser: zones, restarts, signals, sockets that it inherits, and the README's words.

Run against the static release program too: there, and only there, has a Swift program been seen to lose its time zones.
"""

import datetime
import html
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time
import urllib.parse
import urllib.request

import pytest
from conftest import PASSWORD, ROOT, Client

README = (ROOT / "README.md").read_text()


def utc(text):
    return int(datetime.datetime.fromisoformat(text + "+00:00").timestamp() * 1000)


def test_due_times_follow_the_zone_over_the_change_to_summer_time(server):
    ada = Client(server.url, zone="Europe/Berlin")
    ada.add("winter", due="2026-03-28T18:30")
    ada.add("last quarter before", due="2026-03-29T01:45")
    ada.add("first quarter after", due="2026-03-29T03:15")
    ada.add("skipped", due="2026-03-29T02:30")
    ada.add("far away", due="2051-07-01T12:00")
    ada.add("day", due="2026-03-29")
    with sqlite3.connect(server.database) as database:
        stored = dict(database.execute("SELECT title, due_at FROM tasks"))
    assert stored["winter"] == utc("2026-03-28T17:30")
    assert stored["last quarter before"] == utc("2026-03-29T00:45")
    assert stored["first quarter after"] == utc("2026-03-29T01:15")
    assert stored["skipped"] == utc("2026-03-29T01:30")
    assert stored["far away"] == utc("2051-07-01T10:00")
    shown = {task["title"]: task["due"] for task in ada.json("/tasks?status=all")["tasks"]}
    assert shown["winter"] == "2026-03-28T18:30"
    assert shown["first quarter after"] == "2026-03-29T03:15"
    assert shown["day"] == "2026-03-29"


def test_many_zones_are_offered(server):
    page = Client(server.url, zone="Asia/Shanghai").send("/tasks", accept="text/html")
    assert page.status == 200
    stranger = Client.__new__(Client)
    stranger.url, stranger.cookie = server.url, None
    form = stranger.send("/sign-up", accept="text/html").read().decode()
    assert form.count("<option") > 300
    assert "Asia/Shanghai" in form


def test_everything_is_there_after_a_restart(stopped):
    ada = Client(stopped.start().url)
    ada.add("Water the plants")
    assert stopped.stop() == 0
    # The file alone: whoever copies it now has everything.
    assert not os.path.exists(f"{stopped.database}-wal") and not os.path.exists(f"{stopped.database}-shm")
    stopped.start()
    ada.url = stopped.url
    assert [task["title"] for task in ada.json("/tasks")["tasks"]] == ["Water the plants"]


def test_what_was_answered_survives_a_kill(stopped):
    ada = Client(stopped.start().url)
    for number in range(20):
        ada.add(f"Task {number}")
    assert stopped.stop(signal.SIGKILL) == -signal.SIGKILL
    stopped.start()
    ada.url = stopped.url
    assert ada.json("/tasks")["total"] == 20


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_idle_server_stops_at_once(server, number):
    Client(server.url)
    start = time.monotonic()
    assert server.stop(number) == 0
    assert time.monotonic() - start < 1


def test_a_second_server_says_what_is_wrong(server):
    port = server.url.rsplit(":", 1)[1]
    second = subprocess.run(server.command("serve", "--port", port), env=server.environment, capture_output=True, text=True, timeout=15)
    assert second.returncode == 1
    assert port in second.stderr and second.stderr.count("\n") == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "nowhere.example", "/nowhere/socket"])
def test_a_start_that_fails_leaves_nothing_behind(stopped, host):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = subprocess.run(stopped.command("serve", "--host", host, "--port", port), env=stopped.environment, capture_output=True,
                              text=True, timeout=15)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert not list(stopped.database.parent.glob("docket.sqlite3*"))


def test_stopping_under_load_loses_nothing_that_was_answered_and_sends_no_half(stopped):
    ada = Client(stopped.start("--max-connections-per-address", "1000").url)
    port = int(stopped.url.rsplit(":", 1)[1])
    answered, trouble, enough = [], [], threading.Event()

    def post(client):
        """Forms one after the other, until the server says that it was the last or is gone."""
        number, goes_on = 0, True
        with socket.create_connection(("127.0.0.1", port), timeout=15) as one:
            while goes_on:
                title = f"c{client}-n{number}"
                body = urllib.parse.urlencode({"title": title})
                answer = b""
                try:
                    one.sendall(f"POST /tasks HTTP/1.1\r\nHost: a\r\nCookie: {ada.cookie}\r\nAccept: application/json\r\nContent-Length: "
                                f"{len(body)}\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n{body}".encode())
                    while not whole(answer):
                        piece = one.recv(65536)
                        if not piece:
                            break
                        answer += piece
                except OSError:
                    pass
                goes_on = whole(answer) and b"\r\nconnection: close\r\n" not in answer.lower()
                if whole(answer) and b" 201 " in answer[:20]:
                    answered.append(title)
                elif answer:
                    trouble.append(answer[:300])
                number += 1
                if len(answered) > 200:
                    enough.set()

    def whole(answer):
        head, found, content = answer.partition(b"\r\n\r\n")
        return bool(found) and len(content) == int(re.search(rb"content-length: (\d+)", head.lower())[1])

    clients = [threading.Thread(target=post, args=(number,)) for number in range(24)]
    for client in clients:
        client.start()
    assert enough.wait(30)
    assert stopped.stop() == 0
    for client in clients:
        client.join(30)
    assert not trouble
    with sqlite3.connect(stopped.database) as database:
        kept = {title for title, in database.execute("SELECT title FROM tasks")}
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert set(answered) <= kept and len(answered) > 200


def test_out_of_descriptors_the_server_waits_without_spinning_and_recovers(stopped):
    if stopped.image:
        pytest.skip("the limit would be that of the programs around it")
    program = stopped.program
    stopped.command = lambda *arguments: ["bash", "-c", 'ulimit -n 96; exec "$@"', "bash", program, *arguments]
    stopped.start()
    port = int(stopped.url.rsplit(":", 1)[1])

    def ticks():
        return sum(map(int, open(f"/proc/{stopped.process.pid}/stat").read().rsplit(")", 1)[1].split()[11:13]))

    held = []
    for _ in range(200):
        one = socket.create_connection(("127.0.0.1", port), timeout=15)
        one.sendall(b"GET /healthz HTTP/1.1\r\n")
        held.append(one)
    with socket.create_connection(("127.0.0.1", port), timeout=15) as one:
        # Told, or left waiting at the door; meanwhile the processor rests.
        begin = ticks()
        one.settimeout(1)
        try:
            assert b" 503 " in one.recv(4096)
        except TimeoutError:
            pass
        assert ticks() - begin < os.sysconf("SC_CLK_TCK") // 2
    for one in held:
        one.close()
    end = time.monotonic() + 15
    answer = b""
    while b" 200 " not in answer and time.monotonic() < end:
        with socket.create_connection(("127.0.0.1", port), timeout=15) as one:
            try:
                one.sendall(b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                answer = b"".join(iter(lambda: one.recv(65536), b""))
            except OSError:
                continue
    assert b" 200 " in answer
    assert int(re.search(rb"docket_accept_pauses_total (\d+)", answer)[1]) > 0
    assert stopped.stop() == 0


def test_a_wrong_option_stops_the_start(stopped):
    for arguments in (["--port", "http"], ["--colour", "blue"], ["--registration", "never"]):
        done = subprocess.run(stopped.command("serve", *arguments), env=stopped.environment, capture_output=True, text=True, timeout=15)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1 and arguments[0].strip("-") in done.stderr


def test_a_socket_is_taken_over_from_the_service_manager(stopped):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        command = stopped.command("serve", "--port", "1")
        stopped.process = subprocess.Popen(
            ["bash", "-c", 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3<&%d' % listener.fileno(), "bash", *command],
            pass_fds=[listener.fileno()], env=stopped.environment, cwd=stopped.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert "Docket" in stopped.process.stdout.readline()
        assert Client(f"http://127.0.0.1:{listener.getsockname()[1]}").add("Buy milk")["title"] == "Buy milk"
        assert stopped.stop() == 0


def test_health_tells_whether_the_server_answers(server):
    port = server.url.rsplit(":", 1)[1]
    assert subprocess.run(server.command("health", "--port", port), env=server.environment, capture_output=True, timeout=15).returncode == 0
    server.stop()
    assert subprocess.run(server.command("health", "--port", port), env=server.environment, capture_output=True, timeout=15).returncode == 1


def test_people_and_tokens_by_commands_while_it_serves(server):
    server.run("user", "add", "cleo", stdin=PASSWORD + "\n")
    assert "cleo" in server.run("user", "list")
    cleo = Client(server.url, "cleo", existing=True)
    cleo.add("Call the vet")
    server.run("user", "disable", "cleo")
    assert cleo.send("/tasks").status == 401


def test_a_token_that_nobody_could_read_is_a_failure(server):
    server.run("user", "add", "cleo", stdin=PASSWORD + "\n")
    with open("/dev/full", "w") as full:
        done = subprocess.run(server.command("token", "add", "--user", "cleo", "--name", "cron", "--scope", "full"),
                              env=server.environment, stdout=full, stderr=subprocess.PIPE, text=True, timeout=15)
    assert done.returncode == 1
    assert done.stderr == "docket: standard output: No space left on device; nobody has seen the token, so it is ended\n"
    assert "cron" not in server.run("token", "list")


def test_a_second_name_of_the_file_is_told_at_the_start(stopped):
    stopped.start().stop()
    os.link(stopped.database, stopped.folder / "second")
    stopped.start("--log", "json").stop()
    lines = [json.loads(line) for line in (stopped.folder / "log").read_text().splitlines()]
    assert ["hard link" in line["detail"] for line in lines if line["event"] == "second_name"] == [True]


def test_a_second_server_by_another_name_of_the_file_does_not_start(server):
    second = server.database.with_name("second")
    os.link(server.database, second)
    done = subprocess.run(server.command("serve", "--port", "0"), env=server.environment | {"DOCKET_DATABASE": "/data/second" if server.image else str(second)},
                          capture_output=True, text=True, timeout=30)
    assert done.returncode == 1
    assert "is served by a server that knows it by another name (a hard link) already" in done.stderr
    assert not os.path.exists(f"{second}-wal") and not os.path.exists(f"{second}-server")


# The README


def section(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", README, re.M | re.S)[1]


def test_the_readme_lists_every_option(stopped, request):
    help_text = stopped.run("--help")
    options = re.findall(r"^  --(\S+) (\S+)\s+(.*)\n\s+(DOCKET_\S+)$", help_text[help_text.index("Options of serve"):], re.M)
    assert len(options) > 10
    table = "\n".join(f"| `--{name} {value}` | `{variable}` | {text} |" for name, value, text, variable in options)
    if request.config.getoption("--mend"):
        rows = re.sub(r"(?<=\| --- \| --- \| --- \|\n)(?:\| `--.*\n)+", lambda _: table + "\n", README)
        (ROOT / "README.md").write_text(rows)
        return
    assert table in section("Options"), "make readme writes the table anew; it has to be:\n" + table


def test_the_units_of_the_readme_are_sound_and_closed(request, tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd here")
    program = os.path.realpath(request.config.getoption("--program"))
    units = re.findall(r"^`/etc/systemd/system/(\S+)`:\n\n```ini\n(.*?)^```", section("systemd"), re.M | re.S)
    assert len(units) == 2
    for name, text in units:
        (tmp_path / name).write_text(text.replace("/usr/local/bin/docket", program))
    for words in (["verify", *(tmp_path / name for name, _ in units)],
                  ["security", "--offline=yes", "--threshold=15", tmp_path / "docket.service"]):
        done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr


def test_the_readme_names_every_command_and_no_other(stopped):
    commands = set(re.findall(r"^  docket ([a-z]+(?: [a-z]+)?)", stopped.run("--help"), re.M))
    assert len(commands) > 10
    named = set()
    for line in re.search(r"^```\n(.*?)^```", section("Commands"), re.M | re.S)[1].splitlines():
        words = re.match(r"docket ([a-z]+)(?: ([a-z|]+))?", line)
        for second in (words[2] or "").split("|"):
            named.add(f"{words[1]} {second}".strip())
    assert named | {"serve"} == commands


def run_as_printed(server, blocks):
    """Runs lines for a shell, as they are printed, in one shell: each has to succeed."""
    token = server.run("token", "add", "--user", "ada", "--name", f"NAS {len(blocks)} {hash(blocks[0])}").strip()
    # nas:8080, as the lines have it, leads to this server.
    port = server.url.rsplit(":", 1)[1]
    (server.folder / ".curlrc").write_text(
        f'connect-to = "nas:8080:127.0.0.1:{port}"\nnoproxy = "*"\nsilent\nshow-error\nfail-with-body\n')
    environment = {**os.environ, "CURL_HOME": str(server.folder), "TOKEN": token, "PW": PASSWORD}
    lines = "".join(blocks).replace("\\\n", "").splitlines()
    assert all("curl" in line for line in lines)
    script = "".join(f"{line}\ncode=$?; if [ $code != 0 ]; then echo \"line {number}: $code\" >&2; exit 1; fi\n"
                     for number, line in enumerate(lines, 1))
    done = subprocess.run(["bash", "-c", script], cwd=server.folder, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    return len(lines)


def test_the_scripts_of_the_readme_work_as_printed(server):
    if server.image:
        pytest.skip("the token is made with the data's own user here")
    ada = Client(server.url, "ada")
    assert run_as_printed(server, re.findall(r"^```sh\n(.*?)^```", section("Scripts"), re.M | re.S)) >= 7
    made = {task["title"] for task in ada.json("/tasks?status=all")["tasks"]}
    assert {"Buy milk", "Water the plants", "Call the vet", "Feed the cat"} <= made
    assert {task["title"] for task in ada.json("/tasks?status=completed")["tasks"]} == {"Feed the cat"}


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_the_scripts_of_the_help_page_work_as_printed(server, language):
    if server.image:
        pytest.skip("the token is made with the data's own user here")
    ada = Client(server.url, "ada")
    ada.json("/settings", {"language": language})
    request = urllib.request.Request(server.url + "/help", headers={"Host": "nas:8080", "Cookie": ada.cookie})
    page = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=15).read().decode()
    blocks = [html.unescape(block) + "\n" for block in re.findall(r"<pre><code>(.*?)</code></pre>", page, re.S)]
    assert run_as_printed(server, blocks) >= 9
    text = json.loads((ROOT / f"Templates/strings/{language}.json").read_text())
    found = {task["title"]: task for task in ada.json("/tasks?status=all")["tasks"]}
    assert {text["help.example"], text["help.example_cookie"], text["help.example_json"], text["help.example_id"]} <= set(found)
    assert found[text["help.example_id"]]["status"] == "completed"
    assert found[text["help.example_json"]]["due"].endswith("T18:30")
    document = json.loads((server.folder / "openapi.json").read_text())
    # Each code that the document has stands on the page.
    codes = {code for answer in document["components"]["responses"].values()
             for code in answer["content"]["application/json"]["schema"]["properties"]["error"]["properties"]["code"]["enum"]}
    assert codes and all(f"<code>{code}</code>" in page for code in codes)
