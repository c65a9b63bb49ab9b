import type { Fact } from '../../core/record/fact.ts';
import { contentHash } from '../content-hash.ts';
import type { StoredRecord, TreeRecord } from '../port.ts';
import { firstTip, REFERENCE } from '../written-record.ts';
import { damaged } from '../refusal.ts';
import type { DatabaseLink } from './database-link.ts';
import type { RunRow } from './run-rows.ts';
import { runFrom, textFrom } from './stored-text.ts';
import { chained, recordsIn } from './written-batch.ts';

/** Records that were written together. */
interface RecordsRow {
  /** Of the last of them. */
  readonly seq: number;
  readonly commit: number;
  readonly body: string;
  readonly hash: string;
  readonly minus: number;
}

interface TreeRow extends RecordsRow {
  readonly run: string;
  /** The row before it. */
  readonly before: (ChainEnd & Pick<RecordsRow, 'commit' | 'minus'>) | null;
}

/** The end of a row. */
interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

type Lines = ReturnType<typeof recordsIn>;

interface SoundRow {
  readonly run: string;
  readonly commit: number;
  readonly lines: Lines;
}

const chainStart = (run: string): ChainEnd => ({ seq: 0, hash: firstTip(textFrom(run)) });

const COLUMNS = 'r.seq, r.commit, r.body, r.hash, r.minus';

const ROWS_AT_ONCE = 500;

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
    let last = await this.#endBefore(run, after);
    while (last.seq < end) {
      const rows = await this.#rows(run, last.seq, end);
      if (rows.length === 0) throw damagedAt(run.run, last.seq + 1);
      const sound: SoundRow[] = [];
      for (const row of rows) {
        sound.push({ run: run.run, commit: row.commit, lines: soundLines(row, run.run, last) });
        last = row;
      }
      for (const own of await this.#facts(sound)) records.push(...own.filter(({ seq }) => seq > after && seq <= end));
    }
    if (end === run.seq && (last.seq !== end || last.hash !== run.tip)) throw damagedAt(run.run, end);
    return records;
  }

  /** `root` is the entry of the tree's root. */
  async tree(root: RunRow, after: number, limit = Infinity): Promise<readonly TreeRecord[]> {
    const newest = await this.#newestCommit(root);
    const records: TreeRecord[] = [];
    for await (const own of this.#commits(root.tree, { after, newest, limit })) {
      // Whole commits only; the first one always.
      if (records.length > 0 && records.length + own.length > limit) return records;
      records.push(...own);
    }
    if (after < newest && records.at(-1)?.commit !== newest)
      throw damaged(`Commit ${newest} in the tree of run ${root.run} is missing.`, { run: root.run, commit: newest });
    return records;
  }

  async #newestCommit(root: RunRow): Promise<number> {
    const statement = { name: 'tree', text: 'select counter from troupe.runs where number = $1' };
    const [tree] = await this.#link.query<{ counter: number }>(statement, [root.tree]);
    return tree?.counter ?? 0;
  }

  /** The records of each commit; a commit is one row. */
  async *#commits(
    tree: number,
    { after, newest, limit }: { readonly after: number; readonly newest: number; readonly limit: number },
  ): AsyncGenerator<readonly TreeRecord[]> {
    const most = Math.max(1, Math.min(ROWS_AT_ONCE, Math.floor(limit) + 1));
    const ends = new Map<string, number>();
    for (let from = after; from < newest;) {
      const rows = await this.#link.query<TreeRow>({ name: 'tree-records', text: TREE }, [tree, from, newest, most]);
      for (const row of rows) {
        refuseSkipped(row, ends.get(row.run), after);
        ends.set(row.run, row.seq);
      }
      yield* await this.#treeRecords(rows);
      from = rows.at(-1)?.commit ?? newest;
    }
  }

  async #treeRecords(rows: readonly TreeRow[]): Promise<readonly (readonly TreeRecord[])[]> {
    const sound = rows.map((row) => {
      const { run, commit, before } = row;
      return { run, commit, lines: soundLines(row, run, before ?? chainStart(run)) };
    });
    const records = await this.#facts(sound);
    return rows.map(({ run }, index) => (records[index] ?? []).map((record) => ({ ...record, run: runFrom(run) })));
  }

  /** The last row that ends at a record or before it. */
  async #endBefore(run: RunRow, seq: number): Promise<ChainEnd> {
    if (seq === 0) return chainStart(run.run);
    const [row] = await this.#link.query<ChainEnd>({ name: 'end-before', text: END_BEFORE }, [run.number, seq]);
    return row ?? chainStart(run.run);
  }

  /** Up to the row that has the record `end`: what was written since the entry was read is not asked for. */
  async #rows(run: RunRow, after: number, end: number): Promise<readonly RecordsRow[]> {
    // A row has one record at least.
    const most = Math.min(ROWS_AT_ONCE, end - after);
    const rows = await this.#link.query<RecordsRow>({ name: 'records', text: RECORDS }, [run.number, after, most]);
    const last = rows.findIndex(({ seq }) => seq >= end);
    return last === -1 ? rows : rows.slice(0, last + 1);
  }

  /** The records of each row. */
  async #facts(rows: readonly SoundRow[]): Promise<readonly (readonly StoredRecord[])[]> {
    const large = await this.#bodies(rows.flatMap(({ lines }) => lines.flatMap(({ text }) => referenceIn(text) ?? [])));
    return rows.map(({ run, commit, lines }) =>
      lines.map(({ seq, at, text }) => {
        const hash = referenceIn(text);
        const fact = hash === null ? text : large.get(hash);
        if (fact === undefined || (hash !== null && contentHash(fact) !== hash)) throw damagedAt(run, seq);
        return { seq, at, fact: JSON.parse(fact) as Fact, commit };
      }),
    );
  }

  async #bodies(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (hashes.length === 0) return new Map();
    const found = await this.#link.query<{ hash: string; body: string }>({ name: 'bodies', text: BODIES }, [hashes]);
    return new Map(found.map(({ hash, body }) => [hash, body]));
  }
}

const BODIES = 'select hash, body from troupe.bodies where hash = any($1)';

const RECORDS = `select ${COLUMNS} from troupe.records r where r.run = $1 and r.seq > $2 order by r.seq limit $3`;

const END_BEFORE = 'select seq, hash from troupe.records where run = $1 and seq <= $2 order by seq desc limit 1';

/** The rows of the tree's first run by number, those of others by the index of the tree; each with the end of the row before it. */
const TREE = `
  with page as (
    (select * from troupe.records
      where run = $1 and seq > troupe.seq_at($1, $2) and commit <= $3 order by seq limit $4)
    union all
    (select * from troupe.records where tree = $1 and commit > $2 and commit <= $3 order by commit limit $4)
    order by commit limit $4)
  select n.run, ${COLUMNS}, (
    select json_build_object('seq', p.seq, 'commit', p.commit, 'hash', p.hash, 'minus', p.minus)
    from troupe.records p where p.run = r.run and p.seq < r.seq order by p.seq desc limit 1) as before
  from page r join troupe.runs n on n.number = r.run
  order by r.commit`;

/** The records of a row that continues the chain as the row before it left it. */
function soundLines(row: RecordsRow, run: string, before: ChainEnd): Lines {
  const lines = recordsIn(row.body, row.seq);
  const isSound =
    lines[0]?.seq === before.seq + 1 &&
    chained(before.hash, row.seq, row.body) === row.hash &&
    row.minus === -row.commit;
  if (!isSound) throw damagedAt(run, before.seq + 1);
  return lines;
}

/** The row before it was read as well, up to `end`, unless it belongs to an older commit. */
function refuseSkipped({ run, before }: TreeRow, end: number | undefined, after: number): void {
  const isOlder = before === null || (before.commit <= after && before.minus === -before.commit);
  const isNext = end === undefined ? isOlder : end === before?.seq;
  if (!isNext) throw damagedAt(run, before?.seq ?? 1);
}

/** The hash of the body that the text stands for. */
const referenceIn = (text: string): string | null => (text.startsWith(REFERENCE) ? text.slice(REFERENCE.length) : null);

function damagedAt(run: string, seq: number): Error {
  return damaged(`Record ${seq} of run ${run} is damaged.`, { run, seq });
}
