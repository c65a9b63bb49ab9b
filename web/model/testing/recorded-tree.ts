import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition } from '../../../src/core/model/definition.ts';
import type { PageRecord } from '../../../src/protocol/web/record-page.ts';
import { emptyTree, takeLines, withDefinition, type RunTree } from '../run-tree.ts';

/**
 * Journals of real runs, without long texts and without what expressions are made of: `demo` is what `npm run demo` does (a coder
 * and a reviewer, twice), `review` three implementations with two reviewers and a debate, `quest` a plan of four steps with a run
 * for each.
 */
export type RecordedName = 'demo' | 'review' | 'quest';

/** As the page knows it after so many lines, in the order in which they were written; all of them unless said. */
export function recordedTree(name: RecordedName, count = Infinity): RunTree {
  const { root, definitions, lines } = recorded(name);
  const { tree } = takeLines(emptyTree(root), lines.slice(0, count));
  return Object.entries(definitions)
    .filter(([run]) => tree.runs.has(run))
    .reduce<RunTree>((known, [run, definition]) => withDefinition(known, run, definition), { ...tree, isLoaded: true });
}

export const recordedLines = (name: RecordedName): readonly PageRecord[] => recorded(name).lines;

interface Recorded {
  readonly root: string;
  readonly definitions: Readonly<Record<string, Definition>>;
  readonly lines: readonly PageRecord[];
}

function recorded(name: RecordedName): Recorded {
  const text = readFileSync(join(import.meta.dirname, 'recorded', `${name}.jsonl`), 'utf8');
  const [head = '{}', ...lines] = text.trimEnd().split('\n');
  return {
    ...(JSON.parse(head) as Omit<Recorded, 'lines'>),
    lines: lines.map((line) => JSON.parse(line) as PageRecord),
  };
}
