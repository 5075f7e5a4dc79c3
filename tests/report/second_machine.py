"""Gives a store's first run to a second machine, so that a report has two: second_machine.py STORE.sqlite"""
import sqlite3
import sys

store = sqlite3.connect(sys.argv[1])
columns = [row[1] for row in store.execute("PRAGMA table_info(machines)") if row[1] not in ("id", "fingerprint", "cpu")]
store.execute("INSERT INTO machines(id, fingerprint, cpu, %s) SELECT id + 1, 'feedfacefeedface', 'Another CPU', %s "
              "FROM machines WHERE id = (SELECT max(id) FROM machines)" % (", ".join(columns), ", ".join(columns)))
store.execute("UPDATE runs SET machine = (SELECT max(id) FROM machines) WHERE id = 1")
store.execute("UPDATE measurements SET machine = (SELECT max(id) FROM machines) WHERE run = 1")
store.commit()
