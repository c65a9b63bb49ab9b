import type { FailureCode } from '../../src/core/codes/codes.ts';
import type { Activity } from '../../src/core/record/agent-fact.ts';
import type { JournalRecord } from '../../src/core/record/fact.ts';
import type { ToolFinished } from '../../src/core/record/call-fact.ts';
import type { TaskEnded } from '../../src/core/record/task-fact.ts';
import { isHandedUp } from '../../src/core/step/handed-up.ts';
import { isJsonObject, type Json } from '../../src/core/model/json.ts';
import { lastLines } from '../../src/core/look/last-lines.ts';
import { describeLimit, LIMIT_CODES } from '../../src/core/model/limits.ts';
import type { Failure } from '../../src/core/model/outcome.ts';
import type { TaskId } from '../../src/core/model/ids.ts';
import { Rows, takeWith, type Takers } from '../../src/protocol/history/rows.ts';
import type { TaskBook } from '../../src/protocol/history/task-book.ts';
import { shortLine, toolText } from '../../src/protocol/tool-words.ts';

/** Something that went wrong on the way, with where it was and what can be done. */
export interface RunProblem {
  readonly key: string;
  readonly run: string;
  readonly seq: number;
  readonly at: number;
  readonly state: string;
  readonly visit: number;
  readonly task: string | null;
  readonly agent: string | null;
  readonly kind: 'failure' | 'tool' | 'refused' | 'limit' | 'result';
  readonly code: FailureCode;
  readonly text: string;
  /** More of it: what was printed, an exit code. */
  readonly detail: string;
  readonly hint: string | null;
  /** `fixed`: it was tried again, or the work continued without it. `undone`: the run was rolled back to before it. */
  readonly standing: 'open' | 'fixed' | 'undone';
  /** The run ended with it. */
  readonly isEnd: boolean;
}

type Telling = Pick<RunProblem, 'kind' | 'code' | 'text'> & Partial<Omit<RunProblem, 'kind' | 'code' | 'text'>>;

export class ProblemFold {
  readonly #run: string;
  readonly #book: TaskBook;
  readonly #rows = new Rows<RunProblem>();

  constructor(run: string, book: TaskBook) {
    this.#run = run;
    this.#book = book;
  }

  take(record: JournalRecord): void {
    takeWith(TAKERS, this, record);
  }

  get view(): readonly RunProblem[] {
    return this.#rows.list;
  }

  call(task: TaskId, id: string): string {
    const call = this.#book.toolCall(task, id);
    return call === undefined ? 'a tool' : toolText(call);
  }

  tell({ seq, at }: JournalRecord, telling: Telling): void {
    const task = telling.task ?? null;
    const { agent, state, visit } = this.#book.task(task) ?? { agent: null, ...this.#book.step };
    this.#rows.add({
      // One record may tell of several.
      key: `${this.#run} ${seq} ${this.#rows.count}`,
      run: this.#run,
      seq,
      at,
      state,
      visit,
      agent,
      detail: '',
      hint: null,
      standing: 'open',
      isEnd: false,
      ...telling,
      task,
    });
  }

  /**
   * A failure that is handed up, or that a call meets again, is shown once, where it arose. That of a turn apart is the failure of
   * the task above, which knows whether the work continued without it.
   */
  fail(failure: Failure, record: JournalRecord, more: Partial<RunProblem> = {}): void {
    if (this.#book.isApart && more.standing !== 'fixed') return;
    const place = this.#rows.list.findLastIndex((one) => this.#isSame(one, failure, more));
    const known = this.#rows.at(place);
    const { isEnd = false, detail = '' } = more;
    const { code, message: text, hint = null } = failure;
    if (known === undefined) this.tell(record, { kind: 'failure', code, text, hint, ...more });
    else this.#rows.change(place, { standing: 'open', isEnd: known.isEnd || isEnd, detail: known.detail || detail });
  }

  #isSame(
    { kind, standing, code, text, task }: RunProblem,
    failure: Failure,
    { isEnd = false, task: of = null }: Partial<RunProblem>,
  ): boolean {
    if (kind !== 'failure' || standing === 'undone') return false;
    const pool = this.#book.task(task)?.pool ?? null;
    return isHandedUp(failure, isEnd ? null : of, [{ failure: { code, message: text }, task, pool }]);
  }

  /** It was tried again, or the work continued without it. */
  markFixed(isFixed: (problem: RunProblem) => boolean): void {
    this.#rows.changeAll((one) => (one.standing === 'open' && isFixed(one) ? { standing: 'fixed' } : null));
  }

  rewind(): void {
    const { lineage } = this.#book;
    this.#rows.changeAll(({ seq }) => (lineage.counts(seq) ? null : { standing: 'undone' }));
  }
}

/** Marks a task's failures as fixed once it continues or succeeds. */
const markTaskFixed = (fold: ProblemFold, task: string): void =>
  fold.markFixed((one) => one.task === task && one.kind === 'failure');

/** Only the last problem with the result counts. */
const handOver = (fold: ProblemFold): void => fold.markFixed(({ kind }) => kind === 'result');

/** A limit that was raised, or a pause that is over. */
const goOn = (fold: ProblemFold, isOver: (code: FailureCode) => boolean): void =>
  fold.markFixed(({ kind, code }) => kind === 'limit' && isOver(code));

const LIMITS: ReadonlySet<FailureCode> = new Set(Object.values(LIMIT_CODES));

const TAKERS: Takers<ProblemFold> = {
  'call.answered': (fold, fact, record) => {
    markTaskFixed(fold, fact.task);
    for (const [id, why] of Object.entries({ ...fact.rejected, ...fact.refused }))
      fold.tell(record, {
        kind: 'refused',
        code: 'REPLY_REFUSED',
        text: `${fold.call(fact.task, id)}: ${why}`,
        task: fact.task,
        standing: 'fixed',
      });
  },
  'call.failed': (fold, { task, failure, retryAt }, record) =>
    fold.fail(failure, record, { task, standing: retryAt === null ? 'open' : 'fixed' }),
  'task.ended': taskEnded,
  'tool.finished': toolFinished,
  'activity.noted': (fold, { task, items }, record) =>
    items.forEach((item) => noteActivity(fold, task, { item, record })),
  'script.evaluated': (fold, { result }, record) => {
    if (result.kind === 'failed') fold.fail(result.failure, record);
  },
  'unit.ended': (fold, { unit, outcome, reason }, record) => {
    if (outcome !== 'skipped' && outcome !== 'ok' && outcome !== 'cancelled')
      fold.tell(record, { kind: 'failure', code: 'UNIT_NOT_DONE', text: `${unit}: ${reason}` });
  },
  'limit.reached': (fold, fact, record) => {
    if (fact.isOfParent === true) return;
    fold.tell(record, {
      kind: 'limit',
      code: LIMIT_CODES[fact.limit],
      text: describeLimit(fact),
      hint: 'Answer its question to continue, or resume the run with a higher limit.',
    });
  },
  'limit.raised': (fold, { limit }) => goOn(fold, (code) => code === LIMIT_CODES[limit]),
  'run.paused': (fold, { failure }, record) => {
    if (failure !== undefined)
      fold.tell(record, {
        kind: 'limit',
        code: failure.code,
        text: failure.message,
        hint: failure.hint ?? 'Fix it, then resume the run.',
      });
  },
  'run.continued': (fold) => goOn(fold, (code) => !LIMITS.has(code)),
  'project.changed': (fold, { how, workspace }) => {
    if (how === 'applied' && workspace !== undefined) handOver(fold);
  },
  'delivery.failed': (fold, { failure }, record) => {
    fold.tell(record, {
      kind: 'result',
      code: failure.code,
      text: `The result was not delivered: ${failure.message}`,
      hint: failure.hint ?? 'Resume the run to deliver it.',
    });
  },
  'delivery.started': (fold) => handOver(fold),
  'delivery.finished': (fold, { how, conflicts = [], reason, command, report }, record) => {
    handOver(fold);
    if (how === 'conflict')
      fold.tell(record, {
        kind: 'result',
        code: 'MERGE_CONFLICT',
        text: `The result is in conflict with what you have now: ${conflicts.join(', ')}`,
        hint: 'Merge it with a choice for each file.',
      });
    if (how === 'not-verified')
      fold.tell(record, {
        kind: 'result',
        code: 'RESULT_NOT_VERIFIED',
        text: `The merged files did not pass${command === undefined ? '' : ` "${command}"`}.`,
        detail: [reason, lastLines(textOf(report?.['output']))].filter(Boolean).join('\n'),
        hint: 'Look at the changes. Then merge the result with another check, or take it as not verified.',
      });
  },
  'run.settled': (fold, { outcome, failure }, record) => {
    if (failure !== null) fold.fail(failure, record, { isEnd: true });
    else if (outcome === 'ok' || outcome === 'partial') fold.markFixed(({ kind }) => kind !== 'result');
  },
  'run.rewound': (fold, { state }) => {
    if (state !== null) fold.rewind();
  },
};

function taskEnded(fold: ProblemFold, { task, outcome, output, failure }: TaskEnded, record: JournalRecord): void {
  if (outcome === 'ok') markTaskFixed(fold, task);
  else if (failure !== null && failure.class !== 'cancelled')
    fold.fail(failure, record, { task, detail: printed(output) });
}

function toolFinished(fold: ProblemFold, fact: ToolFinished, record: JournalRecord): void {
  const { task, toolCall, content, isError, refused, accepted } = fact;
  const text = fold.call(task, toolCall);
  if (refused !== undefined)
    fold.tell(record, { kind: 'refused', code: refused, text, detail: content, task, standing: 'fixed' });
  else if (isError && accepted === undefined)
    fold.tell(record, { kind: 'tool', code: 'TOOL_FAILED', text, detail: content, task, standing: 'fixed' });
}

function noteActivity(
  fold: ProblemFold,
  task: string,
  { item, record }: { item: Activity; record: JournalRecord },
): void {
  if (item.status !== 'denied' && item.status !== 'failed') return;
  const isDenied = item.status === 'denied';
  const code: FailureCode = isDenied ? 'TOOL_DENIED' : 'TOOL_FAILED';
  const text = shortLine(`${item.name} ${item.text ?? ''}`);
  fold.tell(record, { kind: isDenied ? 'refused' : 'tool', code, text, task, standing: 'fixed' });
}

/** The output of a command, if the work was one. */
function printed(output: Json): string {
  if (typeof output === 'string') return output;
  if (!isJsonObject(output)) return '';
  const parts = ['stdout', 'stderr', 'output'].flatMap((key) => textIn(output[key]));
  const code = output['exitCode'] ?? output['exit_code'];
  return [...(code === undefined ? [] : [`Exit code ${JSON.stringify(code)}`]), ...parts].join('\n');
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const textIn = (value: Json | undefined): readonly string[] =>
  typeof value === 'string' && value !== '' ? [value] : [];
