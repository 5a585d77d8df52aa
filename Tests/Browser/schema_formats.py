"""Values for the formats of /openapi.json that are rules of Docket's own, which no schema can say: a name of one alphabet, a due date in
words, a category that there is. Schemathesis reads this file."""

import datetime
import itertools
import string

import schemathesis
from hypothesis import strategies as st

LETTERS = string.ascii_letters + string.digits
DAYS = st.dates(min_value=datetime.date(1901, 1, 1), max_value=datetime.date(9998, 12, 31)).map(str)
TIMES = st.times().map(lambda time: time.strftime("%H:%M"))
NUMBERS = itertools.count()
WORDS = ["today", "tomorrow", "+3d", "fri", "next monday", "tomorrow 18:30", "2026-12-24 18:30", "今天", "明天", "下周一", ""]


def visible(limit):
    """One line of any script, with something to see in it."""
    text = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"]), max_size=limit - 1)
    return st.tuples(st.sampled_from(LETTERS + "字é😀"), text).map("".join)


def ranges():
    return st.tuples(DAYS, DAYS).map(lambda days: "..".join(sorted(days)))


for name, strategy in {
    "line": visible(500),
    "lines": st.lists(visible(50), min_size=1, max_size=5).map("\n".join),
    # No two are the same, whatever was added before.
    "name": visible(40).map(lambda text: f"{text} {next(NUMBERS)}"),
    "form-id": st.text(LETTERS, max_size=20).map(lambda text: f"{text}-{next(NUMBERS)}"),
    "category": st.sampled_from(["work", "life", "study", "health"]),
    "due": st.one_of(st.sampled_from(WORDS), DAYS, st.tuples(DAYS, TIMES).map("T".join)),
    "due-condition": st.one_of(st.sampled_from(["overdue", "today", "week", "none", "any"]), ranges()),
    "days": ranges(),
    "time-zone": st.sampled_from(["Europe/Berlin", "Asia/Shanghai", "UTC"]),
    "username": st.text(LETTERS, min_size=1, max_size=40),
    "import-format": st.sampled_from(["csv", "json", "todotxt", "icalendar", ""]),
    "encoding": st.sampled_from(["UTF-8", "GB18030", ""]),
    "delimiter": st.sampled_from(["comma", "semicolon", "tab", "pipe", ""]),
    "yes-no": st.sampled_from(["yes", "no", ""]),
    "columns": st.sampled_from(["title=1,due=4", "title=2", ""]),
    "column": st.sampled_from(["title", "content", "keep"]),
    "date-order": st.sampled_from(["day", "month", ""]),
    "password": st.text(string.ascii_letters + string.digits, min_size=20, max_size=30),
}.items():
    schemathesis.openapi.format(name, strategy)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Each request is a form of its own, and the first four categories stay: they are the values of the format "category"."""
    if isinstance(case.body, dict) and isinstance(case.body.get("form_id"), str) and 0 < len(case.body["form_id"]) <= 200:
        case.body["form_id"] = f"{case.body['form_id'][:180]}-{next(NUMBERS)}"
    number = str((case.path_parameters or {}).get("id"))
    if case.operation.path == "/categories/{id}/trash" and number in ("1", "2", "3", "4"):
        case.path_parameters["id"] = int(number) + 4
