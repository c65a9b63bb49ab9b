import { applyFact } from '../core/fold/apply.ts';
import type { JournalRecord } from '../core/record/fact.ts';
import type { RunId } from '../core/model/ids.ts';
import { liveRuns } from '../core/fold/live-runs.ts';
import { overlapsOf } from '../core/look/overlap.ts';
import type { Snapshot } from '../core/fold/snapshot.ts';
import type { OverlapView } from './operations/answers/overlap.ts';
import { unitName } from './unit-name.ts';

export type { OverlapView } from './operations/answers/overlap.ts';

/** Files that a run and its child runs have both changed and not merged yet. */
export const overlapViews = (
  root: Snapshot | undefined,
  find: (run: RunId) => Snapshot | undefined,
): readonly OverlapView[] =>
  overlapsOf(liveRuns(root, find)).map(({ file, by }) => ({
    file,
    by: by.map((one) => ({ ...one, unit: one.unit === null ? null : unitName(one.unit) })),
  }));

/** `src/a.ts: changed by step-1 (codeweaver) and step-2 (codeweaver)` */
export function overlapText({ file, by }: OverlapView): string {
  const names = by.map(authorText);
  return `${file}: changed by ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

function authorText({ unit, agents, workspace }: OverlapView['by'][number]): string {
  const who = agents.join(', ');
  if (unit === null) return who === '' ? workspace : who;
  return who === '' || who === unit ? unit : `${unit} (${who})`;
}

const EMPTIED = { data: {}, contexts: {}, agents: {} } as const;

/** Follows the records of a tree of runs, and says of each which overlaps appeared with it. */
export class OverlapWatch {
  readonly #runs = new Map<string, Snapshot>();
  #shown: ReadonlySet<string> = new Set();

  take(root: string, run: string, { fact, at }: JournalRecord): readonly string[] {
    const before = this.#runs.get(run) ?? null;
    if (before === null && fact.kind !== 'run.started') return [];
    const after = applyFact(before, fact, at);
    // A run below that has ended is needed again only when it is rewound, and what it said and knew comes with that record.
    const hasEnded = fact.kind === 'run.settled' && run !== root;
    this.#runs.set(run, hasEnded ? { ...after, ...EMPTIED } : after);
    if (fact.kind !== 'files.changed') return [];
    const texts = overlapViews(this.#runs.get(root), (one) => this.#runs.get(one)).map(overlapText);
    const news = texts.filter((text) => !this.#shown.has(text));
    this.#shown = new Set(texts);
    return news;
  }
}
