"""A file of another program comes in, without JavaScript: looked at, read in another way, imported, taken back."""

import pytest
from playwright.sync_api import expect

CSV = "Aufgabe;Fällig;Ort\nMilch kaufen;24.12.2026;Markt\nTom anrufen;01.12.2026;\n"


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_file_comes_in_and_goes_again(people, script, language, tmp_path):
    ada = people("ada", language, script).sign_up()
    page, text = ada.page, ada.text
    # As a spreadsheet of Western Europe saves it.
    file = tmp_path / "aufgaben.csv"
    file.write_bytes(CSV.encode("windows-1252"))

    page.goto("/import")
    page.locator("[name=file]").set_input_files(str(file))
    page.get_by_role("button", name=text["import.look"], exact=True).click()
    expect(page.get_by_role("heading", name="aufgaben.csv")).to_be_visible()
    expect(page.locator("[name=encoding]")).to_have_value("Windows-1252")
    expect(page.locator("[name=delimiter]")).to_have_value("semicolon")
    expect(page.locator("[name=column]")).to_have_count(3)

    # The place becomes the notes.
    page.locator("[name=column]").nth(0).select_option("title")
    page.locator("[name=column]").nth(1).select_option("due")
    page.locator("[name=column]").nth(2).select_option("content")
    page.get_by_role("button", name=text["import.again"], exact=True).click()
    expect(page.locator("[name=column]").nth(2)).to_have_value("content")
    expect(page.locator("strong", has_text="Milch kaufen")).to_be_visible()
    page.locator("[value=run]").click()

    expect(page.get_by_role("link", name=text["import.to_list"])).to_be_visible()
    page.get_by_role("link", name=text["import.to_list"]).click()
    expect(ada.rows).to_have_count(2)
    page.go_back()
    page.get_by_role("button", name=text["import.undo"], exact=True).click()
    expect(page.get_by_text(text["import.state.taken_back"])).to_be_visible()
    page.goto("/tasks?status=all")
    expect(ada.rows).to_have_count(0)


def test_a_large_file_comes_in_while_the_browser_is_elsewhere(people, tmp_path):
    ada = people("ada", "en", False).sign_up()
    page = ada.page
    file = tmp_path / "todo.txt"
    file.write_text("".join(f"Task {number} of a long list that somebody has kept for years\n" for number in range(6_000)))
    page.goto("/import")
    page.locator("[name=file]").set_input_files(str(file))
    page.get_by_role("button", name=ada.text["import.look"], exact=True).click()
    # The page renews itself until the file is read.
    page.locator("[value=run]").click(timeout=60_000)
    address = page.url
    page.goto("/tasks")
    page.goto(address)
    expect(page.get_by_role("link", name=ada.text["import.to_list"])).to_be_visible(timeout=120_000)
    expect(page.get_by_text("Added: 6,000")).to_be_visible()
