import type { Fact } from '../../core/record/fact.ts';
import type { LogLine } from './log-line.ts';
import type { KnownTask, TaskBook } from '../history/task-book.ts';

/** The fields that depend on the fact; the other fields come from the record and its task. */
export type LineFields = Pick<LogLine, 'event'> &
  Partial<Omit<LogLine, 'timestamp' | 'workflow_id' | 'run' | 'seq' | 'part' | 'state' | 'task' | 'unit'>>;

export interface LineContext<F extends Fact = Fact> {
  readonly fact: F;
  readonly at: number;
  /** The task it is about. */
  readonly task: KnownTask | undefined;
  readonly book: TaskBook;
}

export type LineWriter<F extends Fact = Fact> = (context: LineContext<F>) => readonly LineFields[];
