"""What holds after kill -9 at a random moment. Each is a function of a place, a source of chance and a number of rounds."""

import contextlib
import http.client
import json
import threading

from place import ROOT, Server, expect, wait


def kill_serve(place, chance, rounds):
    """what was answered with success is there after kill -9, and no half of anything"""
    place.prepare()
    made, done = set(), set()
    for number in range(rounds):
        server = Server(place)
        lock, enough = threading.Lock(), chance.randint(20, 150)
        count = [0]

        def client(index):
            connection = server.connect()
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                for step in range(1_000):
                    title = f"{number} {index} {step}"
                    status, text = server.ask("POST", "/tasks", {"title": title}, connection, "application/json")
                    expect(status == 201, status, text)
                    with lock:
                        made.add(title)
                        count[0] += 1
                        if count[0] == enough:
                            server.process.kill()
                    if step % 3 == 0:
                        status, text = server.ask("POST", f"/tasks/{json.loads(text)['id']}/completion", {"completed": "1"}, connection)
                        with lock:
                            done.add(title)

        clients = [threading.Thread(target=client, args=(index,)) for index in range(6)]
        for one in clients:
            one.start()
        for one in clients:
            one.join()
        server.kill()
        server.stop()
        expect(made <= place.titles(), "lost:", sorted(made - place.titles())[:5])
        completed = {row[0] for row in place.read("SELECT title FROM tasks WHERE status = 1 AND completed_at IS NOT NULL")}
        expect(done <= completed, "not completed any more:", sorted(done - completed)[:5])
        place.sound()


def kill_bulk(place, chance, rounds):
    """a change of thousands of tasks that is killed is there whole or not at all, and whole where it was answered"""
    place.prepare(6_000)
    for _ in range(rounds):
        was = place.read("SELECT DISTINCT pinned FROM tasks")
        form = {"action": "unpin" if was == [(1,)] else "pin", "all": "1", "status": "all"}
        server = Server(place)
        answered = threading.Event()

        def change():
            with contextlib.suppress(OSError, http.client.HTTPException):
                if server.ask("POST", "/tasks/bulk", form)[0] == 200:
                    answered.set()

        client = threading.Thread(target=change)
        client.start()
        wait(0, 0.4, chance)
        server.kill()
        client.join()
        server.stop()
        now = place.read("SELECT DISTINCT pinned FROM tasks")
        expect(len(now) == 1, "half a change")
        expect(now != was or not answered.is_set(), "what was answered is gone")
        expect(place.read("SELECT DISTINCT (SELECT count(*) FROM task_changes WHERE change_id = id) = task_count FROM changes") == [(1,)], "half a history")
        place.sound()


def kill_import(place, chance, rounds):
    """an import that is killed leaves nothing once the next server has started"""
    place.prepare(500)
    place.todo(15_000, "second")
    for _ in range(rounds):
        process = place.start("import", place.folder / "second.txt", "--user", "ada")
        wait(0.02, 1.5, chance)
        process.kill()
        process.communicate()
        with place.serving() as server:
            expect(server.ask("GET", "/healthz")[0] == 200, "not well")
        count = place.read("SELECT count(*) FROM tasks")[0][0]
        expect(count in (500, 15_500), "half an import:", count)
        place.sound()
        if count > 500:
            change = place.read("SELECT max(id) FROM changes WHERE kind = 'import'")[0][0]
            place.write(f"PRAGMA foreign_keys = ON; DELETE FROM tasks WHERE number IN (SELECT task_number FROM task_changes WHERE change_id = {change})")
            place.write(f"PRAGMA foreign_keys = ON; DELETE FROM changes WHERE id = {change}")


def kill_backup(place, chance, rounds):
    """under the name of a backup there is a whole one or none, whatever was killed"""
    place.prepare(5_000)
    target = place.folder / "kept.sqlite3"
    with place.serving() as server:
        for number in range(rounds):
            process = place.start("backup", target, "--keep", "3")
            server.ask("POST", "/tasks", {"title": f"meanwhile {number}"})
            wait(0, 0.15, chance)
            process.kill()
            process.communicate()
            for one in place.folder.glob("kept.sqlite3*"):
                if "partial" not in one.name:
                    expect(place.at(one).read("PRAGMA integrity_check") == [("ok",)], one)
        place.run("backup", target, "--keep", "3")
    names = sorted(one.name for one in place.folder.glob("kept*"))
    expect(names[0] == "kept.sqlite3" and len(names) <= 3 and "partial" not in " ".join(names), names)
    expect(place.at(target).titles() == place.at(place.folder / "docket.sqlite3").titles(), "not the same tasks")


def kill_migration(place, chance, rounds):
    """a file of the first release is of that version or of today's with all its rows, whenever its migration is killed"""
    script, newest = (ROOT / "Tests/DocketTests/Data/schema-1.sql").read_text(), None
    for _ in range(rounds):
        for one in place.folder.glob("docket*"):
            one.unlink()
        place.write(script)
        before = place.read("SELECT title, content, status FROM tasks")
        old = place.read("PRAGMA user_version")
        process = place.start("user", "list")
        wait(0, 0.12, chance)
        process.kill()
        process.communicate()
        expect(place.read("SELECT title, content, status FROM tasks") == before, "rows")
        place.run("user", "list")
        version = place.read("PRAGMA user_version")
        newest = newest or version
        expect(version == newest and version > old, "version", version)
        expect(place.read("SELECT title, content, status FROM tasks") == before, "rows after it")
        place.sound()


def kill_restore(place, chance, rounds):
    """a restore that is killed leaves the database that was or the one that comes"""
    place.prepare(3_000)
    backup = place.folder / "kept.sqlite3"
    place.run("backup", backup)
    place.run("import", place.todo(50, "later"), "--user", "ada")
    for _ in range(rounds):
        process = place.start("restore", backup)
        wait(0, 0.25, chance)
        process.kill()
        process.communicate()
        count = place.read("SELECT count(*) FROM tasks")[0][0]
        expect(count in (3_000, 3_050), "tasks:", count)
        place.sound()
        for one in [*place.folder.glob("*-copy-*"), *place.folder.glob("*.before-restore-*")]:
            one.unlink()


SCENARIOS = [kill_serve, kill_bulk, kill_import, kill_backup, kill_migration, kill_restore]
