import { applyFact } from '../fold/apply.ts';
import type { Effect } from '../model/effect.ts';
import type { Event, TaskDone } from '../model/event.ts';
import type { Fact, JournalRecord } from '../record/fact.ts';
import type { CallAnswered } from '../record/call-fact.ts';
import { foldRecords } from '../fold/fold.ts';
import { bodyHash, runId, taskId } from '../model/ids.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { ToolCall } from '../model/message.ts';
import type { Failure, FailureClass, Outcome } from '../model/outcome.ts';
import { recover } from '../step/recover.ts';
import { rewoundState } from '../history/rewind.ts';
import type { Definition } from '../model/definition.ts';
import type { Snapshot } from '../fold/snapshot.ts';
import { start, type Beginning } from '../step/start.ts';
import { step, type Step } from '../step/step.ts';
import type { CostUsd } from '../model/usage.ts';

export const BEGINNING: Beginning = {
  run: runId('run-1'),
  parent: null,
  engine: 'test',
  definitionHash: bodyHash('hash'),
  input: {},
  limits: {},
  project: 'project',
  at: 1000,
};

/** A run under test: takes events one by one, and keeps the journal and the effects that they led to. */
export class TestedRun {
  readonly definition: Definition;
  readonly records: JournalRecord[] = [];
  readonly effects: Effect[] = [];
  /** The step that the newest event led to. */
  last: Step;
  now: number;

  constructor(definition: Definition, parts: Partial<Beginning> = {}) {
    const beginning = { ...BEGINNING, ...parts };
    this.definition = definition;
    this.now = beginning.at;
    this.last = start(definition, beginning);
    this.#keep();
  }

  get snapshot(): Snapshot {
    return this.last.snapshot;
  }

  get facts(): readonly Fact[] {
    return this.records.map((record) => record.fact);
  }

  send(event: Event): Step {
    this.last = step(this.definition, this.snapshot, { event, at: this.now });
    this.#keep();
    return this.last;
  }

  #keep(): void {
    for (const fact of this.last.facts) this.records.push({ seq: this.records.length + 1, at: this.now, fact });
    this.effects.push(...this.last.effects);
  }

  /** The agent of this task answers, and nothing of the call stays open. */
  says(task: string, content: string, parts: Saying = {}): Step {
    const turn = this.snapshot.tasks[task]?.turn;
    return this.send(
      answered({ task, content, call: parts.call ?? turn?.call ?? 1, attempt: turn?.attempt ?? 1, ...parts }),
    );
  }

  fails(task: string, failure: Failure): Step {
    const turn = this.snapshot.tasks[task]?.turn;
    const { call, attempt } = turn ?? { call: 1, attempt: 1 };
    return this.send({ kind: 'call.failed', task: taskId(task), call, attempt, failure });
  }

  toolReturns(task: string, toolCall: string, content = 'done'): Step {
    return this.send({ kind: 'tool.finished', task: taskId(task), toolCall, content, isError: false, ms: 5 });
  }

  done(task: string, output: Json = null): Step {
    return this.send(done(task, 'ok', output));
  }

  breaks(task: string, outcome: Outcome = 'failed'): Step {
    return this.send({ ...done(task, outcome, null), failure: failure('logic', `${task} broke`) });
  }

  timer(timer: string, at?: number): Step {
    this.now = at ?? this.now;
    return this.send({ kind: 'timer.fired', timer });
  }

  /** A person answers a question. */
  answers(question: string, answer: Json): Step {
    return this.send({ kind: 'question.answered', question, answer, by: 'someone' });
  }

  /** A person pauses the run, or resumes it. */
  pause(): Step {
    return this.send({ kind: 'run.pause', by: 'someone', reason: 'lunch' });
  }

  goOn(): Step {
    return this.send({ kind: 'run.continue', by: 'someone' });
  }

  /** Where the run was after this record, by the journal alone. */
  at(seq: number): Snapshot {
    return foldRecords(this.records.slice(0, seq));
  }

  /** Rolls the run back to a record, as a process that does not drive it does, and takes it up again. */
  rewind(to: number): Step {
    const state = rewoundState(this.at(to), this.now);
    const fact: Fact = { kind: 'run.rewound', to, by: 'someone', state };
    const rewound = applyFact(this.snapshot, fact, this.now);
    this.last = { facts: [fact], snapshot: rewound, effects: [] };
    this.#keep();
    this.last = recover(this.definition, rewound, { epoch: 2, at: this.now });
    this.#keep();
    return this.last;
  }

  /** The isolate's answer to the newest script that was asked for. */
  evaluated(value: Json, key = this.lastScript()): Step {
    return this.send({ kind: 'script.evaluated', key, result: { kind: 'value', value } });
  }

  lastScript(): string {
    const asked = this.effects.findLast((effect) => effect.kind === 'script.run');
    return asked?.kind === 'script.run' ? asked.key : '';
  }

  path(): readonly string[] {
    return this.facts.flatMap((fact) => (fact.kind === 'state.entered' ? [fact.state] : []));
  }

  ofKind<Kind extends Fact['kind']>(kind: Kind): readonly Extract<Fact, { kind: Kind }>[] {
    return this.facts.filter((fact): fact is Extract<Fact, { kind: Kind }> => fact.kind === kind);
  }
}

export interface Saying {
  readonly call?: number;
  readonly attempt?: number;
  readonly author?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly rejected?: Readonly<Record<string, string>>;
  readonly tokens?: number;
  readonly costUsd?: CostUsd;
}

export function answered(saying: Saying & { readonly task: string; readonly content: string }): CallAnswered {
  const { task, content, toolCalls, rejected, tokens = 10, costUsd = 0 } = saying;
  return {
    kind: 'call.answered',
    task: taskId(task),
    call: saying.call ?? 1,
    attempt: saying.attempt ?? 1,
    message: {
      author: saying.author ?? 'coder',
      role: 'assistant',
      content,
      ...(toolCalls === undefined ? {} : { toolCalls }),
    },
    usage: { inputTokens: tokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 },
    costUsd,
    model: 'scripted',
    ms: 3,
    ...(rejected === undefined ? {} : { rejected }),
  };
}

export const done = (task: string, outcome: Outcome, output: Json): TaskDone => ({
  kind: 'task.done',
  task: taskId(task),
  outcome,
  output,
  failure: null,
});

export const failure = (kind: FailureClass, message = 'it broke', parts: Partial<Failure> = {}): Failure => ({
  code: 'CALL_FAILED',
  message,
  class: kind,
  ...parts,
});

export const call = (id: string, tool: string, given: JsonObject = {}): ToolCall => ({
  id,
  name: tool,
  arguments: given,
});
