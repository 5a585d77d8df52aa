"""The servers that are measured: each is started on a free port of loopback and ended by its process id."""
import os
import socket
import subprocess
import time

import data
from client import Client

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))

def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    process = None
    cookie = ""

    @property
    def pid(self):
        return self.process.pid

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def launch(self, command, probe, environment=None, log=subprocess.DEVNULL):
        """Starts the process; returns the seconds until it answered."""
        began = time.monotonic()
        self.process = subprocess.Popen(
            command, env={**os.environ, **(environment or {})}, stdout=subprocess.DEVNULL, stderr=log, stdin=subprocess.DEVNULL)
        while time.monotonic() - began < 30:
            try:
                Client(self.port, timeout=5).get(probe)
                return time.monotonic() - began
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit(f"{command[0]} ended with {self.process.returncode}")
                time.sleep(0.001)
        self.stop()
        raise SystemExit(f"{command[0]} does not answer")

    def stop(self):
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None


class Docket(Server):
    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), folder
        self.database = os.path.join(folder, "docket.sqlite3")
        self.port = free_port()

    def start(self):
        # A log is written as in earnest, to a file.
        with open(os.path.join(self.folder, "log"), "ab") as log:
            command = [self.program, "serve", "--database", self.database, "--port", str(self.port)]
            command += ["--resources", ROOT, "--max-connections", "20000", "--max-connections-per-address", "20000"]
            return self.launch(command, "/healthz", log=log)

    def restart(self):
        self.stop()
        return self.start()

    def command(self, *words, text=None):
        done = subprocess.run(
            [self.program, *words, "--database", self.database], input=text, capture_output=True, text=True, timeout=900)
        if done.returncode != 0:
            raise SystemExit(f"docket {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def add_user(self, name):
        self.command("user", "add", name, text=data.PASSWORD + "\n")

    def import_tasks(self, *words, **options):
        process, began = self.begin_import(*words, **options), time.monotonic()
        if process.wait(timeout=900) != 0:
            raise SystemExit(f"the import for {words[0]} ended with {process.returncode}")
        return time.monotonic() - began

    def begin_import(self, name, count, kind="txt", seed=0):
        path = os.path.join(self.folder, f"{count}-{seed}.{kind}")
        if not os.path.exists(path):
            (data.write_todo if kind == "txt" else data.write_csv)(path, count, seed + count)
        return subprocess.Popen(
            [self.program, "import", path, "--user", name, "--database", self.database], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

    def sign_in(self, name):
        answer = Client(self.port).ask("POST", "/sign-in", body=data.sign_in_form(name))
        if answer.status != 303:
            raise SystemExit(f"{name} cannot sign in: {answer.status}")
        return "; ".join(one.split(";")[0] for one in answer.cookies)


class Nginx(Server):
    """The same bytes as static files, by the server that is known for them."""

    def __init__(self, folder, files):
        self.folder = os.path.join(folder, "nginx")
        self.port = free_port()
        os.makedirs(self.folder + "/html")
        # Its workers may run as somebody else, who has to find the files.
        for path in (folder, self.folder, self.folder + "/html"):
            os.chmod(path, 0o755)
        for name, content in files.items():
            self.put(name, content)

    def put(self, name, content):
        with open(self.folder + "/html" + name, "wb") as out:
            out.write(content)

    def start(self):
        temporary = "\n".join(
            f"{kind}_temp_path {self.folder}/tmp;" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(self.folder + "/nginx.conf", "w") as out:
            out.write(f"""
                worker_processes {os.cpu_count()}; daemon off; pid {self.folder}/pid; error_log {self.folder}/error warn;
                events {{ worker_connections 4096; }}
                http {{
                  types {{ text/html html; text/css css; }} access_log off; sendfile on; tcp_nopush on; server_tokens off;
                  keepalive_requests 1000000; open_file_cache max=100; {temporary}
                  server {{ listen 127.0.0.1:{self.port} backlog=4096; root {self.folder}/html; }}
                }}""")
        return self.launch(["nginx", "-c", self.folder + "/nginx.conf"], "/list.html")


class Climit(Server):
    """A like page by some hundred lines of C without limits, time-outs and checks: what the machine can do. Only where it is built."""
    port = 0
    cookie = "session=tok-u0001"

    def __init__(self, program, database):
        self.program, self.database = program, database

    @classmethod
    def found(cls):
        folder = os.environ.get("BENCH_WORK", os.path.expanduser("~/.cache/docket-bench"))
        program, database = folder + "/climit/climit", folder + "/data/100k.db"
        return cls(program, database) if os.path.exists(program) and os.path.exists(database) else None

    def start(self):
        self.port = free_port()
        return self.launch([self.program], "/hello", {"DB": self.database, "PORT": str(self.port), "THREADS": str(os.cpu_count())})
