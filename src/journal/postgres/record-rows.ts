import type { Fact } from '../../core/fact.ts';
import type { RunId } from '../../core/ids.ts';
import { contentHash } from '../content-hash.ts';
import type { StoredRecord, TreeRecord } from '../port.ts';
import { firstTip, REFERENCE } from '../written-record.ts';
import { rowHash } from '../row-hash.ts';
import { damaged } from '../refusal.ts';
import type { DatabaseLink } from './database-link.ts';
import type { RunRow } from './run-rows.ts';
import { runFrom, textFrom } from './stored-text.ts';

interface RecordRow {
  readonly seq: number;
  readonly commit: number;
  readonly at: number;
  readonly body: string;
  readonly hash: string;
  readonly minus: number;
  /** The body that `body` refers to. */
  readonly large: string | null;
}

interface TreeRow extends RecordRow {
  readonly run: string;
  /** The hash of the record before it. */
  readonly before: string | null;
}

const COLUMNS = 'r.seq, r.commit, r.at, r.body, r.hash, r.minus, b.body as large';
const WITH_BODY = `left join troupe.bodies b on left(r.body, ${REFERENCE.length}) = '${REFERENCE}' and b.hash = substr(r.body, ${REFERENCE.length + 1})`;

const ROWS_AT_ONCE = 1000;

/**
 * Records, read and checked: each against the one before it, and the newest, where it is reached, against the run's entry [J4].
 * Records never change, so those up to the number in the entry are the same for every statement that reads them.
 */
export class RecordRows {
  readonly #link: DatabaseLink;

  constructor(link: DatabaseLink) {
    this.#link = link;
  }

  async read(run: RunRow, after: number, limit = Infinity): Promise<readonly StoredRecord[]> {
    const end = Math.min(run.seq, after + Math.floor(limit));
    if (!(after < end)) return [];
    const records: StoredRecord[] = [];
    let { seq, tip } = { seq: after, tip: await this.#tipAt(run, after) };
    for await (const row of this.#rows(run, after, end)) {
      seq += 1;
      if (row.seq !== seq || !isSound(row, tip)) throw damagedAt(run.run, seq);
      tip = row.hash;
      records.push(recordFrom(row, run.run));
    }
    const isWhole = seq === end && (end < run.seq || tip === run.tip);
    if (!isWhole) throw damagedAt(run.run, Math.min(seq + 1, end));
    return records;
  }

  /** The hash of the record; of number 0 the beginning of the chain. */
  async hashAt(run: RunRow, seq: number): Promise<string | undefined> {
    if (seq === 0) return firstTip(textFrom(run.run));
    const statement = { name: 'hash', text: 'select hash from troupe.records where run = $1 and seq = $2' };
    const [row] = await this.#link.query<{ hash: string }>(statement, [run.number, seq]);
    return row?.hash;
  }

  /** `root` is the entry of the tree's root. */
  async tree(root: RunRow, after: number, limit = Infinity): Promise<readonly TreeRecord[]> {
    const [tree] = await this.#link.query<{ counter: number }>(
      { name: 'tree', text: 'select counter from troupe.trees where number = $1' },
      [root.tree],
    );
    const newest = tree?.counter ?? 0;
    if (!(after < newest)) return [];
    const end = await this.#endOfPage(root.tree, { after, newest, limit });
    const records: TreeRecord[] = [];
    for await (const row of this.#treeRows(root.tree, after, end)) records.push(treeRecordFrom(row));
    refuseGaps(records);
    if (end === newest && records.at(-1)?.commit !== newest) {
      throw damaged(`Commit ${newest} in the tree of run ${root.run} is missing.`, { run: root.run, commit: newest });
    }
    return records;
  }

  async *#treeRows(tree: number, after: number, end: number): AsyncGenerator<TreeRow> {
    for (let from = after; from < end;) {
      const to = await this.#endOfPage(tree, { after: from, newest: end, limit: ROWS_AT_ONCE });
      yield* await this.#link.query<TreeRow>({ name: 'tree-records', text: TREE }, [tree, from, to]);
      from = to;
    }
  }

  /** The last commit that fits in whole; the first one always does. */
  async #endOfPage(tree: number, page: { after: number; newest: number; limit: number }): Promise<number> {
    const { after, newest, limit } = page;
    if (limit === Infinity) return newest;
    const statement = { name: 'page-end', text: PAGE_END };
    const [row] = await this.#link.query<{ first: number | null; next: number | null }>(statement, [
      tree,
      after,
      newest,
      Math.max(0, Math.floor(limit)),
    ]);
    if (row === undefined || row.next === null || row.first === null) return newest;
    return Math.max(row.first, row.next - 1);
  }

  async #tipAt(run: RunRow, seq: number): Promise<string> {
    const hash = await this.hashAt(run, seq);
    if (hash === undefined) throw damagedAt(run.run, seq);
    return hash;
  }

  async *#rows(run: RunRow, after: number, end: number): AsyncGenerator<RecordRow> {
    for (let from = after; from < end; from += ROWS_AT_ONCE) {
      const to = Math.min(end, from + ROWS_AT_ONCE);
      yield* await this.#link.query<RecordRow>({ name: 'records', text: RECORDS }, [run.number, from, to]);
    }
  }
}

const RECORDS = `
  select ${COLUMNS} from troupe.records r ${WITH_BODY}
  where r.run = $1 and r.seq > $2 and r.seq <= $3 order by r.seq`;

const TREE = `
  select n.run, ${COLUMNS}, p.hash as before
  from troupe.records r join troupe.runs n on n.number = r.run
  left join troupe.records p on p.run = r.run and p.seq = r.seq - 1 ${WITH_BODY}
  where r.tree = $1 and r.commit > $2 and r.commit <= $3 order by r.commit, n.run, r.seq`;

/** The commit of the first record, and of the first record behind the page. */
const PAGE_END = `
  select
    (select min(commit) from troupe.records where tree = $1 and commit > $2 and commit <= $3) as first,
    (select commit from troupe.records where tree = $1 and commit > $2 and commit <= $3 order by commit offset $4 limit 1) as next`;

function isSound(row: RecordRow, before: string): boolean {
  return rowHash(before, row.seq, row.at, row.body) === row.hash && row.minus === -row.commit;
}

function treeRecordFrom(row: TreeRow): TreeRecord {
  const before = row.seq === 1 ? firstTip(textFrom(row.run)) : row.before;
  if (before === null || !isSound(row, before)) throw damagedAt(row.run, row.seq);
  return { ...recordFrom(row, row.run), run: runFrom(row.run) };
}

/** A page has consecutive records of each run. */
function refuseGaps(records: readonly TreeRecord[]): void {
  const newest = new Map<RunId, number>();
  for (const { run, seq } of records) {
    if (seq !== (newest.get(run) ?? seq - 1) + 1) throw damagedAt(run, seq);
    newest.set(run, seq);
  }
}

function recordFrom(row: RecordRow, run: string): StoredRecord {
  const { seq, commit, at } = row;
  return { seq, at, fact: factFrom(row, run), commit };
}

function factFrom({ body, large, seq }: RecordRow, run: string): Fact {
  if (!body.startsWith(REFERENCE)) return JSON.parse(body) as Fact;
  if (large === null || contentHash(large) !== body.slice(REFERENCE.length)) throw damagedAt(run, seq);
  return JSON.parse(large) as Fact;
}

function damagedAt(run: string, seq: number): Error {
  return damaged(`Record ${seq} of run ${run} is damaged.`, { run, seq });
}
