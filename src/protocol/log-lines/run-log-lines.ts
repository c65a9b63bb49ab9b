import type { JournalRecord } from '../../core/record/fact.ts';
import type { LogLine } from './log-line.ts';
import { TaskBook, type KnownTask } from '../history/task-book.ts';
import { LINE_WRITERS } from './line-writers.ts';
import type { LineWriter, LineFields } from './line-writer.ts';

/** The log lines of one run, record by record: a fold, so the same journal gives the same lines. */
export class RunLogLines {
  readonly #run: string;
  readonly #book = new TaskBook();

  constructor(run: string) {
    this.#run = run;
  }

  /** The lines of the next record; none for what is only bookkeeping. */
  linesOf(record: JournalRecord): readonly LogLine[] {
    this.#book.take(record);
    const { fact } = record;
    const writer = LINE_WRITERS[fact.kind] as LineWriter | undefined;
    const task = 'task' in fact ? this.#book.task(fact.task) : undefined;
    const fields = writer?.({ fact, at: record.at, task, book: this.#book }) ?? [];
    return fields.map((own, index) => {
      const line = this.#line(record, task, own);
      return fields.length === 1 ? line : { ...line, part: index + 1 };
    });
  }

  #line({ seq, at }: JournalRecord, task: KnownTask | undefined, fields: LineFields): LogLine {
    const { event, ...more } = fields;
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
