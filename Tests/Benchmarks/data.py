"""The data of the benchmark: people, and files of tasks for them, the same at each run."""
import csv
import random
import urllib.parse

PASSWORD = "correct-horse-battery"

# `frequent` stands in about every second title, `rare` in one of some thousands, `absent` in none.
SEARCHES = [
    ("e", "one, frequent"), ("x", "one, rare"), ("th", "two, frequent"), ("qz", "two, absent"), ("the", "three, frequent"),
    ("zyx", "three, absent"), ("the report", "ten, frequent"), ("heliograph", "ten, rare"), ("jackdawing", "ten, absent"),
    ("买", "one, frequent"), ("牛奶", "two, frequent"), ("凤凰", "two, rare"), ("麒麟", "two, absent"), ("去超市买牛奶", "six, frequent"),
]

ENGLISH = "call write send mend plan read check order book water paint clean move sort the report the invoice the garden the car".split()
CHINESE = ["去超市买牛奶", "给妈妈打电话", "买火车票", "写周报", "交水电费", "整理房间"]


def width(text):
    """Columns on a terminal: Chinese characters take two."""
    return sum(2 if ord(one) > 0x2E80 else 1 for one in text)


def quote(text):
    return urllib.parse.quote(text)


def sign_in_form(name):
    return urllib.parse.urlencode({"username": name, "password": PASSWORD}).encode()


def write_todo(path, count, seed):
    """A todo.txt file: three of four tasks are open, three of five have a due date, every fourth title is Chinese."""
    chance = random.Random(seed)
    with open(path, "w", encoding="utf-8") as out:
        for number in range(count):
            line = "x 2026-11-20 " if chance.random() < 0.25 else chance.choice(["(A) ", "(B) ", "(C) ", ""])
            line += f"2026-{chance.randint(1, 11):02}-{chance.randint(1, 28):02} "
            if chance.random() < 0.25:
                line += chance.choice(CHINESE)
            else:
                line += " ".join(chance.choice(ENGLISH) for _ in range(chance.randint(3, 7)))
                if chance.random() < 0.4:
                    line += " the report"
            if chance.random() < 0.0005:
                line += " heliograph 凤凰"
            line += f" {number}"
            if chance.random() < 0.6:
                line += f" due:2026-{chance.choice([11, 12])}-{chance.randint(1, 28):02}"
            out.write(line + "\n")


def write_csv(path, count, seed):
    """A CSV file of like tasks, with a content of 100 bytes each: three of five are open, three of five have a due date."""
    chance = random.Random(seed)
    with open(path, "w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["title", "content", "priority", "status", "category", "due_date", "created_at", "is_pinned"])
        for number in range(count):
            title = chance.choice(CHINESE) if chance.random() < 0.25 else " ".join(chance.choices(ENGLISH, k=chance.randint(3, 7)))
            if chance.random() < 0.0005:
                title += " heliograph 凤凰"
            content = (" ".join(chance.choices(ENGLISH, k=24)) + " " * 100)[:99] + "."
            due = f"2026-{chance.choice([11, 12])}-{chance.randint(1, 28):02}" if chance.random() < 0.6 else ""
            created = f"2026-{chance.randint(1, 11):02}-{chance.randint(1, 28):02}T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}Z"
            rows.writerow([
                f"{title} {number}", content, chance.choice(["low", "medium", "high"]), "completed" if chance.random() < 0.4 else "pending",
                chance.choice(["work", "life", "study", "health"]), due, created, str(chance.random() < 0.02).lower()])
