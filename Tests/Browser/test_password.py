"""A new password is told how strong it is: beside the field while it is typed, and by the server once it is taken. The two agree."""

import pytest
from playwright.sync_api import expect

PASSWORDS = {"giraffes": "weak", "73915284": "weak", "Tr0ub4dor&3x": "weak", "seven green bicycles": "fair", "我喜欢早上喝热茶": "fair",
             "kitchen asdfghjkl 147258369": "weak", "abcabcabc giraffe giraffe": "fair", "correct horse battery staple": "strong",
             "xK9#mQ2$vL5nW8!z": "strong", "kP7vXq2LmR9w": "fair", "早上喝一杯热茶再出门上班": "strong", "一二三四五六七八九\u3000\u3000": "strong",
             "👨‍👩‍👧‍👦🧑🏽‍🌾🏳️‍🌈❤️‍🔥👍🏽👩‍🚀🇨🇳🧜‍♀️": "fair", "ｇｉｒａｆｆｅｓ": "weak"}


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_the_word_beside_the_field_is_the_one_that_the_server_says(people, language):
    ada = people("ada", language).sign_up()
    page, current = ada.page, "correct horse battery staple"
    for password, word in PASSWORDS.items():
        page.goto("/settings/password")
        expect(page.locator("#strength")).to_have_text("")
        page.locator("[name=new_password]").fill("short")
        expect(page.locator("#strength")).to_have_text("")
        page.locator("[name=current_password]").fill(current)
        page.locator("[name=new_password]").fill(password)
        expect(page.locator("#strength")).to_have_text(ada.text["account.strength." + word])
        page.get_by_role("button", name=ada.text["password.submit"]).click()
        expect(page.locator(".notice")).to_have_text(ada.text["notice.password_changed." + word])
        current = password


def test_without_a_script_it_is_told_after_signing_up(people):
    ada = people("ada", script=False)
    page = ada.page
    page.goto("/sign-up")
    page.locator("[name=username]").fill("ada")
    page.locator("[name=password]").fill("Sunshine2024!")
    page.locator("button.main").click()
    expect(page.locator("#password-hint")).to_contain_text(ada.text["problem.password.common"])
    page.locator("[name=password]").fill("giraffes")
    page.locator("button.main").click()
    expect(page.locator(".notice")).to_have_text(ada.text["notice.signed_up.weak"])
