"""Stores that are damaged, locked or of another tool, and lines to import that are none."""
import os
import sqlite3
import subprocess
import sys

from trial import ENDS, FOLDER, try_it


def store_trials():
    with open(os.path.join(FOLDER, "s.sqlite"), "rb") as file:
        whole = file.read()
    readers = [["history", "--store", "s.sqlite"], ["export", "--store", "s.sqlite", "-o", "new.jsonl"],
               ["report", "--store", "s.sqlite", "-o", "new.html"], ["compare", "1", "1", "--store", "s.sqlite"]]
    writers = [["bench", "dot:n=10", "-d", "cpu", "-r", "serial", "--time", "0.001", "--store", "s.sqlite"],
               ["import", "--store", "s.sqlite", "in.jsonl"]]

    def change(*statements):

        def prepare():
            connection = sqlite3.connect("s.sqlite", isolation_level=None)
            for statement in statements:
                connection.execute(statement)
            connection.close()

        return prepare

    def page(number, content):
        return whole[:4096 * number] + content + whole[4096 * number + len(content):]

    def locked():
        process = subprocess.Popen([
            sys.executable, "-c", "import sqlite3, time\nc = sqlite3.connect('s.sqlite', isolation_level=None)\n"
            "c.execute('BEGIN EXCLUSIVE')\nopen('ready', 'w')\ntime.sleep(40)"
        ],
                                   cwd=".")
        while not os.path.exists("ready"):
            pass
        locked.process = process

    def unlock(*_):
        locked.process.kill()
        locked.process.wait()

    pages = len(whole) // 4096
    damaged = {
        "cut": whole[:5000], "cut to a header": whole[:100], "cut by a byte": whole[:-1], "one byte": b"S",
        "empty": b"", "header only": b"SQLite format 3\0", "zeros": b"\0" * 40960, "random": os.urandom(40960),
        "page size 1": whole[:16] + b"\0\1" + whole[18:], "page size 3": whole[:16] + b"\0\3" + whole[18:],
        "reserved 255": whole[:20] + b"\xff" + whole[21:], "schema format 9": whole[:44] + b"\0\0\0\x09" + whole[48:],
        "UTF-16": whole[:56] + b"\0\0\0\2" + whole[60:], "write version 9": whole[:18] + b"\x09\x09" + whole[20:],
        "root page of garbage": page(0, whole[:100] + b"\xff" * 400), **{
            f"page {i} of ones": page(i, b"\xff" * 4096)
            for i in range(1, pages, max(1, pages // 12))
        }, **{f"page {i} of zeros": page(i, b"\0" * 4096)
              for i in range(1, pages, max(1, pages // 12))}, "itself behind": whole + whole,
        "freelist of garbage": whole[:32] + b"\xff" * 8 + whole[40:]
    }
    for name, content in damaged.items():
        for command in readers + writers:
            files = {"s.sqlite": content, "in.jsonl": b""}
            try_it(f"store, {name}: {command[0]}",
                   command,
                   ENDS,
                   files,
                   may_leave=["s.sqlite-wal", "s.sqlite-shm", "new.jsonl", "new.html"])
    edits = {
        "another tool's": ["DROP TABLE IF EXISTS x", "CREATE TABLE x(y)",
                           "PRAGMA application_id=1"], "newer": ["PRAGMA user_version=9999"],
        "older than all": ["PRAGMA user_version=0"], "negative version": ["PRAGMA user_version=-5"],
        "a view in a table's place": ["ALTER TABLE runs RENAME TO old", "CREATE VIEW runs AS SELECT * FROM old"],
        "a trigger": ["CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END"],
        "a column fewer": ["ALTER TABLE runs RENAME COLUMN label TO lable"], "no table": ["DROP TABLE runs"]
    }
    for name, statements in edits.items():
        for command in readers + writers:
            try_it(f"store, {name}: {command[0]}",
                   command,
                   ENDS, {"s.sqlite": whole, "in.jsonl": b""},
                   change(*statements),
                   may_leave=["s.sqlite-wal", "s.sqlite-shm", "new.jsonl", "new.html"])
    for command in readers + writers:
        try_it(f"store, locked: {command[0]}",
               command,
               ENDS, {"s.sqlite": whole, "in.jsonl": b""},
               locked,
               seconds=100,
               may_leave=["s.sqlite-wal", "s.sqlite-shm", "new.jsonl", "new.html", "ready"],
               after=unlock)
    wals = {"garbage log": os.urandom(9000), "empty log": b"", "another's log": b"\x37\x7f\x06\x82" + b"\0" * 4000}
    for name, content in wals.items():
        for command in readers + writers:
            try_it(f"store, {name}: {command[0]}",
                   command,
                   ENDS, {"s.sqlite": whole, "s.sqlite-wal": content, "in.jsonl": b""},
                   may_leave=["s.sqlite-shm", "new.jsonl", "new.html"])
            try_it(f"store, journal {name}: {command[0]}",
                   command,
                   ENDS, {"s.sqlite": whole, "s.sqlite-journal": content, "in.jsonl": b""},
                   may_leave=["s.sqlite-shm", "new.jsonl", "new.html", "s.sqlite-wal"])
    with open(os.path.join(FOLDER, "s.jsonl"), "rb") as file:
        lines = file.read()
    imports = {
        "empty": b"", "NUL": b"\0", "not UTF-8": b"\xff\xfe\n", "cut": lines[:-20], "half": lines[:len(lines) // 2],
        "deep": b"[" * 100000, "deep objects": b'{"a":' * 50000, "a number": b"1\n", "null": b"null\n",
        "long line": b'"' + b"x" * 10**7 + b'"\n', "CRLF": lines.replace(b"\n",
                                                                         b"\r\n"), "BOM": b"\xef\xbb\xbf" + lines,
        "NaN": lines.replace(b"1", b"NaN", 3), "1e999": lines.replace(b"0.", b"1e999", 1), "twice": lines + lines,
        "keys gone": b"{}\n", "html": b"<html>", "UTF-16": lines.decode().encode("utf-16"),
        "surrogates": lines.replace(b"cpu", b"\\ud800", 1), "numbers of text": lines.replace(b":1", b':"1"')
    }
    for name, content in imports.items():
        try_it(f"import {name}", ["import", "--store", "new.sqlite", "in.jsonl"],
               ENDS, {"in.jsonl": content},
               may_leave=["new.sqlite"] if name in ("twice", "CRLF", "BOM") else [])
        try_it(f"compare {name}", ["compare", "in.jsonl", "in.jsonl"], ENDS, {"in.jsonl": content})
