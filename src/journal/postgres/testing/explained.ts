import { sumOfHeader } from '../run-rows.ts';
import type { TestCluster } from './test-cluster.ts';

/** What the server did for one statement, also for each within a function. */
export interface Explained {
  readonly statement: string;
  /** How many pages it looked at. */
  readonly pages: number;
  readonly scans: readonly Scan[];
}

interface Scan {
  readonly kind: string;
  readonly table: string;
  /** How many rows it read, with those that it did not want. */
  readonly rows: number;
}

const MANY = 10_000;

/** Of so many rows, a look-up reads no more than these. */
const [FEW_ROWS, FEW_PAGES] = [200, 100];

/** Runs that are over, with their records, messages and bodies. */
export async function fillJournal(cluster: TestCluster, address: string): Promise<void> {
  const each = `from generate_series(1, ${MANY}) i`;
  await cluster.query(
    address,
    `with made as (
      insert into troupe.runs (number, tree, counter, updated_at, seq, epoch, tip, status, outcome, run, parent, header, header_sum)
        select nextval('troupe.run_numbers'), i, 1, 1, 1, 1, 'tip', 'settled', 'ok', 'old-' || i, case when i % 2 = 0 then 'old' end,
          '{}', ${sumOfHeader('{}')} ${each} returning number)
      insert into troupe.records select number, 1, nullif(number % 2, 0) * number, 1, 'body', 'hash', -1 from made;
    insert into troupe.inbox (run, id, message, sum) select i, '"m"', null, 1 ${each};
    insert into troupe.bodies select 'hash-' || i, 'body' ${each}`,
  );
}

/** From now on the server says of every statement of new connections what it did. Counts what is there first. */
export async function startExplaining(cluster: TestCluster, address: string): Promise<void> {
  await cluster.query(address, 'vacuum analyze');
  const settings = ['log_min_duration=0', 'log_analyze=on', 'log_buffers=on', 'log_timing=off', 'log_format=json'];
  const all = [...settings, 'log_nested_statements=on'].map((setting) => `auto_explain.${setting}`);
  const name = new URL(address).pathname.slice(1);
  for (const setting of ['session_preload_libraries=auto_explain', ...all])
    await cluster.query(address, `alter database ${name} set ${setting}`);
}

export async function explained(cluster: TestCluster, address: string): Promise<readonly Explained[]> {
  const [row] = await cluster.query(
    address,
    `select pg_read_file(current_setting('data_directory') || '/../log') as log`,
  );
  const { log } = row as { readonly log: string };
  return [...log.matchAll(/ plan:\n((?:\t.*\n)+)/g)].map(([, plan = '']) => {
    const { 'Query Text': statement, Plan: root } = JSON.parse(plan) as { 'Query Text': string; Plan: PlanNode };
    const pages = (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0);
    return { statement, pages, scans: scansOf(root) };
  });
}

/** It reads these tables, which grow with the runs, and not by a few look-ups. */
export function readsTooMuch({ pages, scans }: Explained, growing: readonly string[]): boolean {
  const read = scans.filter(({ table }) => growing.includes(table));
  return read.some(({ kind, rows }) => kind === 'Seq Scan' || rows > FEW_ROWS || pages > FEW_PAGES);
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

function scansOf(node: PlanNode): readonly Scan[] {
  const below = (node.Plans ?? []).flatMap(scansOf);
  const { 'Node Type': kind, 'Relation Name': table } = node;
  if (table === undefined || !kind.endsWith('Scan')) return below;
  const rows = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  return [{ kind, table, rows: rows * (node['Actual Loops'] ?? 1) }, ...below];
}
