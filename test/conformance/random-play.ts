import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../src/core/model/event.ts';
import type { Fact, JournalRecord } from '../../src/core/record/fact.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { Snapshot } from '../../src/core/fold/snapshot.ts';
import type { Step } from '../../src/core/step/step.ts';
import { isSameData, plainSnapshot } from '../../src/core/testing/plain-snapshot.ts';
import { BEGINNING as BARE } from '../../src/core/testing/tested-run.ts';
import { runId, treeId } from '../../src/core/model/ids.ts';
import { openQuestions } from '../../src/core/look/open-questions.ts';
import { accountFor } from './account.ts';
import { Choices } from './choices.ts';
import type { Interpreter } from './interpreter.ts';
import { keyOf, Orders } from './orders.ts';
import { randomDefinition } from './random-definition.ts';
import { randomAnswer, randomNote, randomPerson, randomStale } from './random-event.ts';
import { goesBack } from './goes-back.ts';
import { effectiveFacts } from './effective-facts.ts';
import { Resumed } from './resumed.ts';
import { Watch } from './watch.ts';

/** With files, so that there is something to put back. */
const BEGINNING = { ...BARE, files: { tree: treeId('tree-0'), source: 'git' } } as const;

/** How many bytes a workflow and what happens to it are made of. */
export const PLAY_BYTES = 800;

/** Plays what the bytes stand for, and checks every rule of the interpreter after every event. Throws at the first broken one. */
export function playRandomly(bytes: ArrayLike<number>, interpreter: Interpreter): Play {
  const choices = new Choices(bytes);
  const play = new Play(randomDefinition(choices), interpreter);
  for (let round = 0; round < 60 && !choices.isSpent; round += 1) play.round(choices, round);
  play.checkJournal(choices);
  return play;
}

class BrokenRule extends Error {}

function rule(name: string, holds: boolean, tell: () => unknown): void {
  if (!holds) throw new BrokenRule(`${name}: ${JSON.stringify(tell(), null, 1)}`);
}

const sameStep = (one: Step, other: Step): boolean => isSameData(one, other);
const byName = ([one]: readonly [string, number], [other]: readonly [string, number]): number =>
  one.localeCompare(other);
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export class Play {
  readonly records: JournalRecord[] = [];
  readonly #definition: Definition;
  /** The definition as it comes back from the journal. */
  readonly #stored: Definition;
  readonly #interpreter: Interpreter;
  #orders = new Orders();
  #taken: Event[] = [];
  #watch: Watch;
  snapshot: Snapshot;
  #now = BEGINNING.at;
  #epoch = 1;

  constructor(definition: Definition, interpreter: Interpreter) {
    this.#definition = definition;
    this.#stored = copyOf(definition);
    this.#interpreter = interpreter;
    const first = interpreter.start(definition, BEGINNING);
    rule('[I1] same start', sameStep(first, interpreter.start(definition, BEGINNING)), () => first.facts);
    this.snapshot = first.snapshot;
    this.#watch = new Watch(definition, []);
    this.#keep(first);
  }

  get facts(): readonly Fact[] {
    return this.records.map((record) => record.fact);
  }

  round(choices: Choices, serial: number): void {
    switch (choices.below(16)) {
      case 15:
        return choices.oneIn(2) ? this.#rewind(choices) : undefined;
      case 14:
        return this.#send(this.#holdOrGoOn());
      case 13:
      case 12:
        return this.#send(randomNote(choices, serial));
      case 11:
        return this.#stale(this.#echo(choices) ?? randomStale(choices, this.snapshot));
      case 10:
        return this.#stale(randomStale(choices, this.snapshot));
      case 9:
        return this.#crash();
      case 8:
        return this.#wait(10 * choices.below(6));
      case 7: {
        const act = randomPerson(choices, this.snapshot);
        return act === null ? undefined : this.#send(act);
      }
      default:
        return this.#answer(choices, serial);
    }
  }

  #answer(choices: Choices, serial: number): void {
    const open = [...this.#orders.open.values()];
    const effect = open[choices.below(Math.max(1, open.length))];
    const event = effect === undefined ? null : randomAnswer(choices, effect, serial);
    if (event !== null) return this.#send(event);
    const person = this.#orders.timers.size === 0 ? randomPerson(choices, this.snapshot) : null;
    if (person !== null) return this.#send(person);
    this.#wait(60);
  }

  #wait(ms: number): void {
    this.#now += ms;
    for (const [timer, at] of this.#orders.timers) {
      if (at <= this.#now) this.#send({ kind: 'timer.fired', timer });
    }
  }

  /** An answer that was taken once is stale for ever; alarms and limits may come round again. */
  #echo(choices: Choices): Event | undefined {
    const once = this.#taken.filter(({ kind }) => !MAY_RECUR.has(kind));
    return once[choices.below(Math.max(1, once.length))];
  }

  #stale(event: Event): void {
    const before = this.snapshot;
    this.#send(event);
    rule('[I3] a stale event changes nothing', this.snapshot === before, () => event);
  }

  #send(event: Event): void {
    const input = { event, at: this.#now };
    const before = this.snapshot;
    const after = this.#interpreter.step(this.#definition, before, input);
    rule(
      '[I1] same in, same out',
      sameStep(after, this.#interpreter.step(this.#definition, before, input)),
      () => event,
    );
    const copied = this.#interpreter.step(this.#stored, copyOf(before), copyOf(input));
    rule('[I1] a stored snapshot goes on the same', sameStep(after, copied), () => event);
    if (after.facts.length === 0) {
      rule('[I3] no fact, no change', after.snapshot === before && after.effects.length === 0, () => event);
      return;
    }
    const isInert =
      event.kind === 'world.noted' && after.effects.length === 0 && after.snapshot.result === before.result;
    rule('[I2] a settled run is inert', before.status === 'running' || isInert, () => event);
    this.#taken.push(event);
    // A retry that fell due in front of a limit is still owed: it starts when the limit is raised.
    const isPutOff = event.kind === 'timer.fired' && event.timer.endsWith('/retry') && after.snapshot.paused !== null;
    if (!isPutOff) this.#orders.answered(event);
    this.#keep(after);
  }

  /** The process dies: what is left is the journal, read back from text. */
  #crash(): void {
    const records = copyOf(this.records);
    const folded = this.#interpreter.foldRecords(records);
    rule('[I4] the fold is the snapshot', this.#isSnapshot(folded), () => this.facts);
    this.#epoch += 1;
    const step = this.#interpreter.recover(this.#definition, folded, { epoch: this.#epoch, at: this.#now });
    const again = step.effects.map(keyOf);
    for (const key of this.#orders.open.keys()) {
      // Scripts are asked for again when it is their turn, which may be after others.
      if (key.startsWith('script')) continue;
      rule('[L6] what is owed is ordered again', again.includes(key), () => ({ key, again }));
    }
    if (step.facts.length === 1) {
      const known = (key: string) =>
        this.#orders.open.has(key) || key.startsWith('timer ') || key.startsWith('script ');
      rule('[L6] what was answered is not ordered again', again.every(known), () => ({
        again,
        open: [...this.#orders.open.keys()],
      }));
    }
    if (step.facts.length > 0) this.#keep(step);
  }

  #holdOrGoOn(): Event {
    const by = 'someone';
    return this.snapshot.held === null ? { kind: 'run.pause', by, reason: '' } : { kind: 'run.continue', by };
  }

  /** No process drives the run, and a person rolls it back; then it is resumed. */
  #rewind(choices: Choices): void {
    const { foldRecords, applyRecord, stepEnd, rewoundState, recover } = this.#interpreter;
    const to = stepEnd(this.records, 1 + choices.below(this.records.length));
    const then = foldRecords(copyOf(this.records.slice(0, to)));
    const fact: Fact = { kind: 'run.rewound', to, by: 'someone', state: copyOf(rewoundState(then, this.#now)) };
    const record = { seq: this.records.length + 1, at: this.#now, fact };
    const before = this.snapshot;
    const rewound = applyRecord(before, record);
    rule('[RW1] the run is where it was', isDeepStrictEqual(goesBack(rewound), goesBack(then)), () => to);
    const { usage, costUsd, limits, taskCount } = rewound;
    const stays = isDeepStrictEqual(
      { usage, costUsd, limits, taskCount },
      { usage: before.usage, costUsd: before.costUsd, limits: before.limits, taskCount: before.taskCount },
    );
    rule('[RW1] what was spent and raised stays', stays, () => to);
    this.records.push(record);
    this.snapshot = rewound;
    this.#orders = new Orders();
    this.#taken = [];
    // Work of that time has its time again, and permits of the time after it are gone.
    this.#watch = new Watch(this.#definition, rewound.permits);
    this.#epoch += 1;
    const step = recover(this.#definition, rewound, { epoch: this.#epoch, at: this.#now });
    if (step.facts.length > 0) this.#keep(step);
  }

  #keep(step: Step): void {
    const problem = this.#watch.problem(this.snapshot, step, this.#now);
    rule(problem ?? '', problem === null, () => step.facts);
    this.snapshot = step.snapshot;
    for (const fact of step.facts) this.records.push({ seq: this.records.length + 1, at: this.#now, fact });
    this.#orders.give(step.effects);
    this.#orders.forget((key) => this.snapshot.status === 'running' && key.startsWith(this.#visit()));
    const looks = new Set(this.#interpreter.openEffects(this.#definition, this.snapshot).map(keyOf));
    this.#orders.forgetLooks((question) => looks.has(`look ${question}`));
    this.#checkOrders();
    this.#checkAlive();
  }

  #visit(): string {
    const { current, visits } = this.snapshot;
    return `${current.state}#${visits[current.state] ?? 0}/`;
  }

  /** The interpreter computes from the snapshot alone what the second book says is open. */
  #checkOrders(): void {
    const computed = new Orders();
    computed.give(this.#interpreter.openEffects(this.#definition, this.snapshot));
    const own = [...this.#orders.open.keys()].filter((key) => !key.startsWith('script'));
    rule(
      '[L6] open effects are those not answered',
      isDeepStrictEqual([...computed.open.keys()].sort(), own.sort()),
      () => ({
        computed: [...computed.open.keys()],
        own,
      }),
    );
    const alarms = (orders: Orders) => [...orders.timers].filter(([timer]) => timer !== 'run/duration').sort(byName);
    if (this.snapshot.status === 'settled')
      return rule('[L6] no alarm is left', this.#orders.timers.size === 0, () => alarms(this.#orders));
    rule('[L6] open alarms are those set', isDeepStrictEqual(alarms(computed), alarms(this.#orders)), () => ({
      computed: alarms(computed),
      own: alarms(this.#orders),
    }));
  }

  /** Nothing stops quietly: a run that goes on waits for something that can come. */
  #checkAlive(): void {
    if (this.snapshot.status === 'settled' || this.snapshot.paused !== null || this.snapshot.held !== null) return;
    const asks = openQuestions(this.snapshot).length > 0;
    const alarms = [...this.#orders.timers.keys()].some((timer) => timer !== 'run/duration');
    rule('[L3] something is waited for', asks || alarms || this.#orders.open.size > 0, () => this.facts);
  }

  #isSnapshot(folded: Snapshot): boolean {
    return isSameData(folded, this.snapshot);
  }

  checkJournal(choices: Choices): void {
    const { applyRecord, foldRecords } = this.#interpreter;
    const records = copyOf(this.records);
    rule('[L2] facts are JSON', isDeepStrictEqual(records, this.records), () => this.facts);
    rule('[I4] the fold is the snapshot', this.#isSnapshot(foldRecords(records)), () => this.facts);
    const plain = plainSnapshot(this.snapshot);
    rule('[L2] the snapshot is JSON', isDeepStrictEqual(copyOf(plain), plain), () => plain);
    const cut = 1 + choices.below(Math.max(1, records.length - 1));
    const half = foldRecords(records.slice(0, cut));
    const whole = records.slice(cut).reduce(applyRecord, half);
    rule('[I4] a fold can be taken up anywhere', half.seq === cut && this.#isSnapshot(whole), () => cut);
    const problem = accountFor(effectiveFacts(this.records), this.snapshot);
    rule('[I5] everything is answered once and accounted for', problem === null, () => ({
      problem,
      facts: this.facts,
    }));
    this.checkFork(1 + choices.below(records.length));
  }

  /** A fork at this record begins as the run was there, and comes to an end when everything goes well from then on. */
  checkFork(seq: number): void {
    const [own, at] = [runId('fork'), this.#now + 1000];
    const forked = { kind: 'run.forked', from: { run: this.snapshot.run, seq }, input: {}, by: 'someone' } as const;
    const records = this.#interpreter.forkRecords(this.records, { run: own, parent: null, seq, at, forked });
    const snapshot = this.#interpreter.foldRecords(copyOf(records));
    const then = this.#interpreter.foldRecords(copyOf(this.records.slice(0, records.length - 1)));
    rule('[FO1] a fork begins as the run was', isDeepStrictEqual(goesBack(snapshot), goesBack(then)), () => seq);
    const { run, usage, costUsd, startedAt, clock, held } = snapshot;
    const isFresh = usage.calls === 0 && costUsd === 0 && startedAt === at && clock.pausedMs === 0 && held === null;
    rule('[FO2] a fork has spent nothing', run === own && isFresh, () => snapshot);
    const left = (one: Snapshot, moment: number) =>
      Object.values(one.tasks).map(({ deadline }) => deadline && deadline - moment);
    const stood = then.paused?.since ?? then.held?.since ?? then.at;
    rule('[FO2] work has as much time left', isDeepStrictEqual(left(snapshot, at), left(then, stood)), () => seq);
    this.#checkEnd('[FO3] a fork comes to an end', records);
  }

  /** A run put back to this record comes to an end as well, whatever it had come to before. */
  checkRewound(seq: number): void {
    const { stepEnd, foldRecords, rewoundState } = this.#interpreter;
    const [to, at] = [stepEnd(this.records, seq), this.#now + 1000];
    const state = rewoundState(foldRecords(copyOf(this.records.slice(0, to))), at);
    const fact: Fact = { kind: 'run.rewound', to, by: 'someone', state };
    this.#checkEnd('[RW2] a run that was put back comes to an end', [
      ...this.records,
      { seq: this.records.length + 1, at, fact },
    ]);
  }

  #checkEnd(name: string, records: readonly JournalRecord[]): void {
    const resumed = new Resumed(this.#definition, this.#interpreter, copyOf(records));
    const problem = resumed.toTheEnd();
    rule(name, problem === null, () => ({ problem, facts: resumed.facts }));
  }
}

/** What may be said twice and mean something both times. */
const MAY_RECUR: ReadonlySet<Event['kind']> = new Set([
  'timer.fired',
  'limit.raise',
  'run.cancel',
  'run.pause',
  'run.continue',
  'world.noted',
  'question.answered',
]);
