"""A person's first day with Docket, through the forms that are on the pages: with and without JavaScript, in both languages."""

import re

import pytest
from playwright.sync_api import expect

TITLES = ["今天买牛奶和面包", "Water the plants", "Call the vet", "Pay the rent", "Fix the bicycle", "Read “Middlemarch”", "去图书馆还书",
          "Plan the trip", "Back up the photos", "Write to grandmother"]


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_the_first_day(people, script, language):
    ada = people("ada", language, script).sign_up()
    page, text = ada.page, ada.text
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.get_by_text(text["empty.first_text"])).to_be_visible()

    for title in TITLES:
        ada.add(title)
    expect(ada.rows).to_have_count(10)

    # Edits one.
    page.get_by_role("link", name="Pay the rent", exact=True).click()
    page.locator("#title").fill("Pay the rent and the water")
    page.locator("#content").fill("By **bank transfer**")
    page.locator("input[name=due]").fill("2040-05-01")
    page.get_by_text(text["priority.high"], exact=True).click()
    page.get_by_role("button", name=text["edit.save"], exact=True).click()
    expect(ada.row("Pay the rent and the water")).to_have_class(re.compile("high"))
    expect(ada.rows).to_have_count(10)

    # Completes three.
    for left, title in [(9, "Water the plants"), (8, "Call the vet"), (7, "Plan the trip")]:
        ada.row(title).get_by_role("button", name=text["row.complete"] + title).click()
        expect(ada.rows).to_have_count(left)
    ada.choose("status", "completed")
    expect(ada.rows).to_have_count(3)

    # Throws the completed ones away, and takes them back: by undo, and out of the trash.
    page.locator("[formaction='/tasks/trash-completed']").click()
    expect(ada.rows).to_have_count(0)
    page.get_by_role("button", name=text["notice.undo"]).click()
    expect(ada.rows).to_have_count(3)
    page.locator("[formaction='/tasks/trash-completed']").click()
    expect(ada.rows).to_have_count(0)
    page.goto("/trash")
    expect(page.locator(".lines > li")).to_have_count(3)
    page.get_by_role("button", name=text["trash.restore_label"].replace("{title}", "Call the vet")).click()
    expect(page.locator(".lines > li")).to_have_count(2)
    page.goto("/tasks?status=all")
    expect(ada.rows).to_have_count(8)

    # Searches, and saves what was looked for as a filter.
    page.goto("/tasks")
    page.locator("#q").fill("牛奶")
    page.locator("#q").press("Enter")
    expect(ada.rows).to_have_count(1)
    expect(page.locator(".rows mark")).to_have_text("牛奶")
    page.get_by_role("link", name=text["conditions.save"]).click()
    page.locator("[name=name]").fill("Milk 牛奶")
    page.get_by_role("button", name=text["filter.save"]).click()
    saved = page.locator("#side").get_by_role("link", name="Milk 牛奶")
    expect(saved).to_contain_text("1")
    saved.click()
    expect(ada.rows).to_have_count(1)

    # Signs out: what is behind the address is shown no more.
    page.get_by_role("button", name=text["nav.sign_out"]).click()
    page.goto("/tasks")
    expect(page).to_have_url(re.compile("/sign-in"))


def test_a_second_person_sees_and_reaches_nothing(people):
    ada = people("ada").sign_up()
    ada.add("Ada's own")
    address = ada.row("Ada's own").get_by_role("link").get_attribute("href")
    bob = people("bob").sign_up()
    expect(bob.rows).to_have_count(0)
    expect(bob.page.get_by_text(bob.text["empty.first_title"])).to_be_visible()
    for path in [address, address + "/history"]:
        assert bob.page.goto(path).status == 404
    assert "Ada's own" not in bob.page.content()
    for path, form in [("", {"title": "mine", "version": "1"}), ("/completion", {"completed": "1"}), ("/pin", {"pinned": "1"}),
                       ("/trash", {}), ("/restore", {})]:
        assert bob.context.request.post(address + path, form=form).status == 404
    ada.page.reload()
    expect(ada.row("Ada's own")).to_have_count(1)


def test_the_keyboard_is_enough(people):
    ada = people("ada")
    page = ada.page
    page.goto("/sign-up")
    expect(page.locator("[name=username]")).to_be_focused()
    page.keyboard.type("ada")
    page.keyboard.press("Tab")
    page.keyboard.type("correct horse battery staple")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/tasks$"))
    for title in ["one", "two", "three"]:
        expect(page.locator("#add")).to_be_focused()
        page.keyboard.type(title)
        page.keyboard.press("Enter")
        expect(ada.row(title)).to_have_count(1)
        expect(page.locator("#add")).to_have_value("")
    page.keyboard.press("Escape")
    expect(ada.row("three").get_by_role("link")).to_be_focused()
    page.keyboard.press("j")
    expect(ada.row("two").get_by_role("link")).to_be_focused()
    page.keyboard.press("c")
    expect(ada.rows).to_have_count(2)
    page.keyboard.press("u")
    expect(ada.rows).to_have_count(3)
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("thr")
    page.keyboard.press("Enter")
    expect(ada.rows).to_have_count(1)
    page.goto("/tasks")
    # Without any key of ours: Tab leads past the skip link, and Enter opens what has the focus.
    page.locator("body").press("Tab")
    for _ in range(80):
        if page.evaluate("document.activeElement.textContent") == "three":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#title")).to_have_value("three")


def test_a_conflict_keeps_both_texts(people):
    ada = people("ada").sign_up()
    ada.add("Bread")
    page = ada.page
    page.get_by_role("link", name="Bread", exact=True).click()
    # Until the page is there, its address is still that of the list, and the version in its form is not read.
    expect(page.locator("#title")).to_have_value("Bread")
    second = ada.context.new_page()
    second.goto(page.url)
    second.locator("#title").fill("Bread and butter")
    second.get_by_role("button", name=ada.text["edit.save"], exact=True).click()
    expect(second.get_by_role("link", name="Bread and butter", exact=True)).to_be_visible()
    page.locator("#title").fill("Bread and jam")
    page.get_by_role("button", name=ada.text["edit.save"], exact=True).click()
    expect(page.get_by_role("heading", name=ada.text["conflict.title"])).to_be_visible()
    expect(page.locator(".conflict")).to_contain_text("Bread and butter")
    expect(page.locator("#title")).to_have_value("Bread and jam")
