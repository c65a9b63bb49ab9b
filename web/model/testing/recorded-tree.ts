import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalRecord } from '../../../src/core/fact.ts';
import type { Definition } from '../../../src/core/role.ts';
import type { RecordLine } from '../../../src/protocol/web/record-page.ts';
import { emptyTree, takeLines, withDefinition, type RunTree } from '../run-tree.ts';

interface Recorded {
  readonly root: string;
  readonly runs: readonly {
    readonly run: string;
    readonly records: readonly JournalRecord[];
    readonly definition: Definition;
  }[];
}

/**
 * Journals of real runs with long texts cut: `demo` is what `npm run demo` does (a coder and a reviewer, twice), `review` three
 * implementations with two reviewers and a debate, `quest` a plan of four steps with a run for each.
 */
export type RecordedName = 'demo' | 'review' | 'quest';

/** As the page knows it after so many lines, in the order in which they were written; all of them unless said. */
export function recordedTree(name: RecordedName, count = Infinity): RunTree {
  const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', `${name}.json`), 'utf8')) as Recorded;
  const lines = linesOf(recorded).slice(0, count);
  const { tree } = takeLines(emptyTree(recorded.root), lines);
  return recorded.runs
    .filter(({ run }) => tree.runs.has(run))
    .reduce((known, { run, definition }) => withDefinition(known, run, definition), { ...tree, isLoaded: true });
}

/** All lines of the runs, one after the other as they were written. */
export function recordedLines(name: RecordedName): readonly RecordLine[] {
  return linesOf(JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', `${name}.json`), 'utf8')) as Recorded);
}

const linesOf = ({ runs }: Recorded): readonly RecordLine[] =>
  runs
    .flatMap(({ run, records }) => records.map((record) => ({ run, record })))
    .toSorted((a, b) => a.record.at - b.record.at);
