"""A million tasks: 1,000 people with 1,000 each, and in the same file one person with 500,000 and then 1,000,000. And what is done to very
many at once: changes in bulk, backups under load, one commit for each change."""
import contextlib
import os
import re
import sqlite3
import statistics
import threading
import time
import uuid

import data
from client import Client, Load, cpu_seconds, made, peak_kib, quantile, wrk, wrk_made

SORTS = ["created_desc", "created_asc", "priority_desc", "due_asc", "due_desc"]


def say(line):
    print(line, flush=True)


def rows(path, sql):
    with contextlib.closing(sqlite3.connect(path, timeout=60)) as database:
        return database.execute(sql).fetchall()


class Large:
    """What `Bench` has besides."""

    # Lists

    def pages(self, name, count):
        """Each order's first page, the 1,000th, the middle, the last; made anew for each request."""
        client, cookie = Client(self.docket.port), self.cookies[name]
        last = self.last_page(client, cookie, "/tasks")
        places = [1] + ([1_000] if last > 2_000 else []) + [last // 2, last]
        small = self.time_of(client, "/tasks?page=1", self.cookies["ada"])
        say(f"\n{count:,} tasks of one person; ms a page, made anew, " + " · ".join(f"page {one:,}" for one in places)
            + f" (first page of a person with 500: {small:.2f})")
        for sort in SORTS:
            self.line(client, f"{sort}, open", f"/tasks?sort={sort}&page=", places, cookie)
        last = self.last_page(client, cookie, "/tasks?status=all")
        places = places[:-2] + [last // 2, last]
        say("  of all, open and completed: " + " · ".join(f"page {one:,}" for one in places))
        for sort in SORTS:
            self.line(client, f"{sort}, all", f"/tasks?status=all&sort={sort}&page=", places, cookie)

    def line(self, client, name, path, places, cookie):
        times = [self.time_of(client, path + str(page), cookie) for page in places]
        say(f"  {name:<24}" + " · ".join(f"{one:8.2f}" for one in times))

    @staticmethod
    def last_page(client, cookie, path):
        text = client.get(path, cookie).content.decode()
        return max((int(one) for one in re.findall(r'href="/tasks\?[^"]*page=(\d+)"', text)), default=1)

    def time_of(self, client, path, cookie):
        """The quickest of some requests in milliseconds, since others may use the machine too; of a list page each is made anew."""
        times = []
        for _ in range(5 if self.quick else 21):
            self.asked += 1
            name = made(path, self.asked) if "page=" in path else path + "+" * (self.asked % 900)
            begin = time.perf_counter()
            status = client.get(name, cookie).status
            times.append(time.perf_counter() - begin)
            if status != 200:
                raise SystemExit(f"{name}: {status}")
        return 1000 * min(times)

    def search_of(self, small, large, count):
        client = Client(self.docket.port)
        say(f"\nsearch, ms a page: a person with 500 · a person with {count:,} (to reach: 1 · 50, absent 5)")
        for word, kind in data.SEARCHES:
            times = [self.time_of(client, "/tasks?q=" + data.quote(word), self.cookies[name]) for name in (small, large)]
            say(f"  {word + ' ' * (12 - data.width(word))}{kind:<18}" + " · ".join(f"{one:8.2f}" for one in times))

    def rates(self, small, large):
        """A large person's first and last pages beside a small one's, in turn, from 16 connections."""
        say("\nrequests/s and CPU of a person with many tasks to one with 500, pages made anew, 16 connections (to reach: req/s 0.8, aim 0.95)")
        client, pid, port = Client(self.docket.port), self.docket.pid, self.docket.port
        last = {name: self.last_page(client, self.cookies[name], "/tasks") for name in (small, large)}
        for sort in SORTS:
            for place in ("first", "last"):
                runs = {small: [], large: []}
                for _ in range(self.rounds):
                    for name in (small, large):
                        path = f"/tasks?sort={sort}&page={1 if place == 'first' else last[name] - 1}"
                        runs[name].append(wrk_made(pid, port, path, self.cookies[name], 16, self.seconds, self.folder))
                rate = statistics.median(two.rate / one.rate for one, two in zip(runs[small], runs[large]))
                cpu = statistics.median(two.cpu / one.cpu for one, two in zip(runs[small], runs[large]))
                say(f"  {sort:<14}{place:<6} req/s {rate:5.2f}, CPU {cpu:5.2f}  ({runs[large][0].rate:,.0f} req/s, {runs[large][0].cpu:.2f} CPU s for 10,000)")

    # Populations

    def people(self):
        """1,000 people with 1,000 tasks each, in a file of their own; then one with 500,000 and 1,000,000 in it."""
        count = 100 if self.quick else 1_000
        self.docket.stop()
        usual, self.docket.database = self.docket.database, os.path.join(self.folder, "large.sqlite3")
        try:
            self.docket.add_user("ada")
            # Made as copies of one account, whose password has to be hashed once only.
            with contextlib.closing(sqlite3.connect(self.docket.database)) as database:
                columns = "password_hash, created_at, language, time_zone"
                for number in range(count + 1):
                    name = "dora" if number == count else f"p{number}"
                    user = database.execute(
                        f"INSERT INTO users (name, name_key, {columns}) SELECT ?, ?, {columns} FROM users WHERE name = 'ada' RETURNING id", (name, name)).fetchone()[0]
                    database.execute(
                        "INSERT INTO categories (user_id, key, name, icon, color, position) "
                        "SELECT ?, key, name, icon, color, position FROM categories WHERE user_id = 1", (user,))
                database.commit()
            self.docket.import_tasks("ada", 500, "csv")
            began = time.monotonic()
            for number in range(count):
                self.docket.import_tasks(f"p{number}", 1_000, "csv")
            say(f"\n{count:,} people with 1,000 tasks each, imported by as many commands: {count * 1_000 / (time.monotonic() - began):,.0f} rows/s")
            self.docket.start()
            some = ["ada"] + [f"p{number}" for number in range(0, count, max(1, count // 16))]
            self.cookies = {name: self.docket.sign_in(name) for name in some}
            self.rates("ada", some[-1])
            self.many(some[1:])
            half = 20_000 if self.quick else 500_000
            for part in (1, 2):
                took = self.docket.import_tasks("dora", half, "csv", seed=part)
                say(f"\nimport of {half:,} lines of CSV with contents of 100 bytes, by command while serving: {half / took:,.0f} rows/s")
                self.cookies["dora"] = self.docket.sign_in("dora")
                self.indexed()
                self.pages("dora", part * half)
                if part == 1:
                    self.rates("ada", "dora")
                self.search_of("ada", "dora", part * half)
            self.size("with 1,000 people in it")
            self.bulk("dora")
            self.backup("dora")
            self.start()
        finally:
            self.docket.stop()
            self.docket.database = usual
            self.docket.start()
            self.cookies = {name: self.docket.sign_in(name) for name in ("ada", "bob", "cleo")}

    def many(self, names):
        """Pages and searches of many people in turn."""
        client, times = Client(self.docket.port), []
        for number in range(50):
            for name in names:
                for path in (made("/tasks?page=1", number), "/tasks?q=" + data.quote("the") + "+" * number):
                    begin = time.perf_counter()
                    client.get(path, self.cookies[name])
                    times.append((path, 1000 * (time.perf_counter() - begin)))
        for what, wanted in (("list page", False), ("search", True)):
            found = [one for path, one in times if ("q=the" in path) == wanted]
            say(f"  {what} of {len(names)} of them in turn: median {quantile(found, 0.5):.2f} ms, p99 {quantile(found, 0.99):.2f} ms")

    def indexed(self):
        """Waits until the index for searches has everything."""
        began = time.monotonic()
        while True:
            last, through = rows(self.docket.database, "SELECT max(number), (SELECT through FROM search_progress) FROM tasks")[0]
            if last - through < 1_000:
                say(f"the index for searches was complete {time.monotonic() - began:.0f} s later")
                return
            time.sleep(1)

    def size(self, what):
        tasks, pages = rows(self.docket.database, "SELECT count(*), (SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count) FROM tasks")[0]
        index = rows(self.docket.database, "SELECT sum(length(block)) FROM search_terms_data")[0][0] or 0
        say(f"\ndatabase {what}: {pages * 4096 / tasks:,.0f} bytes a task, {index / tasks:,.0f} of them the index for searches (to reach: 1,200, aim 800)")

    # Very many at once

    def bulk(self, name=None):
        """Changes of 100,000 tasks in one step, by their ids and by a filter, and back; what others wait for meanwhile."""
        name, count = name or "cleo", 2_000 if self.quick else 100_000
        token = {"Authorization": "Bearer " + self.docket.command("token", "add", "--user", name, "--name", "bench").strip()}
        ids = [str(uuid.UUID(bytes=one)) for one, in rows(
            self.docket.database,
            f"SELECT tasks.id FROM tasks JOIN users ON users.id = user_id WHERE name = '{name}' AND status = 0 AND trashed_at IS NULL LIMIT {count}")]
        body = "&".join("id=" + one for one in ids)
        say(f"\nin one step and one transaction, {len(ids):,} ids in a form of {len(body) / 1e6:.1f} MB, or a filter:")
        for what, path, form in (
            ("complete the ids", "/tasks/bulk", "action=complete&" + body),
            ("undo of that", None, ""),
            ("priority of the ids", "/tasks/bulk", "action=priority&to_priority=high&" + body),
            ("due day of the ids", "/tasks/bulk", "action=due&to_due=2027-01-01&" + body),
            ("category by a filter", "/tasks/bulk", "action=category&to_category=life&all=1&status=pending"),
            ("undo of that", None, ""),
            ("trash by a filter", "/tasks/bulk", "action=trash&all=1&status=pending"),
            ("undo of that", None, ""),
        ):
            client = Client(self.docket.port, timeout=300)
            spent, began = cpu_seconds(self.docket.pid), time.monotonic()
            answer = client.json(path or f"/undo/{change}", form, token)
            took, spent = time.monotonic() - began, cpu_seconds(self.docket.pid) - spent
            change, changed = answer["change"], answer.get("changed", answer.get("undone"))
            say(f"  {what:<24}{changed:>9,} tasks in {took:6.2f} s, {1e6 * took / max(1, changed):6.1f} us a task, {1e6 * spent / max(1, changed):6.1f} of CPU")
        say(f"  at most {peak_kib(self.docket.pid) / 1024:.0f} MiB resident since the start")

    def backup(self, name=None):
        """A backup while 16 readers and 4 writers go on."""
        name = name or "cleo"
        url, pid, cookie = self.docket.url + "/tasks", self.docket.pid, self.cookies[name]
        target = os.path.join(self.folder, "kept.sqlite3")
        body = b"title=A+task+of+the+benchmark"
        seconds = 3 if self.quick else 6

        def load():
            results = {}
            reading = threading.Thread(target=lambda: results.update(read=wrk(pid, url, self.cookies["ada"], 16, seconds)))
            reading.start()
            results["write"] = Load(self.docket.port, 4, seconds).run("POST", "/tasks", cookie, body, {303})
            reading.join()
            return results

        usual = load()
        began, done = time.monotonic(), []

        def copy():
            while not done or time.monotonic() - began < seconds:
                before = time.monotonic()
                self.docket.command("backup", target, "--keep", "2")
                done.append(time.monotonic() - before)

        copying = threading.Thread(target=copy)
        copying.start()
        beside = load()
        copying.join()
        size = os.path.getsize(target) / (1 << 20)
        say(f"\nbackup of {size:,.0f} MiB, verified, under load of 16 readers and 4 writers: {statistics.median(done):.1f} s each")
        for what in ("read", "write"):
            say(f"  {what}s meanwhile {beside[what].rate:,.0f} a second, p99 {beside[what].p99:.2f} ms; without it {usual[what].rate:,.0f}, "
                f"{usual[what].p99:.2f} ms; {beside[what].errors} errors")
        for one in (target, target + ".1"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(one)

    def commits(self):
        """What a commit for each change would come to, and what history costs: the statements of a new task alone, by one connection."""
        copy = os.path.join(self.folder, "commits.sqlite3")
        self.docket.command("backup", copy)
        say("\nthe same rows by SQL alone, one connection, in Python, each commit on disk (FULL):")
        with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as database:
            database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
            user, category = database.execute("SELECT user_id, id FROM categories WHERE user_id = 2 LIMIT 1").fetchone()
            for each in (1, 64):
                rates, spent = {True: [], False: []}, {True: [], False: []}
                for _ in range(self.rounds):
                    for history in (True, False):
                        begin, end, count, used = time.perf_counter(), time.perf_counter() + self.seconds, 0, time.process_time()
                        while time.perf_counter() < end:
                            database.execute("BEGIN IMMEDIATE")
                            for _ in range(each):
                                insert(database, user, category, history)
                            database.execute("COMMIT")
                            count += each
                        rates[history].append(count / (time.perf_counter() - begin))
                        spent[history].append(1e6 * (time.process_time() - used) / count)
                whole, without = statistics.median(spent[True]), statistics.median(spent[False])
                say(f"  {each:>2} a commit: {statistics.median(rates[True]):,.0f} a second; {whole:.0f} us of CPU each, {whole - without:.0f} of them for history")
        os.unlink(copy)


def insert(database, user, category, history):
    """What `TaskRepository.create` does."""
    now = int(1000 * time.time())
    identifier = now.to_bytes(6, "big") + os.urandom(10)
    if history:
        change = database.execute(
            "INSERT INTO changes (user_id, made_at, way, kind, finished) VALUES (?, ?, 'page', 'create', 1)", (user, now)).lastrowid
    number = database.execute(
        "INSERT INTO tasks (id, user_id, category_id, priority, status, pinned, created_at, updated_at, version, title, folded) "
        "VALUES (?, ?, ?, 1, 0, 0, ?, ?, 1, 'A task of the benchmark', 'a task of the benchmark')", (identifier, user, category, now, now)).lastrowid
    if history:
        database.execute("INSERT INTO task_changes (change_id, task_number) VALUES (?, ?)", (change, number))
        database.execute("UPDATE changes SET task_count = 1, finished = 1 WHERE id = ?", (change,))
    database.execute(
        "INSERT INTO task_counts VALUES (?, 0, ?, 1, 0, 1) ON CONFLICT DO UPDATE SET count = count + excluded.count", (user, category))
    database.execute("UPDATE users SET revision = revision + 1 WHERE id = ?", (user,))
