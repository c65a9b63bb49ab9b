import { isFault, type Problem } from '../../core/model/fault.ts';
import type { DatabaseLink } from './database-link.ts';
import type { RecordRows } from './record-rows.ts';
import type { RunRow, RunRows } from './run-rows.ts';
import type { PostgresInspection } from './shared-journal.ts';

/** Reads every record of every run: damage is a problem, and the rest is read on. */
export async function inspectPostgres(
  link: DatabaseLink,
  runs: RunRows,
  records: RecordRows,
): Promise<PostgresInspection> {
  const [row] = await link.query<{ version: string }>({ text: "select current_setting('server_version') as version" });
  const problems: Problem[] = [];
  const rows = await runs.list({});
  for (const run of rows) problems.push(...(await problemsOf(run, runs, records)));
  return { address: link.address.shown, version: row?.version ?? '', runs: rows.length, problems };
}

async function problemsOf(run: RunRow, runs: RunRows, records: RecordRows): Promise<readonly Problem[]> {
  try {
    runs.infoOf(run);
    await records.read(run, 0);
    return [];
  } catch (error) {
    if (!isFault(error) || error.code !== 'JOURNAL_DAMAGED') throw error;
    return [{ code: error.code, message: error.message, severity: 'error' }];
  }
}
