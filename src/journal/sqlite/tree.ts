import { rootRunId, runId, type RunId } from '../../core/model/ids.ts';
import { byCommit } from '../../core/record/stored-record.ts';
import type { TreeRecord } from '../port.ts';
import { wholeCommits } from '../tree-page.ts';
import { findStoredRun } from './known-run.ts';
import { nameOf, type StoredRun } from './run-table.ts';
import type { Tables } from './tables.ts';

/** The root and all runs below it, newest first. For a look at one moment: the root's entry says how many there are. */
export function storedTree(tables: Tables, root: RunId): readonly StoredRun[] {
  if (rootRunId(root) !== root) return [];
  const row = findStoredRun(tables, root);
  const below = tables.runs.related('below', root, row?.below);
  return row === undefined ? below : [...below, row].toSorted((a, b) => b.number - a.number);
}

/** Each run is read in pieces, so that a page of a long tree reads little more than the page. */
export function readTreePage(
  tables: Tables,
  runs: readonly StoredRun[],
  { after, limit }: { readonly after: number; readonly limit: number },
): readonly TreeRecord[] {
  const changed = runs.filter(({ newest }) => newest > after);
  const piece = Math.max(LEAST_PIECE, Math.ceil(limit / changed.length));
  const parts = changed.map((run) => new RunPart(tables, run, after));
  for (const part of parts) part.readOn(piece);
  for (;;) {
    // Below this number every commit has been read whole.
    const bound = parts.reduce((least, part) => Math.min(least, part.bound), Infinity);
    const whole = parts.flatMap(({ records }) => records.filter(({ commit }) => commit < bound));
    if (bound === Infinity || whole.length > limit) return wholeCommits(whole.toSorted(byCommit), limit);
    for (const part of parts) if (part.bound === bound) part.readOn(piece);
  }
}

const LEAST_PIECE = 64;

class RunPart {
  readonly records: TreeRecord[] = [];
  readonly #tables: Tables;
  readonly #run: StoredRun;
  readonly #name: RunId;
  #reached: number;

  constructor(tables: Tables, run: StoredRun, after: number) {
    this.#tables = tables;
    this.#run = run;
    this.#name = runId(nameOf(run));
    this.#reached = tables.records.lastUntil(run, after);
  }

  /** Commits of the run below this number have been read. */
  get bound(): number {
    return this.#reached === this.#run.seq ? Infinity : (this.records.at(-1)?.commit ?? 0);
  }

  readOn(count: number): void {
    const run = this.#name;
    for (const record of this.#tables.records.read(this.#run, this.#reached, count))
      this.records.push({ ...record, run });
    this.#reached = Math.min(this.#run.seq, this.#reached + count);
  }
}
