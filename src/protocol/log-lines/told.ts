import type { Fact } from '../../core/record/fact.ts';
import type { LogLine } from './log-line.ts';
import type { KnownTask, TaskBook } from '../history/task-book.ts';

/** What a line says of its own; the rest is known from where it stands. */
export type Told = Pick<LogLine, 'event'> &
  Partial<Omit<LogLine, 'timestamp' | 'workflow_id' | 'run' | 'seq' | 'part' | 'state' | 'task' | 'unit'>>;

export interface Telling<F extends Fact = Fact> {
  readonly fact: F;
  readonly at: number;
  /** The task it is about. */
  readonly task: KnownTask | undefined;
  readonly book: TaskBook;
}

export type Teller<F extends Fact = Fact> = (telling: Telling<F>) => readonly Told[];
