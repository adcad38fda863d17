"""Views for people (docs/querying.md): the contents of the database in words, for SQL, Datasette and `sqlite-utils`.

They show only what everybody at a table may see: public lines, names and results. No view reads a secret, a key, a
token or the chat. Seats count from 1, and times are UTC.
"""

import sqlite3
from typing import Final

VIEWS: Final = {
    "match_list": """
SELECT m.match, m.game, m.rules, m.title, m.status,
  datetime(m.created_ms / 1000, 'unixepoch') AS created, datetime(m.changed_ms / 1000, 'unixepoch') AS changed,
  (SELECT group_concat(coalesce(nullif(s.name, ''), 'free'), ' – ')
     FROM (SELECT iif(kind = '', '', name) AS name FROM seats WHERE seats.match = m.match ORDER BY seat) AS s
  ) AS players,
  (SELECT group_concat(w.name, ' and ') FROM (SELECT s.name FROM seats AS s WHERE s.match = m.match
     AND m.result LIKE 'seat%' AND instr(substr(m.result, 1, instr(m.result, ':')), ' ' || s.seat) ORDER BY s.seat) AS w
  ) AS winner,
  CASE WHEN m.result <> '' THEN substr(m.result, instr(m.result, ': ') + 2) END AS reason,
  m.seq AS lines
FROM matches AS m
""",
    "players": """
SELECT s.match, m.game, s.seat + 1 AS seat, iif(s.kind = '', '', s.name) AS name, s.kind, s.bot, m.status,
  CASE WHEN m.status = 'finished' AND m.result NOT LIKE 'draw: void: %' THEN
    m.result LIKE 'seat%' AND instr(substr(m.result, 1, instr(m.result, ':')), ' ' || s.seat) > 0 END AS won
FROM seats AS s JOIN matches AS m ON m.match = s.match
""",
    "standings": """
SELECT game, name, count(*) AS played, sum(won) AS won, round(avg(won), 3) AS share
FROM players WHERE won IS NOT NULL AND name <> '' GROUP BY game, name
""",
    "events": """
SELECT match, seq, strftime('%Y-%m-%d %H:%M:%f', at / 1000.0, 'unixepoch') AS at, type,
  CASE WHEN actor >= 0 THEN actor + 1 END AS seat, json_extract(line, '$[8]') AS facts
FROM records
""",
    "choices": """
SELECT r.match, r.seq, json_extract(r.line, '$[8].seat') + 1 AS seat, json_extract(r.line, '$[8].number') AS decision,
  coalesce(json_extract(r.line, '$[8].by'), 'seat') AS decided_by,
  r.at - (SELECT p.at FROM records AS p WHERE p.match = r.match AND p.seq = r.seq - 1) AS waited_ms
FROM records AS r WHERE r.type = 'Chosen'
""",
    "dice": """
SELECT r.match, r.seq, d.key + 1 AS die, json_extract(r.line, '$[8].sides') AS sides, d.value AS face,
  json_extract(r.line, '$[8].rule') AS rule, json_extract(r.line, '$[8].title') AS title,
  json_extract(r.line, '$[8].seat') + 1 AS seat
FROM records AS r, json_each(r.line, '$[8].dice') AS d WHERE r.type = 'DiceRolled'
""",
    "rules_cited": """
SELECT match, seq, type, json_extract(line, '$[8].rule') AS rule
FROM records WHERE json_extract(line, '$[8].rule') <> ''
UNION ALL
SELECT r.match, r.seq, r.type, json_extract(p.value, '$[0]') AS rule
FROM records AS r, json_each(r.line, '$[8].parts') AS p
WHERE json_extract(p.value, '$[0]') <> coalesce(json_extract(r.line, '$[8].rule'), '')
""",
}


def install(connection: sqlite3.Connection) -> None:
    """Make this program's views; nothing is written if they exist already."""
    wanted = {name: f"CREATE VIEW {name} AS {sql.strip()}" for name, sql in VIEWS.items()}
    found = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'"))
    stale = [name for name in wanted if found.get(name) != wanted[name]]
    if not stale:
        return
    connection.execute("BEGIN IMMEDIATE")
    for name in stale:
        connection.execute(f"DROP VIEW IF EXISTS {name}")
        connection.execute(wanted[name])
    connection.execute("COMMIT")
