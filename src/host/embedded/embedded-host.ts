import type { LimitName, NewUnit } from '../../core/fact.ts';
import { Fault } from '../../core/fault.ts';
import { foldRecords } from '../../core/fold.ts';
import { childRunId, type RunId, type TaskId } from '../../core/ids.ts';
import { openQuestions } from '../../core/open-questions.ts';
import type { Definition } from '../../core/role.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import type { Answer, Host, LiveEvent, Question, RunRest, StartOptions, World } from '../port.ts';
import type { Driver } from './driver.ts';
import { eventOf, type InboxBody } from './inbox.ts';
import { restOf } from './rest.ts';
import { RunTable } from './run-table.ts';

/** The host in one process: many runs at once on one journal. The default, and the one that needs no server. */
export function createEmbeddedHost(world: World): Host {
  return new EmbeddedHost(world);
}

class EmbeddedHost implements Host {
  readonly #world: World;
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  readonly #table: RunTable;

  constructor(world: World) {
    this.#world = world;
    this.#table = new RunTable(world, (event) => {
      for (const listener of this.#listeners) listener(event);
    });
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
    return restOf(snapshot, snapshot.status === 'settled' ? [] : await this.#questions(snapshot));
  }

  async #untilQuiet(driver: Driver): Promise<void> {
    while (!driver.isQuiet) await this.#table.nextQuiet(driver.run);
    if (driver.fault !== null) throw driver.fault;
  }

  /** The questions of the run and of every child that is open below it. */
  async #questions(snapshot: Snapshot): Promise<readonly Question[]> {
    const own = openQuestions(snapshot).map((question): Question => ({ ...question, run: snapshot.run }));
    const calls = Object.values(snapshot.tasks).filter((task) => task.work.kind === 'call');
    const below = await Promise.all(
      calls.map(async (task) => {
        const child = childRunId(snapshot.run, task.id);
        const info = await this.#world.journal.run(child);
        return info === undefined ? [] : this.#questions(await this.snapshot(child));
      }),
    );
    return [...own, ...below.flat()];
  }

  async answer(run: RunId, given: Answer): Promise<void> {
    const questions = await this.#questions(await this.snapshot(run));
    const question = choose(run, questions, given.question);
    const { answer, by } = given;
    const taken = await this.#send(question.run, { kind: 'answer', question: question.id, answer, by });
    if (!taken) throw closed(run, question.id);
  }

  async cancel(run: RunId, by: string, reason: string): Promise<void> {
    await this.#send(run, { kind: 'cancel', by, reason });
  }

  // oxlint-disable-next-line eslint/max-params -- the port's signature
  async raise(run: RunId, limit: LimitName, allowed: number, by: string): Promise<void> {
    await this.#send(run, { kind: 'raise', limit, allowed, by });
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
    return this.#table.drivers.get(run)?.definition ?? this.#table.load(await this.snapshot(run));
  }

  onLive(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async shutdown(): Promise<void> {
    await this.#table.close();
  }
}

function choose(run: RunId, questions: readonly Question[], wanted: string | undefined): Question {
  if (wanted === undefined && questions.length > 1) {
    const list = questions.map((question) => `${question.id} (${question.text})`).join(', ');
    throw new Fault('QUESTION_AMBIGUOUS', `Run ${run} has ${questions.length} open questions: ${list}.`, {
      hint: 'Name the one that is answered.',
    });
  }
  const found = wanted === undefined ? questions[0] : questions.find((question) => question.id === wanted);
  if (found === undefined) throw closed(run, wanted);
  return found;
}

function closed(run: RunId, question: string | undefined): Fault {
  return new Fault(
    'QUESTION_CLOSED',
    `Run ${run} has no open question${question === undefined ? '' : ` ${question}`}.`,
    {
      hint: 'It was answered already, or the run went on without it. `troupe show` lists what is open.',
    },
  );
}
