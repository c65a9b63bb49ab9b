import type { Fact, JournalRecord, StateEntered } from '../core/record/fact.ts';
import type { TaskEnded, TaskStarted } from '../core/record/task-fact.ts';
import type { RunForked } from '../core/record/files-fact.ts';
import type { RunRewound } from '../core/record/rewound-fact.ts';
import { isRunBelow } from '../core/fold/open-children.ts';
import type { TaskId } from '../core/model/ids.ts';
import { TaskBook } from '../protocol/history/task-book.ts';
import { cameOut, endSpan, type OpenSpan, type Span, spanIdOf, type Trace } from './span.ts';
import { TurnSpans } from './turn-spans.ts';
import { workAttributes, workName } from './gen-ai.ts';

/** The spans of one run: run, state, and the work in it. Open spans are kept until they end. */
class RunSpans {
  readonly #trace: Trace;
  readonly #run: string;
  readonly #parent: string | null;
  readonly #book = new TaskBook();
  readonly #turns: TurnSpans;
  readonly #tasks = new Map<TaskId, OpenSpan>();
  /** Parent spans of the runs that this one started by calling a workflow. */
  readonly #called = new Map<string, string>();
  #whole: OpenSpan | null = null;
  #state: OpenSpan | null = null;

  constructor(trace: Trace, run: string, parent: string | null) {
    this.#trace = trace;
    this.#run = run;
    this.#parent = parent;
    this.#turns = new TurnSpans(trace, run, this.#book);
  }

  parentOfChild(name: string): string | null {
    return this.#called.get(name) ?? this.#turns.subAgents.get(name) ?? null;
  }

  take(record: JournalRecord): readonly Span[] {
    const { fact } = record;
    this.#book.take(record);
    if (fact.kind === 'task.started') return this.#startTask(fact, record);
    if (fact.kind === 'task.ended') return this.#endTask(fact, record.at);
    if (fact.kind === 'state.entered') return this.#enter(fact, record);
    if ('task' in fact && fact.task !== null) return this.#turns.take(record, this.#spanOf(fact.kind, fact.task));
    return this.#takeRun(fact, record);
  }

  /** Costs after the end of a turn belong to the span around it. */
  #spanOf(kind: Fact['kind'], task: TaskId): OpenSpan | null {
    const around = kind === 'usage.noted' ? (this.#state ?? this.#whole) : null;
    return this.#tasks.get(task) ?? around;
  }

  #takeRun(fact: Fact, record: JournalRecord): readonly Span[] {
    switch (fact.kind) {
      case 'run.started':
        this.#begin(record);
        return [];
      case 'run.settled':
        return this.#endAll(record.at, cameOut(this.#trace, fact));
      case 'run.rewound':
      case 'run.forked':
        return this.#goOn(fact, record);
      default:
        return [];
    }
  }

  #begin({ seq, at }: JournalRecord): void {
    const { workflow } = this.#book;
    this.#whole = {
      spanId: spanIdOf(this.#run, seq, 'run'),
      parentSpanId: this.#parent,
      name: `invoke_workflow ${workflow}`,
      kind: 'internal',
      startedAt: at,
      attributes: {
        'gen_ai.operation.name': 'invoke_workflow',
        'gen_ai.workflow.name': workflow,
        'troupe.run.id': this.#run,
      },
    };
  }

  #enter({ state, visit, from }: StateEntered, { seq, at }: JournalRecord): readonly Span[] {
    const ended = this.#endState(
      at,
      from === null ? {} : cameOut(this.#trace, { outcome: from.outcome, failure: null }),
    );
    this.#openState(state, { seq, at, visit });
    return ended;
  }

  #openState(state: string, { seq, at, visit }: { seq: number; at: number; visit?: number }): void {
    this.#state = {
      spanId: spanIdOf(this.#run, seq, 'state'),
      parentSpanId: this.#whole?.spanId ?? this.#parent,
      name: `state ${state}`,
      kind: 'internal',
      startedAt: at,
      attributes: { 'troupe.state.name': state, 'troupe.state.visit': visit },
    };
  }

  #startTask({ task, work, unit }: TaskStarted, { seq, at }: JournalRecord): readonly Span[] {
    const parentSpanId = this.#state?.spanId ?? this.#whole?.spanId ?? this.#parent;
    if (isRunBelow(work) && parentSpanId !== null) this.#called.set(task, parentSpanId);
    const name = isRunBelow(work) ? null : workName(work);
    if (name === null) return [];
    this.#tasks.set(task, {
      spanId: spanIdOf(this.#run, seq, `task ${task}`),
      parentSpanId,
      name,
      kind: 'internal',
      startedAt: at,
      attributes: {
        ...workAttributes(work, { run: this.#run, hasContent: this.#trace.hasContent }),
        'troupe.task.id': task,
        ...(unit === null ? {} : { 'troupe.unit.id': unit }),
      },
    });
    return [];
  }

  #endTask(fact: TaskEnded, at: number): readonly Span[] {
    const open = this.#tasks.get(fact.task);
    if (open === undefined) return [];
    this.#tasks.delete(fact.task);
    const { attributes, error = null } = cameOut(this.#trace, fact);
    const provider = this.#turns.providerAttributes(fact.task);
    return [endSpan(this.#trace, open, { at, attributes: { ...attributes, ...provider }, error })];
  }

  #endState(at: number, end: ReturnType<typeof cameOut>): readonly Span[] {
    const open = this.#state;
    this.#state = null;
    return open === null ? [] : [endSpan(this.#trace, open, { at, ...end })];
  }

  /** Inner spans end before outer ones. */
  #endAll(at: number, end: ReturnType<typeof cameOut>): readonly Span[] {
    const tasks = [...this.#tasks.values()].map((open) => endSpan(this.#trace, open, { at }));
    const states = this.#endState(at, end);
    const runs = this.#whole === null ? [] : [endSpan(this.#trace, this.#whole, { at, ...end })];
    this.#tasks.clear();
    this.#whole = null;
    return [...tasks, ...states, ...runs];
  }

  /** From here on it is separate work: with its state at that record, and its own ids. */
  #goOn(fact: RunRewound | RunForked, record: JournalRecord): readonly Span[] {
    if (fact.kind === 'run.rewound' && fact.state === null) return [];
    const before = fact.kind === 'run.rewound' ? (fact.state?.tasks ?? {}) : Object.fromEntries(this.#tasks);
    const ended = this.#endAll(record.at, { attributes: { 'troupe.rewound': true } });
    if (fact.kind === 'run.rewound') this.#turns.rewound();
    this.#begin(record);
    this.#openState(this.#book.step.state, record);
    for (const id of Object.keys(before) as TaskId[]) {
      const task = this.#book.task(id);
      if (task !== undefined) this.#startTask({ kind: 'task.started', deadline: null, ...task, task: id }, record);
    }
    return ended;
  }
}

/**
 * The spans of a run and of all below it: a fold of their records, those of a parent before those of its children. A span is
 * emitted when it ends.
 */
export class TraceFold {
  readonly #trace: Trace;
  readonly #runs = new Map<string, RunSpans>();

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  take(run: string, record: JournalRecord): readonly Span[] {
    const spans = this.#runs.get(run) ?? new RunSpans(this.#trace, run, this.#parentOf(run));
    this.#runs.set(run, spans);
    return spans.take(record);
  }

  /** The parent of a child run is what started it: the state that called it, or the tool call of an agent. */
  #parentOf(run: string): string | null {
    const cut = run.lastIndexOf('/');
    if (cut < 0) return this.#trace.parentSpanId;
    return this.#runs.get(run.slice(0, cut))?.parentOfChild(run.slice(cut + 1)) ?? this.#trace.parentSpanId;
  }
}
