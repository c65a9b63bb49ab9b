import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import type { NewRun, RunFilter, RunInfo, RunStatus, RunSummary } from '../port.ts';
import { rowSum } from '../row-hash.ts';
import { damaged, runUnknown } from '../refusal.ts';
import type { DatabaseLink } from './database-link.ts';
import { storedText } from './stored-text.ts';

/** A run as it stands in the database. */
export interface RunRow {
  readonly number: number;
  readonly run: string;
  readonly tree: number;
  readonly header: string;
  readonly sum: number;
  readonly status: RunStatus;
  readonly outcome: Outcome | null;
  readonly more: string | null;
  readonly seq: number;
  readonly tip: string;
  readonly updatedAt: number;
  readonly epoch: number;
  readonly worker: string | null;
  readonly owner: string | null;
  readonly isAlive: boolean;
}

const SELECT = `
  select r.number, r.run, r.tree, r.header, r.header_sum as sum, r.status, r.outcome, r.more, r.seq, r.tip,
    r.updated_at as "updatedAt", r.epoch, r.worker, r.owner,
    r.worker is not null and troupe.is_alive(w.id, w.beat_at) as "isAlive"
  from troupe.runs r left join troupe.workers w on w.id = r.worker`;

/** The rows of runs, read. */
export class RunRows {
  readonly #link: DatabaseLink;
  readonly #worker: string;

  /** `worker`: this process, which is alive for itself whatever the server has heard from it. */
  constructor(link: DatabaseLink, worker: string) {
    this.#link = link;
    this.#worker = worker;
  }

  async find(run: RunId): Promise<RunRow | undefined> {
    const statement = { name: 'run', text: `${SELECT} where r.run = $1` };
    const [row] = await this.#link.query<RunRow>(statement, [storedText(run)]);
    return row;
  }

  /** RUN_UNKNOWN where there is none. */
  async known(run: RunId): Promise<RunRow> {
    const row = await this.find(run);
    if (row === undefined) throw runUnknown(run);
    return row;
  }

  /** Newest first. */
  async list(filter: RunFilter): Promise<readonly RunRow[]> {
    const { root, limit: most } = filter;
    if ((most !== undefined && most <= 0) || (root !== undefined && rootRunId(root) !== root)) return [];
    const values: unknown[] = [];
    const use = (value: unknown): string => `$${values.push(value)}`;
    const wanted = conditions(filter, use);
    const where = wanted.length === 0 ? '' : `where ${wanted.join(' and ')}`;
    const limit = most === undefined ? '' : `limit ${use(Math.floor(most))}`;
    return this.#link.query<RunRow>({ text: `${SELECT} ${where} order by r.number desc ${limit}` }, values);
  }

  infoOf(row: RunRow): RunInfo {
    const { status, outcome, seq, tip, updatedAt, worker } = row;
    const more = row.more === null ? {} : (JSON.parse(row.more) as Partial<RunSummary>);
    const driven = row.isAlive || (worker !== null && worker === this.#worker);
    return { ...headerFrom(row), status, outcome, ...more, seq, tip, updatedAt, driven };
  }
}

function conditions(
  { parent, forkedFrom, root, status }: RunFilter,
  use: (value: unknown) => string,
): readonly string[] {
  const found: string[] = [];
  if (parent === null) found.push('r.parent is null');
  else if (parent !== undefined) found.push(`r.parent = ${use(storedText(parent))}`);
  if (forkedFrom !== undefined) found.push(`r.fork_of = ${use(storedText(forkedFrom))}`);
  if (root !== undefined) found.push(`r.tree = troupe.tree_of(${use(storedText(root))})`);
  if (status !== undefined) found.push(`r.status = ${use(status)}`);
  return found;
}

export const sumOfHeader = (header: string): number => rowSum(header);

function headerFrom({ run, header, sum }: RunRow): NewRun {
  if (sumOfHeader(header) !== sum) throw damaged(`The entry of run ${run} is damaged.`, { run });
  return JSON.parse(header) as NewRun;
}
