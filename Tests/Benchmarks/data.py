"""The data of the benchmark: people, and todo.txt files of tasks for them, the same at each run."""
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
