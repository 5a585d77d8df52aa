"""A folder with a database, the real program that runs on it, and what must always hold of the data."""

import contextlib
import http.client
import os
import pathlib
import re
import sqlite3
import subprocess
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Failed(Exception):
    """Something is not as it should be."""


def expect(truth, *what):
    if not truth:
        raise Failed(" ".join(str(one) for one in what))


class Skipped(Exception):
    """It cannot be tried here."""


class Place:
    """A folder with a database, and the program."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = pathlib.Path(folder)
        self.path = self.folder / "docket.sqlite3"

    def at(self, path):
        """The same with another file."""
        other = Place(self.program, self.folder)
        other.path = path
        return other

    def start(self, *words, text=None, environment=None):
        process = subprocess.Popen(
            [self.program, *map(str, words), "--database", str(self.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        if text is not None:
            process.stdin.write(text)
        process.stdin.close()
        process.stdin = None
        return process

    def run(self, *words, text=None, code=0):
        """Runs a command to its end; tells what it printed, output and errors together."""
        process = self.start(*words, text=text)
        output, errors = process.communicate(timeout=120)
        expect(code is None or process.returncode == code, f"docket {' '.join(map(str, words))}: exit", process.returncode, output, errors)
        return output + errors

    def prepare(self, tasks=0):
        """Ada, a token of hers, and some tasks."""
        self.run("user", "add", "ada", text="correct horse battery staple\n")
        self.token = self.run("token", "add", "--user", "ada", "--name", "faults").strip()
        if tasks:
            self.todo(tasks, "first")
            self.run("import", self.folder / "first.txt", "--user", "ada")
        return self

    def todo(self, count, name):
        (self.folder / f"{name}.txt").write_text("".join(f"{name} task {number} with some words\n" for number in range(count)))
        return self.folder / f"{name}.txt"

    @contextlib.contextmanager
    def serving(self, environment=None):
        server = Server(self, environment)
        try:
            yield server
        finally:
            server.stop()

    def read(self, sql):
        with contextlib.closing(sqlite3.connect(self.path, timeout=10)) as database:
            return database.execute(sql).fetchall()

    def write(self, sql):
        with contextlib.closing(sqlite3.connect(self.path, timeout=10)) as database:
            database.executescript(sql)

    def titles(self):
        return {row[0] for row in self.read("SELECT title FROM tasks WHERE trashed_at IS NULL")}

    def sound(self):
        """Nothing is damaged, half there, or counted wrong."""
        expect(self.read("PRAGMA integrity_check") == [("ok",)], "integrity")
        expect(self.read("PRAGMA foreign_key_check") == [], "references")
        expect(self.read("SELECT count(*) FROM tasks WHERE number NOT IN (SELECT task_number FROM task_changes)") == [(0,)], "history")
        kept, real = self.read("SELECT coalesce(sum(count), 0) FROM task_counts"), self.read("SELECT count(*) FROM tasks WHERE trashed_at IS NULL")
        expect(kept == real, "counters", kept, real)


class Server:
    """The program, serving."""

    def __init__(self, place, environment=None):
        self.place = place
        self.log = open(place.folder / "server.log", "a")
        self.process = subprocess.Popen(
            [place.program, "serve", "--database", str(place.path), "--port", "0", "--resources", str(ROOT)], stdout=subprocess.PIPE,
            stderr=self.log, text=True, env={**os.environ, **(environment or {})})
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        expect(found, "the server does not start:", line, (place.folder / "server.log").read_text()[-500:])
        self.port = int(found[1])

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def ask(self, method, path, fields=None, connection=None, accept="text/plain"):
        """Status and text of an answer; an error of the connection is raised."""
        connection = connection or self.connect()
        body = urllib.parse.urlencode(fields) if fields is not None else None
        connection.request(method, path, body, {**(FORM if body is not None else {}), "Authorization": f"Bearer {self.place.token}", "Accept": accept})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def until(self, status, *words):
        """Asks until the answer has this status."""
        end = time.monotonic() + 15
        while True:
            found = self.ask(*words)
            if found[0] == status:
                return found[1]
            expect(time.monotonic() < end, words, "answers", *found)
            time.sleep(0.2)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            expect(self.process.wait(30) == 0, "the server does not stop well:", self.process.returncode)
        self.process.stdout.close()
        self.log.close()


def wait(low, high, chance):
    time.sleep(chance.uniform(low, high))
