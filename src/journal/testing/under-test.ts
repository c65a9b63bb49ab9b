import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { runId } from '../../core/model/ids.ts';
import type { Batch, InboxMessage, Journal, NewRun, RunSummary, StoredRecord } from '../port.ts';

export interface JournalUnderTest {
  readonly journal: Journal;
  /** Closes the journal and opens what it left behind. Only where it is durable. */
  readonly reopen?: () => Promise<Journal>;
  /** The same journal as another live process sees it, closed by `dispose`. Only where several processes may share it. */
  readonly openOther?: () => Promise<Journal>;
  readonly dispose: () => Promise<void>;
}

export const A = runId('a');
export const B = runId('b');
export const RUNNING: RunSummary = { status: 'running', outcome: null };

export const newRun = (run: string, more: Partial<NewRun> = {}): NewRun => ({
  run: runId(run),
  parent: null,
  workflow: 'review',
  project: '/project',
  title: '',
  at: 1,
  ...more,
});

export const at = (seq: number): number => 1000 + seq;

const fact = (text: string): Fact => ({
  kind: 'message.added',
  context: 'main',
  message: { author: 'person', role: 'user', content: text },
});

export const record = (seq: number, text: string): JournalRecord => ({ seq, at: at(seq), fact: fact(text) });

export const records = (first: number, count: number): readonly JournalRecord[] =>
  Array.from({ length: count }, (_, index) => record(first + index, `record ${first + index}`));

export const batch = (first: number, count: number, summary: RunSummary = RUNNING): Batch => ({
  records: records(first, count),
  summary,
});

export const message = (id: string): InboxMessage => ({ id, at: 3, body: { answer: id } });

/** Records as written, without their commit numbers. */
export const contents = async (read: Promise<readonly StoredRecord[]>): Promise<readonly JournalRecord[]> =>
  (await read).map(({ seq, at, fact }) => ({ seq, at, fact }));

/** A bell that can be waited for. */
export function eventually() {
  let rings = 0;
  let heard = 0;
  let wake: (() => void) | undefined;
  return {
    ring: (): void => {
      rings += 1;
      wake?.();
    },
    count: (): number => rings,
    next: async (): Promise<void> => {
      if (rings <= heard) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      heard = rings;
    },
  };
}
