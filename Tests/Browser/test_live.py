"""Windows that know of each other, counts that follow what is typed, a place on the page that is kept, and a keyboard that is enough."""

import re

import pytest
from playwright.sync_api import expect


def test_a_change_in_one_window_shows_in_the_other_and_never_under_someones_typing(people):
    ada = people("ada").sign_up()
    second = ada.context.new_page()
    second.goto("/tasks")
    ada.add("Bread")
    expect(second.locator(".rows a", has_text="Bread")).to_have_count(1, timeout=3_000)
    expect(second.locator("#side li a").first).to_contain_text("1")
    # What is being typed in the other window stays, and so does its focus.
    second.locator("#add").fill("half a thou")
    ada.row("Bread").get_by_role("button", name=ada.text["row.complete"] + "Bread").click()
    expect(ada.rows).to_have_count(0)
    second.locator("#add").press("Space")
    expect(second.locator("#add")).to_have_value("half a thou ")
    expect(second.locator("#add")).to_be_focused()
    expect(second.locator(".rows a", has_text="Bread")).to_have_count(1)
    # Once it is let go, the window catches up.
    second.locator("#add").fill("")
    second.locator("h1").click()
    expect(second.locator(".rows a")).to_have_count(0)


def test_what_was_done_is_told_in_the_window_in_which_it_was_done(people):
    ada = people("ada").sign_up()
    second = ada.context.new_page()
    second.goto("/tasks")
    for number in range(6):
        ada.add(f"Bread {number}")
        expect(second.locator(".rows > li")).to_have_count(number + 1)
        expect(ada.page.locator(".notice p")).to_have_text(ada.text["notice.added"].replace("{title}", f"Bread {number}"))
        expect(second.locator(".notice")).to_have_count(0)


def test_a_session_that_ends_takes_nothing_that_is_being_typed(people):
    ada = people("ada").sign_up()
    ada.context.clear_cookies()
    field = ada.page.locator("#add")
    with ada.page.expect_response("**/sign-in*"):
        field.press_sequentially("Bread !high")
    field.press("Space")
    expect(field).to_have_value("Bread !high ")
    expect(ada.page).to_have_url(re.compile("/tasks$"))
    # What is asked for by hand leads to where it is had again.
    field.fill("")
    ada.page.locator("h1").click()
    ada.page.keyboard.press("?")
    expect(ada.page).to_have_url(re.compile("/sign-in"))


def test_a_range_is_selected_and_all_that_match(people):
    ada = people("ada").sign_up()
    for number in range(30):
        assert ada.context.request.post("/tasks", form={"title": f"Task {number}"}, max_redirects=0).status == 303
    page = ada.page
    page.goto("/tasks")
    for place, keys in [(1, []), (6, ["Shift"])]:
        page.locator(".rows > li").nth(place).hover()
        page.locator(".rows > li > input").nth(place).click(modifiers=keys)
    expect(page.locator(".rows :checked")).to_have_count(6)
    page.get_by_label(ada.text["bulk.all.other"].replace("{n}", "30")).check()
    page.get_by_role("group", name=ada.text["bulk.legend"]).get_by_role("button", name=ada.text["bulk.pin"], exact=True).click()
    expect(page.locator(".notice p")).to_have_text(ada.text["notice.bulk.pinned.other"].replace("{n}", "30"))
    page.get_by_role("button", name=ada.text["notice.undo"]).click()
    expect(page.locator(".rows .pinned")).to_have_count(0)


def test_marked_words_and_pasted_lines_are_told_before_they_are_taken(people):
    ada = people("ada").sign_up()
    page = ada.page
    page.locator("#add").fill("Buy milk #work !high *")
    expect(page.locator("#told")).to_have_text(" · ".join([ada.text["category.default.work"], ada.text["conditions.priority.high"],
                                                           ada.text["conditions.pinned"]]))
    page.locator("#add").fill("C# and 2+2 and a@b.c")
    expect(page.locator("#told")).to_have_text("")
    page.locator("#add").fill("")
    page.evaluate("""() => { const data = new DataTransfer(); data.setData('text/plain', 'one\\ntwo !high\\n\\nthree')
        document.querySelector('#add').dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true})) }""")
    expect(page.locator("#read > li")).to_have_count(3)
    page.locator("[name=confirm]").click()
    expect(ada.rows).to_have_count(3)


def test_another_persons_windows_hear_nothing(people):
    ada, bob = people("ada").sign_up(), people("bob").sign_up()
    ada.add("Ada's own")
    expect(bob.rows).to_have_count(0)
    assert "Ada's own" not in bob.page.content()


def test_the_count_of_a_filter_follows_what_is_chosen(people):
    ada = people("ada").sign_up()
    for title, form in [("one", {"priority": "high"}), ("two", {"priority": "high"}), ("three", {})]:
        assert ada.context.request.post("/tasks", form={"title": title, **form}, max_redirects=0).status == 303
    page = ada.page
    page.goto("/filters")
    expect(page.locator("#count")).to_have_text(ada.text["filter.count.other"].replace("{n}", "3"))
    page.get_by_role("group", name=ada.text["field.priority"]).get_by_text(ada.text["priority.high"], exact=True).click()
    expect(page.locator("#count")).to_have_text(ada.text["filter.count.other"].replace("{n}", "2"))
    page.locator("[name=q]").fill("tw")
    expect(page.locator("#count")).to_have_text(ada.text["filter.count.one"].replace("{n}", "1"))


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_the_page_keeps_its_place_after_a_change(people, script):
    ada = people("ada", script=script).sign_up()
    for number in range(40):
        assert ada.context.request.post("/tasks", form={"title": f"Task {number}"}, max_redirects=0).status == 303
    page = ada.page
    page.goto("/tasks?sort=created_asc&per_page=40")
    row = ada.row("Task 30")
    row.scroll_into_view_if_needed()
    row.get_by_role("button", name=ada.text["row.complete"] + "Task 30").click()
    expect(ada.rows).to_have_count(39)
    assert page.url.split("#")[0].endswith("/tasks?sort=created_asc&per_page=40")
    expect(ada.row("Task 31")).to_be_in_viewport()
    expect(page.locator(".notice")).to_be_in_viewport()


def test_a_day_without_a_pointer(people):
    """Edit, select several, complete, pin, throw away and take back, go from page to page, and see which keys there are."""
    ada = people("ada").sign_up()
    page, keys = ada.page, ada.page.keyboard
    for title in ["three", "two", "one"]:
        ada.add(title)
    keys.press("Escape")
    expect(ada.row("one").get_by_role("link")).to_be_focused()
    keys.press("e")
    expect(page.locator("#title")).to_have_value("one")
    page.locator("#title").focus()
    keys.press("End")
    keys.type(" more")
    keys.press("Enter")
    expect(ada.row("one more")).to_have_count(1)
    # Selects two with the keyboard, and acts on both.
    page.locator("body").press("j")
    keys.press("x")
    keys.press("j")
    keys.press("x")
    expect(page.locator(".rows :checked")).to_have_count(2)
    keys.press("c")
    expect(ada.rows).to_have_count(1)
    keys.press("u")
    expect(ada.rows).to_have_count(3)
    # One row: pinned, thrown away, taken back.
    page.locator("body").press("j")
    keys.press("p")
    expect(page.locator(".rows .pinned")).to_have_count(1)
    keys.press("#")
    expect(ada.rows).to_have_count(2)
    keys.press("u")
    expect(ada.rows).to_have_count(3)
    # The keys are told, and the panel closes as panels do.
    keys.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_role("dialog")).to_contain_text(ada.text["keys.trash"])
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    for key, address in [("d", "/dashboard"), ("f", "/filters"), ("t", "due=today")]:
        keys.press("g")
        keys.press(key)
        expect(page).to_have_url(re.compile(address + "$"))
        page.evaluate("document.activeElement.blur()")


def test_no_key_acts_while_a_field_has_the_focus_or_a_word_is_composed(people):
    ada = people("ada").sign_up()
    ada.add("one")
    page = ada.page
    page.locator("#add").focus()
    page.keyboard.type("jxcep#u?")
    expect(page.locator("#add")).to_have_value("jxcep#u?")
    expect(ada.rows).to_have_count(1)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("#add").fill("")
    page.keyboard.press("Escape")
    page.evaluate("""() => document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', {key: 'c', bubbles: true, isComposing: true, cancelable: true}))""")
    expect(ada.rows).to_have_count(1)


def test_a_key_acts_after_a_click_with_the_mouse(people):
    ada = people("ada").sign_up()
    for title in ["one", "two", "three"]:
        ada.add(title)
    page, keys = ada.page, ada.page.keyboard
    bulk = page.get_by_role("group", name=ada.text["bulk.legend"])

    def select(*titles):
        for title in titles:
            ada.row(title).hover()
            ada.row(title).get_by_role("checkbox").check()

    # A bulk button, which is gone once it has acted, then undo by key, then the notice's own button, then a key again.
    select("one", "two")
    bulk.get_by_role("button", name=ada.text["bulk.complete"]).click()
    expect(ada.rows).to_have_count(1)
    keys.press("u")
    expect(ada.rows).to_have_count(3)
    select("three")
    bulk.get_by_role("button", name=ada.text["bulk.trash"]).click()
    expect(ada.rows).to_have_count(2)
    page.get_by_role("button", name=ada.text["notice.undo"]).click()
    expect(ada.rows).to_have_count(3)
    keys.press("j")
    expect(ada.row("two").get_by_role("link")).to_be_focused()
    # The last row goes, and the key has nowhere to act but on the notice.
    select("one", "two", "three")
    bulk.get_by_role("button", name=ada.text["bulk.complete"]).click()
    expect(ada.rows).to_have_count(0)
    keys.press("u")
    expect(ada.rows).to_have_count(3)
    expect(page.locator("#add")).to_have_value("")
    # A box and a button that stay.
    page.locator("#picking").check()
    keys.press("/")
    expect(page.locator("#q")).to_be_focused()


def test_a_change_of_many_that_changes_nothing_says_so(people):
    ada = people("ada").sign_up()
    for title in ["one", "two", "three"]:
        ada.add(title)
    page = ada.page
    second = ada.context.new_page()
    second.goto("/tasks")
    page.locator("#picking").check()
    for title in ["one", "two", "three"]:
        ada.row(title).get_by_role("checkbox").check()
    # The other window has done it already; this one, with its selection, still shows them as they were.
    second.locator("#picking").check()
    for box in second.locator(".rows [name=id]").all():
        box.check()
    second.locator("[name=action][value=complete]").click()
    expect(second.locator(".rows > li")).to_have_count(0)
    page.locator("[name=action][value=complete]").click()
    expect(page.locator(".notice")).to_have_text(ada.text["notice.same.complete.other"].replace("{n}", "3"))
    expect(page.locator("#live")).to_have_text(ada.text["notice.same.complete.other"].replace("{n}", "3"))
