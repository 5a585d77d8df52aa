"""Hostile texts in every field that a person can fill: shown as text, and no page becomes wider than a phone's screen."""

import re
import socket
import urllib.parse

import pytest
from conftest import PASSWORD
from playwright.sync_api import expect

TEXTS = {
    "markup": "<script>alert(1)</script><img src=x onerror=alert(1)>\"'>&lt;{{t.nav.all}}",
    "one word": "Donaudampfschifffahrtsgesellschaft" * 6,
    "no break": "W\u00a0" * 120,
    "right to left": "\u202eevil\u202c \u2066\u0645\u0631\u062d\u0628\u0627\u2069 \u05e9\u05dc\u05d5\u05dd",
    "zero width": "a\u200b\u200c\u200d\u2060\ufeffb" * 20,
    "accents": "a" + "\u0301" * 400,
    "families": "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466" * 40,
    "flags and tones": "\U0001f1e8\U0001f1f3\U0001f44d\U0001f3ff" * 40,
    "one long word of Han": "\u725b\u5976" * 120,
    "address": "https://example.org/" + "a/b?c=d&" * 25,
    "wide signs": "\ufdfd\u2e3b\U0001242b" * 20,
}


def sign_in(person, device):
    """From a device that calls itself so: bytes as they are, which no library sends."""
    form = f"username={person.name}&password={PASSWORD.replace(' ', '+')}".encode()
    address = urllib.parse.urlsplit(person.url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall(f"POST /sign-in HTTP/1.1\r\nHost: {address.netloc}\r\nUser-Agent: {device}\r\nConnection: close\r\n"
                           f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n".encode() + form)
        assert connection.makefile("rb").readline().split()[1] == b"303"


@pytest.mark.parametrize("kind", TEXTS)
def test_a_hostile_text_stays_text_and_inside_the_page(people, kind):
    text = TEXTS[kind]
    ada = people("ada").sign_up()
    page = ada.page
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    page.set_viewport_size({"width": 390, "height": 844})

    def post(path, **form):
        return ada.context.request.post(path, form=form, max_redirects=0)

    def inside(path):
        page.goto(path)
        expect(page.locator("h1")).to_have_count(1)
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{path} is {wider} px too wide"

    short = text[:60]
    assert post("/tasks", title=text, content=f"{text}\n\n# {text}\n\n- {text}\n\n> {text}\n\n`{text}`\n\n[{text}](https://example.org/)").status == 303
    # Names have limits of their own; one that is refused comes back in its form.
    assert post("/categories", name=short, icon="star", color="3").status in (303, 422)
    assert post("/filters", name=short, q=text).status in (303, 422)
    assert post("/settings/tokens", name=short, scope="read", expires="").status in (200, 422)
    page.goto("/tasks?status=all")
    expect(ada.rows).to_have_count(1)
    shown = ada.rows.first.get_by_role("link")
    if kind != "zero width":
        assert text.replace("\u00a0", " ").split()[0][:10] in shown.text_content().replace("\u00a0", " ")
    address = shown.get_attribute("href")
    category = post("/tasks", title="another", category="work")
    assert category.status == 303
    inside("/tasks?status=all")
    # A device that calls itself so has signed in, too, and a file of that name with such columns is looked at.
    sign_in(ada, text)
    upload = {"name": short.replace('"', "") + ".csv", "mimeType": "text/csv", "buffer": f'title,"{short.replace(chr(34), "")}"\nBread,"{text.replace(chr(34), "")}"\n'.encode()}
    looked_at = ada.context.request.post("/import", multipart={"file": upload}, max_redirects=0)
    assert looked_at.status == 303, looked_at.text()
    page.goto("/categories")
    addresses = page.evaluate("""[...document.querySelectorAll('main a, #side a')].map(a => a.getAttribute('href'))
        .filter(path => /^.(categories|filters).\\d+/.test(path))""")
    for path in [address, address + "/history", "/categories", "/filters", "/settings/tokens", "/settings/sessions", "/dashboard", "/help", "/tasks/new",
                 "/import", looked_at.headers["location"], "/export", "/admin/users", "/admin/audit", *addresses[-4:]]:
        inside(path)
    # Both versions of a conflict, side by side.
    page.goto(address)
    assert post(address, title="changed " + text[:480], content=text, version="1").status == 303
    page.locator("#title").fill(("mine " + text)[:490])
    page.locator(".save .main").click()
    expect(page.locator(".conflict")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.goto("/tasks")
    page.locator("#q").fill(short)
    page.locator("#q").press("Enter")
    expect(page).to_have_url(re.compile("q="))
    inside(page.url)
    # Thrown away: the notice and the trash hold it too.
    post(address + "/trash")
    inside("/trash")
    post(address + "/restore")
    # A name and a password that may not be come back as text. The page that follows changes is left first: it asks for itself anew.
    page.goto("about:blank")
    page.context.clear_cookies()
    page.goto("/sign-in")
    page.locator("[name=username]").fill(short)
    page.locator("[name=password]").fill("not the right one")
    page.locator("button.main").click()
    expect(page.locator(".err")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
