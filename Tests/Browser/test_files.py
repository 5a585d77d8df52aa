"""Files of tasks and calendar feeds, read by programs of others: Python's csv and json, icalendar, vobject, and Radicale's own reader."""

import csv
import datetime
import io
import json
import re
import sqlite3
import urllib.error
import urllib.request

import icalendar
import pytest
import radicale.item
import vobject
from conftest import Client

HOSTILE = [
    "Milk", "a,b;c\\d \"e\"", "back\\slash\\n", "\\", "\\\\", "\\,", ",", ";", ":", "=1+1", "-5 degrees", "@home", "+1", "'=1", "''", "'",
    "今天买牛奶和面包" * 20, "é" * 200, "🏴‍☠️👨‍👩‍👧‍👦" * 20, "a" * 67 + "牛奶", "a" * 500, "BEGIN:VTODO", "END:VCALENDAR", "50% done %s %n",
    "<b>&amp;</b>", "a\u202eb", "e\u0301" * 90, "x 2026-01-01 done", "(A) high", "due:2026-01-01", "\ufffd", "\u00a0x", "DTSTART;TZID=x:1",
    "semi;colon:colon=equals\"quote", "a \\n b", "tab\tinside",
]


def tasks(client):
    """Makes hostile tasks of every kind; as they are kept, oldest first."""
    for number, title in enumerate(HOSTILE):
        client.add(
            title, content=[f"one\ntwo;\\,\r\n\t{title}\n\n=x", "", title * 3][number % 3],
            priority=["low", "medium", "high"][number % 3], pinned=number % 2, status=["pending", "completed"][number % 4 == 3],
            category=["work", "life"][number % 2],
            due=["", "2026-12-24", "2026-12-24T18:30", "1900-01-01", "9999-12-30", "2026-03-29T02:30"][number % 6])
    page = client.json("/tasks?status=all&sort=created_asc&per_page=200")
    assert page["total"] == len(HOSTILE)
    made = page["tasks"]
    pinned = [task for task in made if task["pinned"]]
    assert pinned
    return sorted(made, key=lambda task: (task["created_at"], task["id"]))


def text(client, path):
    answer = client.send(path, accept="*/*")
    assert answer.status == 200
    return answer.read().decode("utf-8", "strict")


def feed(client, filter_id):
    answer = client.send(f"/filters/{filter_id}/feed", {"action": "renew"}, accept="text/plain")
    return answer.read().decode().strip()


def by_id(made):
    return {task["id"]: task for task in made}


def utc(task, name):
    return datetime.datetime.fromisoformat(task[name].replace("Z", "+00:00")) if task[name] else None


@pytest.fixture
def ada(server):
    client = Client(server.url)
    client.made = tasks(client)
    client.filter = client.json("/filters", {"name": "All; \"of\" them, 全部", "status": "all"})["id"]
    return client


def test_csv_and_json_hold_what_was_typed(ada):
    made = by_id(ada.made)
    rows = list(csv.DictReader(io.StringIO(text(ada, "/export?format=csv"), newline="")))
    assert len(rows) == len(made)
    for row in rows:
        task = made[row["id"]]
        assert row["title"] == task["title"] and row["content"] == task["content"]
        assert (row["pinned"] == "true") == task["pinned"] and row["priority"] == task["priority"]
    exported = json.loads(text(ada, "/export?format=json"))
    assert list(exported) == ["docket", "categories", "tasks"]
    for task in exported["tasks"]:
        kept = made[task["id"]]
        for name in set(task) - {"due", "created_at", "updated_at", "completed_at"}:
            assert task[name] == kept[name], name
    raw = ada.send("/export?format=spreadsheet", accept="*/*").read()
    assert raw.startswith(b"\xef\xbb\xbfid,title")
    rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))
    for row in rows:
        for cell in row.values():
            assert not cell or cell[0] not in "=+-@\t\r"
        undone = row["title"][1:] if re.match(r"'[=+\-@\t\r']", row["title"]) else row["title"]
        assert undone == made[row["id"]]["title"]


def lines(calendar):
    """The bytes of a calendar keep the rules of RFC 5545 section 3.1."""
    raw = calendar.encode()
    assert raw.endswith(b"END:VCALENDAR\r\n") and b"\r" not in raw.replace(b"\r\n", b"") and b"\n" not in raw.replace(b"\r\n", b"")
    for line in raw.split(b"\r\n"):
        assert len(line) <= 75
        line.decode()


@pytest.mark.parametrize("source", ["export", "list", "feed", "task"])
def test_icalendar_reads_every_task(ada, source):
    address = {"export": "/export?format=ics", "list": "/tasks?status=all&per_page=200&format=ics", "task": None}.get(source)
    if source == "feed":
        address = feed(ada, ada.filter).removeprefix(ada.url)
    addresses = [address] if address else [f"/tasks/{task['id']}?format=ics" for task in ada.made]
    seen = 0
    for address in addresses:
        content = text(ada, address)
        lines(content)
        calendar = icalendar.Calendar.from_ical(content)
        assert calendar.get("VERSION") == "2.0" and not calendar.errors
        for todo in calendar.walk("VTODO"):
            seen += 1
            assert not todo.errors
            task = by_id(ada.made)[str(todo["UID"])]
            assert str(todo["SUMMARY"]) == task["title"].replace("\r", "")
            assert str(todo.get("DESCRIPTION", "")) == task["content"]
            assert todo["PRIORITY"] == {"high": 1, "medium": 5, "low": 9}[task["priority"]]
            assert str(todo["STATUS"]) == ("COMPLETED" if task["status"] == "completed" else "NEEDS-ACTION")
            assert todo["SEQUENCE"] == task["version"]
            assert todo.decoded("CREATED") == utc(task, "created_at")
            assert todo.decoded("LAST-MODIFIED") == todo.decoded("DTSTAMP") == utc(task, "updated_at")
            assert ("COMPLETED" in todo) == (task["status"] == "completed")
            assert ("X-DOCKET-PINNED" in todo) == task["pinned"]
            if task["due"] is None:
                assert "DUE" not in todo
            elif len(task["due"]) == 10:
                assert todo.decoded("DUE") == datetime.date.fromisoformat(task["due"])
            else:
                due = todo.decoded("DUE")
                assert isinstance(due, datetime.datetime) and due.tzinfo is not None
    assert seen == len(ada.made)


def test_icalendar_reads_every_event(ada):
    content = text(ada, feed(ada, ada.filter).removeprefix(ada.url) + "?events=1")
    lines(content)
    calendar = icalendar.Calendar.from_ical(content)
    assert not calendar.errors
    events = {str(event["UID"]): event for event in calendar.walk("VEVENT")}
    due = {f"event-{task['id']}": task for task in ada.made if task["due"]}
    assert set(events) == set(due)
    for uid, event in events.items():
        start = event.decoded("DTSTART")
        if len(due[uid]["due"]) == 10:
            day = datetime.date.fromisoformat(due[uid]["due"])
            assert start == day and event.decoded("DTEND") == day + datetime.timedelta(days=1)
        else:
            assert start.tzinfo is not None and "DTEND" not in event
        assert str(event["SUMMARY"]).removeprefix("✓ ") == due[uid]["title"]


@pytest.mark.parametrize("query", ["", "?events=1"])
def test_vobject_and_radicale_read_every_feed(ada, query):
    content = text(ada, feed(ada, ada.filter).removeprefix(ada.url) + query)
    made = by_id(ada.made)
    calendar = vobject.readOne(content)
    calendar.validate(raiseException=True)
    components = list(calendar.vevent_list if query else calendar.vtodo_list)
    assert len(components) == sum(1 for task in ada.made if task["due"] or not query)
    for component in components:
        task = made[component.uid.value.removeprefix("event-")]
        assert component.summary.value.removeprefix("✓ ") == task["title"]
        assert getattr(component, "description", None) is None or component.description.value == task["content"]
    # As it would be taken in: a whole calendar, and each task as an item of its own, whose UID stays.
    items = radicale.item.read_components(content)
    radicale.item.check_and_sanitize_items(items, 1_000, is_collection=True, tag="VCALENDAR")
    assert len(items) == 1


def test_an_address_of_a_feed_needs_nobody_and_is_in_no_log(ada, server):
    url = feed(ada, ada.filter)
    secret = re.search(r"/feeds/([\w-]{43})\.ics$", url)[1]
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    answer = opener.open(url, timeout=15)
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    request = urllib.request.Request(url, headers={"If-None-Match": answer.headers["ETag"]})
    with pytest.raises(urllib.error.HTTPError) as unchanged:
        opener.open(request, timeout=15)
    assert unchanged.value.code == 304
    newer = feed(ada, ada.filter)
    assert newer != url
    for old in [url, url.replace(secret, "A" * 43)]:
        with pytest.raises(urllib.error.HTTPError) as gone:
            opener.open(old, timeout=15)
        assert gone.value.code == 404 and "Location" not in gone.value.headers
    server.run("user", "disable", "ada")
    with pytest.raises(urllib.error.HTTPError) as shut:
        opener.open(newer, timeout=15)
    assert shut.value.code == 404
    log = (server.folder / "log").read_text()
    assert "/feeds/{secret}.ics" in log and secret not in log and newer.rsplit("/", 1)[1] not in log


def test_an_export_that_is_read_slowly_holds_nobody_up(stopped):
    server = stopped.start("--write-seconds", "600")
    ada = Client(server.url)
    ada.add("Task 0")
    with sqlite3.connect(server.database, timeout=15) as database:
        database.execute(
            """
            WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 9999)
            INSERT INTO tasks (id, user_id, category_id, priority, status, pinned, created_at, updated_at, title, content, folded)
            SELECT randomblob(16), user_id, category_id, priority, n % 2, n % 3 = 0, created_at + n / 3000, updated_at, 'Task ' || n,
                printf('%400d', n), 'task ' || n FROM tasks, many
            """)
    slow = [ada.send("/export?format=json", accept="*/*") for _ in range(6)]
    starts = [answer.read(1_000) for answer in slow]
    # More of them than there are reading threads, each in the middle, and pages and changes go on.
    ada.add("meanwhile")
    assert ada.json("/tasks?q=meanwhile")["total"] == 1
    server.run("backup", "copy.sqlite3")
    for start, answer in zip(starts, slow):
        whole = json.loads(start + answer.read())
        titles = [task["title"] for task in whole["tasks"]]
        assert len(titles) in (10_000, 10_001) and len(set(titles)) == len(titles)


def test_the_command_writes_what_the_page_does(ada, server):
    for name in ["csv", "spreadsheet", "json", "ics", "todotxt"]:
        server.run("export", "--user", "ada", "--format", name, "--output", "out")
        assert (server.folder / "out").read_bytes() == ada.send(f"/export?format={name}", accept="*/*").read()
    with sqlite3.connect(server.database) as database:
        # By page and by command: who is the operator sees both.
        assert {row[0] for row in database.execute("SELECT detail FROM audit WHERE event = 'tasks_exported' AND address IS NULL")} == {
            "csv", "spreadsheet", "json", "ics", "todotxt"}
        by_page = "SELECT count(*) FROM audit WHERE event = 'tasks_exported' AND user_name = 'ada' AND address IS NOT NULL"
        # A page writes its line without waiting; a change comes behind it.
        ada.add("one more")
        assert database.execute(by_page).fetchone()[0] == 5
