import type { DatabaseSync } from 'node:sqlite';

/** Everything read within sees the database as of one commit, whatever other processes write meanwhile. */
export function atOneMoment<T>(database: DatabaseSync, look: () => T): T {
  database.exec('BEGIN');
  try {
    return look();
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}
