"""Requests and load: one keep-alive connection, several at once for forms (a process each), and wrk for pages."""
import http.client
import json
import multiprocessing
import os
import re
import subprocess
import time
from dataclasses import dataclass

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Answer:
    status: int
    content: bytes
    cookies: list


@dataclass
class Run:
    """What a load has come to: requests a second, milliseconds, CPU seconds of the server for 10,000 requests."""
    rate: float = 0
    p50: float = 0
    p99: float = 0
    cpu: float = 0
    errors: int = 0


class Client:
    def __init__(self, port, timeout=30):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def get(self, path, cookie=""):
        return self.ask("GET", path, cookie)

    def ask(self, method, path, cookie="", body=None):
        fields = {"Cookie": cookie} if cookie else {}
        if body is not None:
            fields["Content-Type"] = "application/x-www-form-urlencoded"
        self.connection.request(method, path, body, fields)
        answer = self.connection.getresponse()
        return Answer(answer.status, answer.read(), answer.headers.get_all("Set-Cookie", []))

    def json(self, path, form, fields):
        """The answer to a form of a script."""
        self.connection.request(
            "POST", path, form, {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json", **fields})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            raise SystemExit(f"{path}: {answer.status} {text[:200]}")
        return json.loads(text)


class Load:
    """Closed loop: each connection asks as soon as it was answered. Processes, so that Python's one lock is no limit."""

    def __init__(self, port, connections, seconds):
        self.port, self.connections, self.seconds = port, connections, seconds

    def run(self, method, path, cookie, body, wanted):
        context = multiprocessing.get_context("fork")
        results = context.Queue()
        workers = [
            context.Process(target=self.work, args=(results, method, path, cookie, body, wanted)) for _ in range(self.connections)
        ]
        for worker in workers:
            worker.start()
        gathered = [results.get(timeout=self.seconds + 60) for _ in workers]
        for worker in workers:
            worker.join()
        times = [one for times, _ in gathered for one in times]
        return Run(
            rate=len(times) / self.seconds, p50=1000 * quantile(times, 0.5), p99=1000 * quantile(times, 0.99),
            errors=sum(errors for _, errors in gathered))

    def work(self, results, method, path, cookie, body, wanted):
        client, times, errors = Client(self.port), [], 0
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            begin = time.perf_counter()
            try:
                status = client.ask(method, path, cookie, body).status
            except OSError:
                status, client = 0, Client(self.port)
            if status in wanted:
                times.append(time.perf_counter() - begin)
            else:
                errors += 1
                time.sleep(0.01)
        results.put((times, errors))


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


# An address can be written in many ways. Docket keeps list pages as it sent them, by address, some hundreds of them: asked for in turn by
# a thousand names a page is made anew each time, as it is after each change.
NAMES = [
    f"page={'0' * zeros}{{page}}&per_page={'0' * more}25{end}"
    for end in ("", "&q=", "&category=", "&priority=", "&due=") for more in range(16) for zeros in range(12)]


def made(path, number):
    """An address of a list's page (`/tasks?sort=…&page=7`) that was not asked for lately."""
    start, page = path.split("page=")
    return start + NAMES[number % len(NAMES)].format(page=page)


def wrk_made(pid, port, path, cookie, connections, seconds, folder):
    """One run of wrk on a page that is made anew for each request."""
    script = folder + "/made.lua"
    with open(script, "w") as out:
        out.write("local n, paths = 0, {" + ",".join(f'"{made(path, number)}"' for number in range(len(NAMES))) + "}\n")
        out.write("request = function() n = n % #paths + 1; return wrk.format('GET', paths[n]) end\n")
    return wrk(pid, f"http://127.0.0.1:{port}/", cookie, connections, seconds, ["-s", script])


def wrk(pid, url, cookie, connections, seconds, more=()):
    """One run of wrk; `close` is 16 connections, each for one request."""
    command = ["wrk", "-t1", "-c", "16" if connections == "close" else str(connections), "-d", f"{seconds}s", "--latency"]
    command += ["--timeout", "5s", *more]
    if cookie:
        command += ["-H", "Cookie: " + cookie]
    if connections == "close":
        command += ["-H", "Connection: close"]
    before = cpu_seconds(pid)
    text = subprocess.run(command + [url], capture_output=True, text=True, timeout=seconds + 30).stdout
    used = cpu_seconds(pid) - before
    count = number(text, r"(\d+) requests in")
    errors = sum(number(text, name + r" (\d+)") for name in ("connect", "read", "write", "timeout"))
    return Run(
        rate=number(text, r"Requests/sec:\s+([\d.]+)"), p50=milliseconds(text, "50%"), p99=milliseconds(text, "99%"),
        cpu=used / count * 10_000 if count else 0, errors=int(errors + number(text, r"Non-2xx or 3xx responses: (\d+)")))


def number(text, pattern):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else 0


def milliseconds(text, name):
    found = re.search(rf"(?m)^\s+{name}\s+([\d.]+)(us|ms|s|m)", text)
    return float(found.group(1)) * {"us": 0.001, "ms": 1, "s": 1_000, "m": 60_000}[found.group(2)] if found else float("nan")


def family(pid):
    """A process and its children."""
    found = [pid]
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as children:
                for child in children.read().split():
                    found += family(int(child))
    except OSError:
        pass
    return found


def cpu_seconds(pid):
    total = 0
    for one in family(pid):
        try:
            with open(f"/proc/{one}/stat") as stat:
                total += sum(int(word) for word in stat.read().rsplit(")", 1)[1].split()[11:13])
        except OSError:
            pass
    return total / TICKS


def peak_kib(pid):
    with open(f"/proc/{pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def resident_kib(pid):
    with open(f"/proc/{pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
