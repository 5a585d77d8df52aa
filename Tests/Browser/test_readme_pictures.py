"""The six pictures of the README: taken of the real pages with `--mend` (make readme); else it is looked whether they are there and small."""

import datetime
import pathlib
import re

from conftest import ROOT

FOLDER = ROOT / "Tests/Browser/pictures"
ENGLISH = [("Book the train to Hamburg", 1, {"priority": "high", "category": "life", "pinned": "1",
                                             "content": "Window seat, **quiet** coach.\n\n- out on Friday\n- back on Sunday"}),
           ("Send the quarterly figures to Meike", -3, {"priority": "high", "category": "work"}),
           ("Water the plants", 0, {"category": "life"}), ("Dentist", 0, {"category": "health"}),
           ("Read chapter 4 and do the exercises", 4, {"category": "study", "content": "Pages 88 to 121"}),
           ("Prepare the slides for Thursday", 2, {"category": "work"}), ("Back up the photos", None, {"priority": "low", "category": "life"}),
           ("Renew the library card", 12, {"category": "study"}), ("Run 5 km", None, {"category": "health", "priority": "low"})]
CHINESE = [("订去杭州的高铁票", 1, {"priority": "high", "category": "life", "pinned": "1", "content": "靠窗，**二等座**即可。"}),
           ("把季度报表发给 Meike", -3, {"priority": "high", "category": "work"}), ("今天买牛奶和面包", 0, {"category": "life"}),
           ("看牙医", 0, {"category": "health"}), ("读完第 4 章并做习题", 4, {"category": "study", "content": "第 88 至 121 页"}),
           ("准备周四的幻灯片", 2, {"category": "work"}), ("备份照片", None, {"priority": "low", "category": "life"}),
           ("续借图书馆的书", 12, {"category": "study"}), ("跑 5 公里", None, {"category": "health", "priority": "low"})]


def fill(person, tasks):
    today = datetime.date.today()
    for title, days, form in reversed(tasks):
        due = {} if days is None else {"due": (today + datetime.timedelta(days)).isoformat()}
        assert person.context.request.post("/tasks", form={"title": title, **due, **form}, max_redirects=0).status == 303
    for title in ["Call the vet", "Fix the bicycle", "Order coffee"]:
        person.context.request.post("/tasks", form={"title": title, "status": "completed"}, max_redirects=0)
    person.context.request.post("/filters", form={"name": {"en": "Work this week", "zh-Hans": "本周工作"}[person.language],
                                                  "category": "work", "due": "week"}, max_redirects=0)


def picture(person, path, name, width, height, theme="light"):
    page = person.page
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.goto(path)
    page.screenshot(path=FOLDER / (name + ".png"))


def test_the_readme_shows_six_pictures(people, request):
    if request.config.getoption("--mend"):
        FOLDER.mkdir(exist_ok=True)
        ada, ya = people("ada").sign_up(), people("小雅", "zh-Hans").sign_up()
        fill(ada, ENGLISH)
        fill(ya, CHINESE)
        picture(ada, "/tasks", "list", 1000, 640)
        first = ada.rows.first.get_by_role("link").get_attribute("href")
        picture(ada, "/tasks", "dark", 1000, 640, "dark")
        picture(ada, first, "editor", 1250, 640)
        picture(ada, "/dashboard", "dashboard", 1000, 640)
        picture(ya, "/tasks", "phone", 390, 700)
        picture(ya, "/filters", "filter", 390, 700, "dark")
    shown = re.findall(r'src="(Tests/Browser/pictures/[a-z]+\.png)"', (ROOT / "README.md").read_text())
    assert len(shown) == 6 and len(set(shown)) == 6
    for path in shown:
        data = (ROOT / path).read_bytes()
        assert data.startswith(b"\x89PNG") and len(data) < 80_000, f"{path}: {len(data)} bytes"
    assert {pathlib.Path(path).name for path in shown} == {path.name for path in FOLDER.iterdir()}
