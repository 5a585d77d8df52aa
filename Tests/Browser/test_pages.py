"""Every page: axe finds nothing in light or dark, wide or narrow, and nothing leaves its width. `--pictures FOLDER` keeps a picture of each."""

import pathlib

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

STRANGER = ["/sign-in", "/sign-up"]
SIGNED_IN = ["/tasks", "/tasks?status=completed", "/tasks?q=nothing", "/tasks?sort=newest", "/tasks/new", "EDITOR", "EDITOR/history", "/trash",
             "/filters", "/categories", "/dashboard", "/settings", "/settings/password", "/settings/sessions", "/settings/tokens", "/import",
             "/settings/delete-account", "/export", "/tasks/lines", "/admin/users", "/admin/audit", "/admin/server", "/help", "/no-such-page"]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
VIEWS = [("wide", 1280, 800, "light"), ("wide", 1280, 800, "dark"), ("narrow", 390, 844, "light"), ("narrow", 390, 844, "dark")]


def look(person, path, pictures):
    page = person.page
    faults = []
    page.goto(path)
    for view, width, height, theme in VIEWS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        expect(page.locator("h1")).to_have_count(1)
        for found in Axe().run(page, options={"runOnly": RULES}).response["violations"]:
            nodes = ", ".join(node["html"][:120] for node in found["nodes"][:3])
            faults.append(f"{path}, {view}, {theme}: {found['id']} ({found['help']}): {nodes}")
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wider > 0:
            faults.append(f"{path}, {view}: {wider} px too wide")
        if pictures:
            name = path.strip("/").replace("/", "-").replace("?", "-").replace("=", "-")
            page.screenshot(path=pathlib.Path(pictures, f"{person.language}-{name}-{view}-{theme}.png"), full_page=True)
    return faults


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_pages_are_accessible_and_have_pictures(people, request, language):
    pictures = request.config.getoption("--pictures")
    if pictures:
        pathlib.Path(pictures).mkdir(parents=True, exist_ok=True)
    ada = people("ada", language)
    faults = [fault for path in STRANGER for fault in look(ada, path, pictures)]
    ada.page.set_viewport_size({"width": 1280, "height": 800})
    ada.sign_up()
    for form in [{"title": "今天买牛奶和面包", "priority": "high", "due": "2026-01-05", "category": "life"},
                 {"title": "Water the plants", "content": "# Which\n\n- the fern\n- `ficus`", "due": "2040-05-01T18:30", "pinned": "1"},
                 {"title": "A long title that wraps, " * 12, "priority": "low"}, {"title": "Done", "status": "completed"},
                 {"title": "Thrown away"}]:
        assert ada.context.request.post("/tasks", form=form, max_redirects=0).status in (201, 303)
    ada.page.goto("/tasks?status=all")
    editor = ada.row("Water the plants").get_by_role("link").get_attribute("href")
    ada.context.request.post(editor + "/completion", form={"completed": "1"})
    ada.context.request.post(editor + "/completion", form={"completed": "0"})
    thrown = ada.row("Thrown away").get_by_role("link").get_attribute("href")
    ada.context.request.post(thrown + "/trash")
    for path in SIGNED_IN:
        faults += look(ada, path.replace("EDITOR", editor), pictures)
    assert not faults, "\n".join(faults)
