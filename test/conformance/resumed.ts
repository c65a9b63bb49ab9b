import { treeId } from '../../src/core/model/ids.ts';
import type { Effect } from '../../src/core/model/effect.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Fact, JournalRecord } from '../../src/core/record/fact.ts';
import { openQuestions } from '../../src/core/look/open-questions.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { Snapshot } from '../../src/core/fold/snapshot.ts';
import type { Step } from '../../src/core/step/step.ts';
import { answered } from '../../src/core/testing/tested-run.ts';
import { accountFor } from './account.ts';
import { effectiveFacts } from './effective-facts.ts';
import type { Interpreter } from './interpreter.ts';
import { Orders } from './orders.ts';

/** A run taken up from its records, in a world where from now on everything goes well and every limit is the end. */
export class Resumed {
  readonly #definition: Definition;
  readonly #interpreter: Interpreter;
  readonly #records: JournalRecord[];
  readonly #orders = new Orders();
  #snapshot: Snapshot;
  #now: number;

  constructor(definition: Definition, interpreter: Interpreter, records: readonly JournalRecord[]) {
    this.#definition = definition;
    this.#interpreter = interpreter;
    this.#records = [...records];
    this.#snapshot = interpreter.foldRecords(records);
    this.#now = this.#snapshot.at;
    this.#keep(interpreter.recover(definition, this.#snapshot, { epoch: 1, at: this.#now }));
  }

  get facts(): readonly Fact[] {
    return this.#records.map(({ fact }) => fact);
  }

  /** What is wrong with how it ended, or null. */
  toTheEnd(): string | null {
    for (let moves = 0; this.#snapshot.status === 'running'; moves += 1) {
      if (moves > MOST_MOVES) return 'it never ends';
      const before = this.#snapshot;
      const event = this.#next();
      if (event === null) return 'nothing is left to wait for';
      this.#orders.answered(event);
      this.#keep(this.#interpreter.step(this.#definition, before, { event, at: this.#now }));
      if (this.#snapshot === before && event.kind !== 'timer.fired') return `${event.kind} changed nothing`;
    }
    return accountFor(effectiveFacts(this.#records), this.#snapshot);
  }

  #next(): Event | null {
    const [effect] = this.#orders.open.values();
    if (effect !== undefined) return plainAnswer(effect);
    const [question] = openQuestions(this.#snapshot);
    if (question !== undefined) {
      const answer = question.kind === 'limit' ? 'stop' : 'yes';
      return { kind: 'question.answered', question: question.id, answer, by: 'someone' };
    }
    const [alarm] = [...this.#orders.timers].sort(([, one], [, other]) => one - other);
    if (alarm === undefined) return null;
    this.#now = Math.max(this.#now, alarm[1]);
    return { kind: 'timer.fired', timer: alarm[0] };
  }

  #keep({ facts, effects, snapshot }: Step): void {
    for (const fact of facts) this.#records.push({ seq: this.#records.length + 1, at: this.#now, fact });
    this.#orders.give(effects);
    this.#snapshot = snapshot;
    const { current, visits, status } = snapshot;
    const visit = `${current.state}#${visits[current.state] ?? 0}/`;
    this.#orders.forget((key) => status === 'running' && key.startsWith(visit));
  }
}

/** The limits bound how often any one state is entered, so this is more than any workflow here needs. */
const MOST_MOVES = 5000;

type Order = Orders['open'] extends Map<string, infer Open> ? Open : Effect;

function plainAnswer(effect: Order): Event {
  switch (effect.kind) {
    case 'actor.call': {
      const { task, agent, call, attempt } = effect;
      return answered({ task, author: agent, content: 'done', call, attempt, costUsd: 0.01 });
    }
    case 'tool.run': {
      const { task, toolCall } = effect;
      return { kind: 'tool.finished', task, toolCall: toolCall.id, content: 'ok', isError: false, ms: 1 };
    }
    case 'script.run': {
      const isList = /\/(items|grow\/.*)$/v.test(effect.key);
      const patch = { kind: 'patch', patch: { set: { n: 1 } } } as const;
      const value = { kind: 'value', value: isList ? [] : 'text' } as const;
      return { kind: 'script.evaluated', key: effect.key, result: effect.wants === 'patch' ? patch : value };
    }
    case 'delivery.run':
      throw new Error('No such run delivers anything.');
    case 'question.look':
      return { kind: 'question.looked', question: effect.question, files: { main: treeId('a') } };
    case 'rollback.run':
      return { kind: 'rollback.done', failure: null };
    default:
      return { kind: 'task.done', task: effect.task, outcome: 'ok', output: 1, failure: null };
  }
}
