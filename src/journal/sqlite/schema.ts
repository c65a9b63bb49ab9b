import type { DatabaseSync } from 'node:sqlite';

import { rowHash } from '../row-hash.ts';

/** The number of this format of `journal.db`. A change that an older Troupe would misread gets the next one. */
export const FORMAT = 5;

/** Marks the file as ours in its header: "TRUP". */
export const APPLICATION_ID = 0x54_52_55_50;

/** Runs whose messages will be read: those of a settled run only while it is held. */
export const ADDRESSED = "pending > 0 AND (status <> 'settled' OR holder IS NOT NULL)";

/**
 * `records` and `inbox` are keyed by one number made of the run's and their own (see `place.ts`): one tree each, no
 * index beside it that could disagree, and a run's rows lie together.
 * Every row carries a hash or sum of itself: SQLite notices hardly any flipped bit, these notice all of them.
 */
export const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE head (
    one       INTEGER PRIMARY KEY CHECK (one = 1),
    number    INTEGER NOT NULL,       -- commits so far
    hash      TEXT    NOT NULL,       -- chained over all commits
    runs      INTEGER NOT NULL,       -- runs so far
    addressed INTEGER NOT NULL,       -- runs in the index of that name
    sum       INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE runs (
    number     INTEGER PRIMARY KEY,   -- 1, 2, 3 … without a gap
    run        TEXT    NOT NULL UNIQUE,
    run_key    INTEGER NOT NULL,      -- checksum of the name, for a second index on it
    parent     TEXT,
    fork_of    TEXT,
    header     TEXT    NOT NULL,      -- NewRun as JSON
    status     TEXT    NOT NULL,
    outcome    TEXT,
    more       TEXT,                  -- what else RunSummary has, as JSON
    seq        INTEGER NOT NULL,      -- newest record
    tip        TEXT    NOT NULL,      -- hash of the newest record
    newest     INTEGER NOT NULL,      -- commit of the newest record
    updated_at REAL    NOT NULL,
    sent       INTEGER NOT NULL,      -- messages ever taken
    pending    INTEGER NOT NULL,      -- messages not yet consumed
    epoch      INTEGER NOT NULL,      -- newest lease
    holder     TEXT,                  -- who holds it, as JSON
    children   INTEGER NOT NULL,      -- runs with this one as parent
    forks      INTEGER NOT NULL,      -- runs with this one as fork_of
    below      INTEGER NOT NULL,      -- runs below this root, at any depth
    sum        INTEGER NOT NULL
  ) STRICT;

  CREATE INDEX addressed ON runs (number) WHERE ${ADDRESSED};
  CREATE INDEX keys ON runs (run_key);
  CREATE INDEX children ON runs (parent, number) WHERE parent IS NOT NULL;
  CREATE INDEX forks ON runs (fork_of, number) WHERE fork_of IS NOT NULL;

  CREATE TABLE records (
    place  INTEGER PRIMARY KEY,
    at     REAL    NOT NULL,
    body   TEXT    NOT NULL,          -- the fact as JSON, or where it lies in bodies
    hash   TEXT    NOT NULL,          -- chained over the run's records
    stamp  INTEGER NOT NULL           -- number of its commit, see commit-stamp.ts
  ) STRICT;

  CREATE TABLE inbox (
    place    INTEGER PRIMARY KEY,
    id       TEXT    NOT NULL,        -- as JSON
    message  TEXT    NOT NULL,        -- InboxMessage as JSON
    consumed INTEGER NOT NULL,
    sum      INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE bodies (hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;

  INSERT INTO meta VALUES ('format', '${FORMAT}');
  INSERT INTO head VALUES (1, 0, '', 0, 0, 0);
`;

/** Kept in the file itself: a flipped bit in these texts may leave tables that still work, but mean something else. */
export function schemaHash(database: DatabaseSync): string {
  const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all();
  return rowHash(JSON.stringify(rows.map((row) => Object.values(row))));
}
