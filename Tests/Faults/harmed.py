"""What holds where the file or its disk is not as it should be. Each is a function of a place, a source of chance and a number of rounds."""

import contextlib
import json
import sqlite3
import subprocess
import threading
import time

from place import ROOT, Place, Skipped, expect


def two_servers(place, chance, rounds):
    """a second server says who serves the file already, waits, and takes over where that one stops"""
    place.prepare()
    with place.serving() as first:
        second = place.start("serve", "--port", "0", "--resources", ROOT)
        output, errors = second.communicate(timeout=60)
        expect(second.returncode == 1 and f"process {first.process.pid} on" in errors, second.returncode, output, errors)
        expect(first.ask("POST", "/tasks", {"title": "still here"})[0] == 201, "the first one is disturbed")
        threading.Timer(1, first.process.terminate).start()
        with place.serving() as third:
            expect(third.ask("GET", "/tasks")[0] == 200, "the third one does not answer")
        first.process.wait(20)


def moved_file(place, chance, rounds):
    """where the file is moved away nothing is said to be kept; back again, all goes on"""
    place.prepare()
    with place.serving() as server:
        expect(server.ask("POST", "/tasks", {"title": "before"})[0] == 201, "before")
        away = place.path.with_suffix(".away")
        place.path.rename(away)
        expect(server.ask("POST", "/tasks", {"title": "meanwhile"})[0] == 503, "a change was taken that nobody finds")
        expect(server.ask("GET", "/tasks")[0] == 200, "reading does not go on")
        away.rename(place.path)
        server.until(201, "POST", "/tasks", {"title": "after"})
    expect(place.titles() == {"before", "after"}, place.titles())


def vanished_folder(place, chance, rounds):
    """where the folder of the file vanishes reading goes on and changes are refused in words; back again, all goes on"""
    place.path = place.folder / "data" / "docket.sqlite3"
    place.path.parent.mkdir()
    place.prepare()
    with place.serving() as server:
        expect(server.ask("POST", "/tasks", {"title": "before"})[0] == 201, "before")
        away = place.folder / "away"
        place.path.parent.rename(away)
        status, text = server.ask("POST", "/tasks", {"title": "meanwhile"})
        expect(status == 503 and len(text) > 20, "a change", status, text)
        expect("before" in server.ask("GET", "/tasks")[1], "reading does not go on")
        expect(server.ask("GET", "/healthz")[0] == 503, "said to be well")
        away.rename(place.path.parent)
        server.until(201, "POST", "/tasks", {"title": "after"})
        server.until(200, "GET", "/healthz")
    expect(place.titles() == {"before", "after"}, place.titles())


def foreign_lock(place, chance, rounds):
    """while another program holds the file reading goes on, a change waits within a bound and is refused with 503; a start says who is to blame"""
    place.prepare()
    with place.serving() as server:
        for words in ("BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"):
            with contextlib.closing(sqlite3.connect(place.path, isolation_level=None)) as other:
                other.execute(words)
                began = time.monotonic()
                status, text = server.ask("POST", "/tasks", {"title": words})
                expect(status == 503 and len(text) > 20 and time.monotonic() - began < 15, words, status, time.monotonic() - began, text)
                expect(server.ask("GET", "/tasks")[0] == 200, "reading does not go on")
            expect(server.ask("POST", "/tasks", {"title": "after"})[0] == 201, "does not go on")
    expect(place.titles() == {"after"}, place.titles())
    with contextlib.closing(sqlite3.connect(place.path, isolation_level=None)) as other:
        other.executescript("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT; BEGIN EXCLUSIVE")
        expect("locked by another program" in place.run("serve", "--port", "0", "--resources", ROOT, code=1), "words of the start")


def beside_others(place, chance, rounds):
    """beside a shell that reads and writes, backups and other commands no change is refused"""
    place.prepare(2_000)
    with place.serving() as server:
        stop, shell = threading.Event(), []

        def write():
            with contextlib.closing(sqlite3.connect(place.path, timeout=20, isolation_level=None)) as other:
                while not stop.is_set():
                    other.execute("UPDATE users SET revision = revision + 1")
                    other.execute("SELECT count(*) FROM tasks").fetchall()
                    shell.append(1)

        def command(*words):
            while not stop.is_set():
                place.run(*words)

        others = [
            threading.Thread(target=write), threading.Thread(target=command, args=("backup", place.folder / "kept")),
            threading.Thread(target=command, args=("user", "list")), threading.Thread(target=command, args=("check",)),
        ]
        for one in others:
            one.start()
        try:
            end = time.monotonic() + 10
            for number in range(10 + rounds):
                if number >= 10 and time.monotonic() > end:
                    break
                status, text = server.ask("POST", "/tasks", {"title": f"beside {number}"})
                expect(status == 201, status, text)
        finally:
            stop.set()
            for one in others:
                one.join()
        expect(shell, "the shell did nothing")
    place.sound()


def failing_disk(place, chance, rounds):
    """where the disk fails, and its file system takes nothing any more, reading goes on and changes are refused in words"""
    with small_disk(place, 48) as below, contextlib.ExitStack() as ends:
        # A disk that has less room than it says: what is written to a new place of it fails.
        image, folder = below.folder / "image", below.folder / "failing"
        folder.mkdir()
        with open(image, "wb") as file:
            file.truncate(64 << 20)
        subprocess.run(["mkfs.ext4", "-q", "-F", image], check=True)
        if subprocess.run(["mount", "-o", "loop,errors=remount-ro", image, folder], capture_output=True).returncode != 0:
            raise Skipped("no loop device can be mounted here")
        ends.callback(subprocess.run, ["umount", "-l", folder], check=True)
        disk = Place(place.program, folder).prepare(500)
        with disk.serving() as server:
            expect(server.ask("POST", "/tasks", {"title": "before"})[0] == 201, "before")
            fill(below.folder)
            statuses = [server.ask("POST", "/tasks", {"title": f"t{number}", "content": "x" * 15_000})[0] for number in range(300)]
            expect(set(statuses) <= {201, 503, 507} and statuses[-1] != 201, set(statuses))
            expect("before" in server.ask("GET", "/tasks?sort=created_asc&q=before")[1], "reading does not go on")
            expect(server.ask("GET", "/healthz")[0] == 503, "said to be well")
            server.kill()


def damaged_page(place, chance, rounds):
    """with a damaged page the server starts, other pages are there, and check and backup say so"""
    place.prepare(3_000)
    content = bytearray(place.path.read_bytes())
    spot = content.index(b"first task 1500 with some words")
    start = spot // 4096 * 4096
    content[start:start + 4096] = b"\xa5" * 4096
    place.path.write_bytes(content)
    with place.serving() as server:
        statuses = set()
        for page in range(1, 31):
            status, text = server.ask("GET", f"/tasks?per_page=100&page={page}&sort=created_asc", accept="text/html")
            statuses.add(status)
            expect(status == 200 or status == 500 and len(text) > 200, page, status, text[:200])
        expect(statuses == {200, 500}, statuses)
        expect(server.ask("POST", "/tasks", {"title": "another"})[0] == 201, "a change elsewhere")
    expect("WRONG integrity" in place.run("check", code=1), "check")
    expect("damaged" in place.run("backup", place.folder / "kept", code=1), "backup")
    expect(not (place.folder / "kept").exists(), "a backup of a damaged file")


def broken_rows(place, chance, rounds):
    """rows that break a rule are told by check, and harm nobody else's page"""
    place.prepare(20)
    place.run("user", "add", "bob", text="correct horse battery staple\n")
    place.write("PRAGMA ignore_check_constraints = 1; UPDATE tasks SET priority = 7 WHERE number = 3")
    expect("CHECK" in place.run("check", code=1), "check")
    with place.serving() as server:
        status, text = server.ask("GET", "/tasks?per_page=50", accept="text/html")
        expect(status in (200, 500) and len(text) > 200, status)
        expect("damaged" in (place.folder / "server.log").read_text() or status == 200, "the log does not name the row")
        place.token = place.run("token", "add", "--user", "bob", "--name", "faults").strip()
        expect(server.ask("GET", "/tasks")[0] == 200, "bob's list")


def wrong_counter(place, chance, rounds):
    """counters, sort keys and search terms changed by hand are told by check, and made anew by it"""
    place.prepare(20)
    place.write("UPDATE task_counts SET count = count + 3; UPDATE search_progress SET through = 20")
    told = place.run("check", code=1)
    expect("WRONG counters" in told and "WRONG search index" in told and "--mend" in told, told)
    mended = place.run("check", "--mend")
    expect("made anew: counters, search index" in mended, mended)
    place.sound()
    expect("WRONG" not in place.run("check"), "still wrong")
    expect(not [one for one in place.folder.glob("docket.sqlite3-*")], "a log is left beside a file that nobody has open")


def newer_schema(place, chance, rounds):
    """a file of a newer program is refused in words, and left as it is"""
    place.prepare()
    place.write("PRAGMA user_version = 99")
    for words in (("serve", "--port", "0", "--resources", ROOT), ("user", "list"), ("check",)):
        expect("version 99" in place.run(*words, code=1), words)
    expect(place.read("PRAGMA user_version") == [(99,)], "changed")


def restore_itself(place, chance, rounds):
    """a restore of the database onto itself is refused"""
    place.prepare(5)
    expect("is the database itself" in place.run("restore", place.path, code=1), "words")
    expect(len(place.titles()) == 5, "tasks")


def process_zone(place, chance, rounds):
    """whatever zone the process has, the same is stored and shown"""
    place.prepare()
    seen = set()
    for zone in ("UTC", "Pacific/Auckland", "America/St_Johns", "Asia/Kathmandu", ":/nowhere"):
        with place.serving({"TZ": zone}) as server:
            status, text = server.ask("POST", "/tasks", {"title": "zone", "due": "2026-01-11T12:00"}, accept="application/json")
            expect(status == 201, status, text)
            task = json.loads(text)
            row = place.read("SELECT due_at, due_on, due_key FROM tasks ORDER BY number DESC LIMIT 1")[0]
            created = server.ask("GET", "/tasks?due=2026-01-11..2026-01-11&format=json")[1]
            seen.add((task["due"], row, json.loads(created)["tasks"][0]["due"]))
    expect(len(seen) == 1, seen)


@contextlib.contextmanager
def small_disk(place, megabytes):
    """The place on a file system of its own."""
    folder = place.folder / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], capture_output=True)
    if made.returncode != 0:
        raise Skipped("nothing can be mounted here")
    try:
        yield Place(place.program, folder)
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def fill(folder):
    with contextlib.suppress(OSError), open(folder / "ballast", "wb", buffering=0) as file:
        while True:
            file.write(b"\0" * 4096)


def full_disk(place, chance, rounds):
    """without room reading goes on, changes, imports and migrations are refused in words, and with room all goes on by itself"""
    with small_disk(place, 24) as place:
        place.prepare(2_000)
        with place.serving() as server:
            server.ask("POST", "/tasks", {"title": "before"})
            fill(place.folder)
            refused = [server.ask("POST", "/tasks", {"title": f"t{number}", "content": "x" * 15_000})[0] for number in range(40)]
            expect(507 in refused and set(refused) <= {201, 503, 507}, set(refused))
            expect(server.ask("GET", "/tasks")[0] == 200, "reading")
            (place.folder / "ballast").unlink()
            server.until(201, "POST", "/tasks", {"title": "after"})
        place.sound()
        expect({"before", "after"} <= place.titles(), "tasks")
        # An import that runs into it.
        source = place.todo(60_000, "large")
        told = place.run("import", source, "--user", "ada", code=1)
        expect("no room" in told, told)
        source.unlink()
        # Taking it away wants room too.
        subprocess.run(["mount", "-o", "remount,size=96m", place.folder], check=True)
        with place.serving():
            pass
        expect(not [one for one in place.titles() if one.startswith("large")], "half an import")
        place.sound()


def full_backup(place, chance, rounds):
    """a backup for which there is no room says so, and the one before stands"""
    place.prepare(8_000)
    with small_disk(place, 1) as disk:
        (disk.folder / "kept").write_bytes(b"")
        told = place.run("backup", disk.folder / "kept", code=1)
        expect("no room" in told, told)
        expect([one.name for one in disk.folder.iterdir()] == ["kept"], list(disk.folder.iterdir()))


def full_migration(place, chance, rounds):
    """a migration for which there is no room leaves the file as it was, and succeeds when there is"""
    with small_disk(place, 1) as place:
        place.write((ROOT / "Tests/DocketTests/Data/schema-1.sql").read_text())
        before = place.read("SELECT * FROM tasks")
        fill(place.folder)
        expect("no room" in place.run("user", "list", code=1), "words")
        (place.folder / "ballast").unlink()
        expect(place.read("SELECT * FROM tasks") == before, "rows")


def read_only(place, chance, rounds):
    """on a file system that is mounted read-only the start is refused in words"""
    with small_disk(place, 8) as place:
        place.prepare(5)
        subprocess.run(["mount", "-o", "remount,ro", place.folder], check=True)
        expect("Read-only file system" in place.run("serve", "--port", "0", "--resources", ROOT, code=1), "words")


SCENARIOS = [
    two_servers, moved_file, vanished_folder, foreign_lock, beside_others, failing_disk, damaged_page, broken_rows, wrong_counter,
    newer_schema, restore_itself, process_zone, full_disk, full_backup, full_migration, read_only,
]
