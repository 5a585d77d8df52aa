"""/openapi.json against the running server: Schemathesis sends what the document allows and what it forbids, always the same."""

import json
import os
import pathlib
import subprocess
import sys
import urllib.request

import pytest
from conftest import Client
from openapi_spec_validator import validate

HERE = pathlib.Path(__file__).resolve().parent


def check(server, folder, credential, *arguments):
    """Runs Schemathesis; its configuration and its formats are in files beside this one."""
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": "schema_formats", "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml"), "run", server.url + "/openapi.json",
         # JSON where there is any; pages and plain text where there is none.
         "--header", "Accept: application/json, */*;q=0.1", "--header", credential, *arguments],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_document_is_valid_openapi(server):
    document = json.load(urllib.request.urlopen(server.url + "/openapi.json", timeout=15))
    assert document["openapi"].startswith("3.1")
    validate(document)


def test_the_server_does_what_the_document_says(server, tmp_path):
    if server.image:
        pytest.skip("the token is made with the data's own user here")
    ada = Client(server.url, "ada")
    for title in ("Water the plants", "买牛奶"):
        ada.add(title, due="tomorrow 18:30")
    token = server.run("token", "add", "--user", "ada", "--name", "NAS").strip()
    # One after the other: an administrator may end tokens and close accounts.
    check(server, tmp_path, "Authorization: Bearer " + token, "--exclude-path-regex", "^/(settings|admin)")
    check(server, tmp_path, "Cookie: " + ada.cookie, "--include-path-regex", "^/(settings|admin)")
