import { foldOn, foldRecords } from '../../src/core/fold/fold.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { Snapshot } from '../../src/core/fold/snapshot.ts';
import type { PageRecord } from '../../src/protocol/web/record-page.ts';
import type { TextDelta } from '../../src/protocol/web/stream.ts';
import { liveRuns } from '../../src/core/fold/live-runs.ts';
import { timeNow, type WorkTime } from '../../src/core/fold/work-clock.ts';
import { type QueuedReason, sleepsUntil } from '../../src/protocol/status-word.ts';
import { isRunWithin } from '../../src/core/model/ids.ts';

/** A run and all runs below it, as far as this page knows them. A new object after every change; unchanged parts stay the same objects. */
export interface RunTree {
  readonly root: string;
  /** By id; the root first, then in the order in which they became known. */
  readonly runs: ReadonlyMap<string, RunNode>;
  /** All there was when the page asked has been read. */
  readonly isLoaded: boolean;
  /** Whether a live process drives it, which no record says; null while that is not known. */
  readonly isDriven: boolean | null;
  /** Why no worker drives it yet; null where it waits for none. */
  readonly queued: QueuedReason | null;
  /** Why the run cannot be shown, or cannot be followed any more. */
  readonly failure: { readonly code: string; readonly message: string; readonly hint?: string } | null;
  /** Words that are being said, by `run task`. */
  readonly words: ReadonlyMap<string, RunLiveWords>;
}

export interface RunNode {
  readonly run: string;
  readonly parent: string | null;
  readonly snapshot: Snapshot;
  /** Grows at its end; the same array for all versions of the tree, so look at `count` entries. */
  readonly lines: readonly PageRecord[];
  readonly count: number;
  readonly definition: Definition | null;
}

export interface RunLiveWords {
  readonly run: string;
  readonly task: string;
  readonly agent: string;
  readonly text: string;
}

export const emptyTree = (root: string): RunTree => ({
  root,
  runs: new Map(),
  isLoaded: false,
  isDriven: null,
  queued: null,
  failure: null,
  words: new Map(),
});

/** The result of taking lines: runs with a gap must be read again from their last record. */
export interface TakenRecords {
  readonly tree: RunTree;
  readonly gaps: readonly string[];
}

/** Lines may come twice and from two ways: what is known already is passed over, what leaves a gap is not taken. */
export function takeLines(tree: RunTree, lines: readonly PageRecord[]): TakenRecords {
  const runs = new Map(tree.runs);
  const words = new Map(tree.words);
  const gaps = new Set<string>();
  for (const [run, own] of Map.groupBy(lines, (line) => line.run)) {
    const known = runs.get(run) ?? null;
    const news = own.filter(({ record }) => record.seq > (known?.count ?? 0));
    const first = news[0];
    if (first === undefined) continue;
    if (first.record.seq !== (known?.count ?? 0) + 1) gaps.add(run);
    else {
      runs.set(run, grown(known, run, news));
      forgetWords(words, run, news);
    }
  }
  return { tree: { ...tree, runs, words }, gaps: [...gaps] };
}

function grown(known: RunNode | null, run: string, news: readonly PageRecord[]): RunNode {
  if (known === null) {
    const snapshot = foldRecords(news.map(({ record }) => record));
    return { run, parent: snapshot.parent, snapshot, lines: [...news], count: news.length, definition: null };
  }
  const snapshot = foldOn(
    known.snapshot,
    news.map(({ record }) => record),
  );
  const lines = known.lines as PageRecord[];
  // Only the newest version of a run may add to the shared array.
  const shared = lines.length === known.count ? lines : lines.slice(0, known.count);
  shared.push(...news);
  return { ...known, snapshot, lines: shared, count: known.count + news.length };
}

/** Once the whole answer is a record, the words on the way to it are of no use. */
function forgetWords(words: Map<string, RunLiveWords>, run: string, news: readonly PageRecord[]): void {
  for (const { record } of news) {
    const { fact } = record;
    if (fact.kind === 'call.answered' || fact.kind === 'call.failed' || fact.kind === 'task.ended')
      words.delete(`${run} ${fact.task}`);
  }
}

export function takeTexts(tree: RunTree, texts: readonly TextDelta[]): RunTree {
  const words = new Map(tree.words);
  for (const { run, task, agent, offset, text } of texts) {
    if (!isRunWithin(run, tree.root)) continue;
    const key = `${run} ${task}`;
    const before = words.get(key)?.text ?? '';
    // What was missed on the way is not made up: the words continue where they can.
    const said = before.slice(0, offset) + text;
    if (said === '') words.delete(key);
    else words.set(key, { run, task, agent, text: said });
  }
  return { ...tree, words };
}

export const withDefinition = (tree: RunTree, run: string, definition: Definition): RunTree => {
  const known = tree.runs.get(run);
  return known === undefined ? tree : { ...tree, runs: new Map(tree.runs).set(run, { ...known, definition }) };
};

/** Everything that shows whether work goes on is drawn again. A process that is gone says nothing more. */
export const withDriven = (tree: RunTree, isDriven: boolean | null, queued: QueuedReason | null = null): RunTree =>
  tree.isDriven === isDriven && tree.queued?.text === queued?.text
    ? tree
    : { ...tree, isDriven, queued, runs: new Map(tree.runs), words: isDriven === false ? new Map() : tree.words };

/** When a run ended; while it has not, the time of the newest record of it and of the runs below it. */
export function lastMoment({ root, runs }: RunTree): number {
  const end = runs.get(root)?.snapshot.clock.endedAt ?? null;
  return end ?? [...runs.values()].reduce((latest, { snapshot }) => Math.max(latest, snapshot.at), 0);
}

/**
 * When a run came to a halt because its process is gone: with its newest record. Null while a process drives it or it sleeps, and once it has
 * ended. Nothing of a halted run is under way, whatever its records began.
 */
export function haltedAt(tree: RunTree): number | null {
  if (tree.isDriven !== false || tree.queued?.kind === 'sleeps') return null;
  const root = tree.runs.get(tree.root);
  return root === undefined || root.snapshot.result !== null ? null : lastMoment(tree);
}

export const isHalted = (tree: RunTree): boolean => haltedAt(tree) !== null;

/** The runs of a tree that go on. */
export const liveRunsOf = ({ root, runs }: RunTree): readonly RunNode[] =>
  liveRuns(runs.get(root)?.snapshot, (run) => runs.get(run)?.snapshot).flatMap(({ run }) => runs.get(run) ?? []);

/** A run's time at a moment, as every view shows it. */
export function runTimeAt(tree: RunTree, run: RunNode, now: number): WorkTime {
  const wakesAt = sleepsUntil(tree.queued);
  return timeNow(run.snapshot.clock, { isDriven: tree.isDriven !== false, now, lastAt: lastMoment(tree), wakesAt });
}
