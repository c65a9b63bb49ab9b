import type { JournalRecord } from '../../core/record/fact.ts';
import type { LogLine } from './log-line.ts';
import { TaskBook, type KnownTask } from '../history/task-book.ts';
import { TELLERS } from './tellers.ts';
import type { Teller, Told } from './told.ts';

/** The log lines of one run, record by record: a fold, so the same journal gives the same lines. */
export class LineTeller {
  readonly #run: string;
  readonly #book = new TaskBook();

  constructor(run: string) {
    this.#run = run;
  }

  /** The lines of the next record; none for what is only bookkeeping. */
  tell(record: JournalRecord): readonly LogLine[] {
    this.#book.take(record);
    const { fact } = record;
    const teller = TELLERS[fact.kind] as Teller | undefined;
    const task = 'task' in fact ? this.#book.task(fact.task) : undefined;
    const told = teller?.({ fact, at: record.at, task, book: this.#book }) ?? [];
    return told.map((one, index) => {
      const line = this.#line(record, task, one);
      return told.length === 1 ? line : { ...line, part: index + 1 };
    });
  }

  #line({ seq, at }: JournalRecord, task: KnownTask | undefined, told: Told): LogLine {
    const { event, ...more } = told;
    const state = task?.state ?? this.#book.step.state;
    return {
      timestamp: new Date(at).toISOString(),
      level: 'INFO',
      agent_id: task?.agent ?? null,
      workflow_id: this.#run.split('/')[0] ?? this.#run,
      event,
      tool: null,
      file: null,
      duration_ms: null,
      status: 'success',
      run: this.#run,
      seq,
      ...(state === '' ? {} : { state }),
      ...placeOf(task),
      ...more,
    };
  }
}

const placeOf = (task: KnownTask | undefined): Pick<LogLine, 'task' | 'unit'> =>
  task === undefined ? {} : { task: task.id, ...(task.unit === null ? {} : { unit: task.unit }) };
