import type { DatabaseSync } from 'node:sqlite';

import { BodyTable } from './body-table.ts';
import { HeadTable } from './head.ts';
import { InboxTable } from './inbox-table.ts';
import { RecordTable } from './record-table.ts';
import { StoredRuns } from './run-table.ts';

/** Every prepared statement of the journal, kept for as long as the connection. */
export interface Tables {
  readonly head: HeadTable;
  readonly runs: StoredRuns;
  readonly records: RecordTable;
  readonly inbox: InboxTable;
  readonly bodies: BodyTable;
}

export function createTables(database: DatabaseSync): Tables {
  const bodies = new BodyTable(database);
  return {
    head: new HeadTable(database),
    runs: new StoredRuns(database),
    records: new RecordTable(database, bodies),
    inbox: new InboxTable(database),
    bodies,
  };
}
