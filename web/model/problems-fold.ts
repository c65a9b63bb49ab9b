import type { Activity } from '../../src/core/agent-fact.ts';
import type { CallAnswered, Fact, JournalRecord, TaskEnded, TaskStarted, ToolFinished } from '../../src/core/fact.ts';
import { isJsonObject, type Json } from '../../src/core/json.ts';
import { lastLines } from '../../src/core/last-lines.ts';
import { describeLimit, LIMIT_CODES } from '../../src/core/limits.ts';
import type { Failure } from '../../src/core/outcome.ts';
import { effectiveRecords } from '../../src/protocol/workflow-state/effective-records.ts';
import { incrementalFold, type Folding } from './incremental-fold.ts';
import type { RunTree } from './run-tree.ts';
import { oneLine, toolTarget } from './tool-words.ts';

/** Something that went wrong on the way, with where it was and what can be done. */
export interface Problem {
  readonly key: string;
  readonly run: string;
  readonly seq: number;
  readonly at: number;
  readonly state: string;
  readonly visit: number;
  readonly task: string | null;
  readonly agent: string | null;
  /** An agent that is a program of its own: what it printed is kept. */
  readonly isOfClient: boolean;
  readonly kind: 'failure' | 'tool' | 'refused' | 'limit' | 'result';
  readonly code: string;
  readonly text: string;
  /** More of it: what was printed, an exit code. */
  readonly detail: string;
  readonly hint: string | null;
  /** `mended`: it was tried again, or the work went on all the same. `undone`: the run was put back to before it. */
  readonly standing: 'stands' | 'mended' | 'undone';
  /** The run ended with it. */
  readonly isEnd: boolean;
}

/** Of one run, in order. */
export const problemsOf = incrementalFold<readonly Problem[]>((run) => new ProblemFold(run));

/** Of a run and all below it: what stands first, the newest first. */
export function treeProblems(tree: RunTree): readonly Problem[] {
  const all = [...tree.runs.values()].flatMap((run) => problemsOf(run));
  const order = ({ standing, isEnd }: Problem): number =>
    isEnd ? 0 : standing === 'stands' ? 1 : standing === 'mended' ? 2 : 3;
  return all.toSorted((a, b) => order(a) - order(b) || b.at - a.at);
}

/** How many there are that nobody should have to look for; tools that an agent saw fail and did without are none. */
export function problemCount(tree: RunTree): number {
  let count = 0;
  for (const run of tree.runs.values())
    for (const { standing, kind } of problemsOf(run)) if (standing === 'stands' && kind !== 'tool') count += 1;
  return count;
}

type Telling = Pick<Problem, 'kind' | 'code' | 'text'> & Partial<Problem>;

class ProblemFold implements Folding<readonly Problem[]> {
  readonly #run: string;
  readonly #problems: Problem[] = [];
  readonly #tasks = new Map<
    string,
    { readonly agent: string | null; readonly state: string; readonly visit: number }
  >();
  readonly #calls = new Map<string, string>();
  readonly #clients = new Set<string>();
  readonly #pools = new Map<string, string | null>();
  #step = { state: '', visit: 0 };
  #view: readonly Problem[] | null = null;

  constructor(run: string) {
    this.#run = run;
  }

  take(record: JournalRecord, all: () => readonly JournalRecord[]): void {
    const take = TAKERS[record.fact.kind] as Taker | undefined;
    take?.(this, record.fact, { record, all });
  }

  get view(): readonly Problem[] {
    return (this.#view ??= [...this.#problems]);
  }

  enter(state: string, visit: number): void {
    this.#step = { state, visit };
  }

  start({ task, state, work, pool }: TaskStarted): void {
    const agent = 'agent' in work ? (work.agent ?? null) : null;
    this.#tasks.set(task, { agent, state, visit: this.#step.visit });
    this.#pools.set(task, pool);
  }

  client(task: string): void {
    this.#clients.add(task);
  }

  learnCalls({ task, message }: CallAnswered): void {
    for (const { id, name, arguments: given } of message.toolCalls ?? [])
      this.#calls.set(`${task} ${id}`, oneLine(`${name} ${toolTarget(given)}`));
  }

  call(task: string, id: string): string {
    return this.#calls.get(`${task} ${id}`) ?? 'a tool';
  }

  tell({ seq, at }: JournalRecord, telling: Telling): void {
    const task = telling.task ?? null;
    const { agent, state, visit } = this.#tasks.get(task ?? '') ?? { agent: null, ...this.#step };
    this.#view = null;
    this.#problems.push({
      // One record may tell of several.
      key: `${this.#run} ${seq} ${this.#problems.length}`,
      run: this.#run,
      seq,
      at,
      state,
      visit,
      agent,
      isOfClient: this.#clients.has(task ?? ''),
      detail: '',
      hint: null,
      standing: 'stands',
      isEnd: false,
      ...telling,
      task,
    });
  }

  /** The same failure goes up from a call to its turn, its pool and the run: it is told once, where it began. */
  fail(failure: Failure, record: JournalRecord, more: Partial<Problem> = {}): void {
    const place = this.#problems.findLastIndex((one) => this.#isSame(one, failure, more));
    const known = this.#problems[place];
    const { isEnd = false, detail = '' } = more;
    if (known === undefined) {
      this.tell(record, {
        kind: 'failure',
        code: failure.code,
        text: failure.message,
        hint: failure.hint ?? null,
        ...more,
      });
    } else {
      this.#set(place, { ...known, standing: 'stands', isEnd: known.isEnd || isEnd, detail: known.detail || detail });
    }
  }

  #isSame(
    { kind, standing, code, text, task }: Problem,
    failure: Failure,
    { isEnd = false, task: of = null }: Partial<Problem>,
  ): boolean {
    if (kind !== 'failure' || standing === 'undone' || code !== failure.code || text !== failure.message) return false;
    return isEnd || task === of || this.#pools.get(task ?? '') === of;
  }

  /** Whatever failed in a task is mended once it goes on or comes out well. */
  mend(task: string): void {
    for (const [place, problem] of this.#problems.entries())
      if (problem.task === task && problem.kind === 'failure' && problem.standing === 'stands')
        this.#set(place, { ...problem, standing: 'mended' });
  }

  /** A run that came out well made up for what went wrong in it; what is left to do stands. */
  settle(): void {
    for (const [place, problem] of this.#problems.entries())
      if (problem.standing === 'stands' && problem.kind !== 'result')
        this.#set(place, { ...problem, standing: 'mended' });
  }

  /** What became of the result the last time counts. */
  handOver(): void {
    for (const [place, problem] of this.#problems.entries())
      if (problem.kind === 'result' && problem.standing === 'stands')
        this.#set(place, { ...problem, standing: 'mended' });
  }

  /** A limit that was raised, or a pause that is over. */
  goOn(code: (code: string) => boolean): void {
    for (const [place, problem] of this.#problems.entries())
      if (problem.kind === 'limit' && code(problem.code)) this.#set(place, { ...problem, standing: 'mended' });
  }

  rewind(all: readonly JournalRecord[]): void {
    const counting = new Set(effectiveRecords(all).map(({ seq }) => seq));
    for (const [place, problem] of this.#problems.entries())
      if (!counting.has(problem.seq)) this.#set(place, { ...problem, standing: 'undone' });
  }

  #set(place: number, problem: Problem): void {
    this.#problems[place] = problem;
    this.#view = null;
  }
}

interface Moment {
  readonly record: JournalRecord;
  readonly all: () => readonly JournalRecord[];
}

type Taker<F extends Fact = Fact> = (fold: ProblemFold, fact: F, moment: Moment) => void;

const TAKERS: { readonly [Kind in Fact['kind']]?: Taker<Extract<Fact, { readonly kind: Kind }>> } = {
  'state.entered': (fold, { state, visit }) => fold.enter(state, visit),
  'task.started': (fold, fact) => fold.start(fact),
  'session.noted': (fold, { task }) => fold.client(task),
  'call.answered': (fold, fact, { record }) => {
    fold.learnCalls(fact);
    fold.mend(fact.task);
    for (const [id, why] of Object.entries({ ...fact.rejected, ...fact.refused }))
      fold.tell(record, {
        kind: 'refused',
        code: 'REPLY_REFUSED',
        text: `${fold.call(fact.task, id)}: ${why}`,
        task: fact.task,
        standing: 'mended',
      });
  },
  'call.failed': (fold, { task, failure, retryAt }, { record }) =>
    fold.fail(failure, record, { task, standing: retryAt === null ? 'stands' : 'mended' }),
  'task.ended': taskEnded,
  'tool.finished': toolFinished,
  'activity.noted': (fold, { task, items }, { record }) => items.forEach((item) => deed(fold, task, { item, record })),
  'script.evaluated': (fold, { result }, { record }) => {
    if (result.kind === 'failed') fold.fail(result.failure, record);
  },
  'unit.ended': (fold, { unit, outcome, reason }, { record }) => {
    if (outcome !== 'skipped' && outcome !== 'ok' && outcome !== 'cancelled')
      fold.tell(record, { kind: 'failure', code: 'UNIT_NOT_DONE', text: `${unit}: ${reason}` });
  },
  'limit.reached': (fold, fact, { record }) =>
    fold.tell(record, {
      kind: 'limit',
      code: LIMIT_CODES[fact.limit],
      text: describeLimit(fact),
      hint: 'Answer its question to go on, or resume the run with a higher limit.',
    }),
  'limit.raised': (fold, { limit }) => fold.goOn((code) => code === LIMIT_CODES[limit]),
  'run.paused': (fold, { failure }, { record }) => {
    if (failure !== undefined)
      fold.tell(record, {
        kind: 'limit',
        code: failure.code,
        text: failure.message,
        hint: failure.hint ?? 'Mend it, then resume the run.',
      });
  },
  'run.continued': (fold) => fold.goOn((code) => !Object.values(LIMIT_CODES).includes(code)),
  'project.changed': (fold, { how, workspace }) => {
    if (how === 'applied' && workspace !== undefined) fold.handOver();
  },
  'delivery.failed': (fold, { failure }, { record }) => {
    fold.tell(record, {
      kind: 'result',
      code: failure.code,
      text: `The result was not delivered: ${failure.message}`,
      hint: failure.hint ?? 'Resume the run to deliver it.',
    });
  },
  'delivery.started': (fold) => fold.handOver(),
  'delivery.finished': (fold, { how, conflicts = [], reason, command, report }, { record }) => {
    fold.handOver();
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
        code: 'NOT_VERIFIED',
        text: `The merged files did not pass${command === undefined ? '' : ` "${command}"`}.`,
        detail: [reason, lastLines(textOf(report?.['output']))].filter(Boolean).join('\n'),
        hint: 'Look at the changes. Then merge the result with another check, or take it as not verified.',
      });
  },
  'run.settled': (fold, { outcome, failure }, { record }) => {
    if (failure !== null) fold.fail(failure, record, { isEnd: true });
    else if (outcome === 'ok' || outcome === 'partial') fold.settle();
  },
  'run.rewound': (fold, { state }, { all }) => {
    if (state !== null) fold.rewind(all());
  },
};

function taskEnded(fold: ProblemFold, { task, outcome, output, failure }: TaskEnded, { record }: Moment): void {
  if (outcome === 'ok') fold.mend(task);
  else if (failure !== null && failure.class !== 'cancelled')
    fold.fail(failure, record, { task, detail: printed(output) });
}

function toolFinished(fold: ProblemFold, fact: ToolFinished, { record }: Moment): void {
  const { task, toolCall, content, isError, refused, accepted } = fact;
  const text = fold.call(task, toolCall);
  if (refused !== undefined)
    fold.tell(record, { kind: 'refused', code: refused, text, detail: content, task, standing: 'mended' });
  else if (isError && accepted === undefined)
    fold.tell(record, { kind: 'tool', code: 'TOOL_FAILED', text, detail: content, task, standing: 'mended' });
}

function deed(
  fold: ProblemFold,
  task: string,
  { item, record }: { readonly item: Activity; readonly record: JournalRecord },
): void {
  if (item.status !== 'denied' && item.status !== 'failed') return;
  const isDenied = item.status === 'denied';
  const telling = { code: isDenied ? 'TOOL_DENIED' : 'TOOL_FAILED', text: oneLine(`${item.name} ${item.text ?? ''}`) };
  fold.tell(record, { kind: isDenied ? 'refused' : 'tool', ...telling, task, standing: 'mended' });
}

/** What a command printed, where the work was one. */
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
