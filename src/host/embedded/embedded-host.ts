import type { LimitName, NewUnit } from '../../core/fact.ts';
import { Fault } from '../../core/fault.ts';
import { foldRecords } from '../../core/fold.ts';
import { childRunId, type RunId, type TaskId } from '../../core/ids.ts';
import { openQuestions } from '../../core/open-questions.ts';
import type { Definition } from '../../core/role.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import type { Answer, Host, LiveEvent, Question, RunRest, StartOptions, World } from '../port.ts';
import type { Driver } from './driver.ts';
import { eventOf, isAnswerTo, type InboxBody } from './inbox.ts';
import { Live } from './live.ts';
import { checkedAnswer, chooseQuestion, ownName, questionClosed } from './questions.ts';
import { restOf } from './rest.ts';
import { RunTable } from './run-table.ts';

/** The host in one process: many runs at once on one journal. The default, and the one that needs no server. */
export function createEmbeddedHost(world: World): Host {
  return new EmbeddedHost(world);
}

class EmbeddedHost implements Host {
  readonly #world: World;
  readonly #live = new Live();
  readonly #table: RunTable;

  constructor(world: World) {
    this.#world = world;
    this.#table = new RunTable(world, (event) => this.#live.tell(event));
  }

  async start(options: StartOptions): Promise<RunId> {
    const driver = await this.#table.begin(options);
    return driver.run;
  }

  async resume(run: RunId): Promise<void> {
    if (!this.#table.drivers.has(run)) await this.#table.takeOver(run);
  }

  async rest(run: RunId): Promise<RunRest> {
    const driver = this.#table.drivers.get(run);
    if (driver !== undefined) await this.#untilQuiet(driver);
    const snapshot = driver?.snapshot ?? (await this.snapshot(run));
    if (snapshot.status === 'settled') return restOf(snapshot, []);
    const questions = await this.#questions(snapshot);
    if (questions.length === 0) throw notDriven(run);
    return restOf(snapshot, questions);
  }

  async #untilQuiet(driver: Driver): Promise<void> {
    while (!driver.isQuiet) await this.#table.nextQuiet(driver.run);
    if (driver.fault !== null) throw driver.fault;
  }

  /** The questions of the run and of every child that is open below it; a child's are named by the way to it. */
  async #questions(snapshot: Snapshot, way = ''): Promise<readonly Question[]> {
    const own = openQuestions(snapshot).map((question): Question => ({
      ...question,
      id: `${way}${question.id}`,
      run: snapshot.run,
    }));
    const calls = Object.values(snapshot.tasks).filter((task) => task.work.kind === 'call');
    const below = await Promise.all(
      calls.map(async (task) => {
        const child = childRunId(snapshot.run, task.id);
        const info = await this.#world.journal.run(child);
        return info === undefined ? [] : this.#questions(await this.snapshot(child), `${way}${task.id}/`);
      }),
    );
    return [...own, ...below.flat()];
  }

  async answer(run: RunId, given: Answer): Promise<void> {
    const question = chooseQuestion(run, await this.#questions(await this.snapshot(run)), given.question);
    const asking = await this.snapshot(question.run);
    const answer = checkedAnswer(question, given.answer, asking.paused?.allowed);
    const own = ownName(run, question);
    const waiting = await this.#world.journal.inbox(question.run);
    if (waiting.some(({ body }) => isAnswerTo(body, own))) throw questionClosed(run, question.id);
    const taken = await this.#send(question.run, { kind: 'answer', question: own, answer, by: given.by });
    if (!taken) throw questionClosed(run, question.id);
  }

  async cancel(run: RunId, by: string, reason: string): Promise<void> {
    await this.#refuseSettled(run);
    await this.#send(run, { kind: 'cancel', by, reason });
  }

  // oxlint-disable-next-line eslint/max-params -- the port's signature
  async raise(run: RunId, limit: LimitName, allowed: number, by: string): Promise<void> {
    await this.#refuseSettled(run);
    await this.#send(run, { kind: 'raise', limit, allowed, by });
  }

  async #refuseSettled(run: RunId): Promise<void> {
    const { status, result } = await this.snapshot(run);
    if (status !== 'settled') return;
    throw new Fault('RUN_SETTLED', `Run ${run} is already settled: ${result?.outcome}.`, {
      hint: 'Nothing of it is left to change.',
    });
  }

  async addUnits(run: RunId, pool: TaskId, units: readonly NewUnit[]): Promise<void> {
    const driver = this.#table.drivers.get(run);
    const taken = driver !== undefined && (await driver.tell({ kind: 'units.offered', task: pool, units }));
    if (taken) return;
    throw new Fault('UNITS_REFUSED', `Run ${run} took none of the ${units.length} units for ${pool}.`, {
      hint: 'The pool must be open and driven here, and each unit needs a name of its own.',
    });
  }

  /** To the driver when it is here, else through the journal to whoever drives the run, now or later. */
  async #send(run: RunId, body: InboxBody): Promise<boolean> {
    const driver = this.#table.drivers.get(run);
    const event = eventOf(body);
    if (driver !== undefined && event !== null) return driver.tell(event);
    const { journal, clock, newRunId } = this.#world;
    await journal.send(run, { id: newRunId(), at: clock.now(), body });
    return true;
  }

  async snapshot(run: RunId): Promise<Snapshot> {
    return this.#table.drivers.get(run)?.snapshot ?? foldRecords(await this.#world.journal.read(run));
  }

  async definition(run: RunId): Promise<Definition> {
    return this.#table.drivers.get(run)?.definition ?? this.#table.definitions.load(await this.snapshot(run));
  }

  onLive(listener: (event: LiveEvent) => void): () => void {
    return this.#live.add(listener);
  }

  async shutdown(): Promise<void> {
    await this.#table.close();
  }
}

function notDriven(run: RunId): Fault {
  return new Fault('RUN_NOT_DRIVEN', `Run ${run} is not at rest, and this process does not drive it.`, {
    hint: 'Resume it here, or watch it where it is driven.',
  });
}
