import type { NewUnit } from '../../core/record/task-fact.ts';
import type { LimitName } from '../../core/record/limit-fact.ts';
import { askedMark } from '../../core/step/approval.ts';
import { Fault, isFault } from '../../core/model/fault.ts';
import { foldOnce } from '../fold-once.ts';
import { rootRunId, type RunId, type TaskId } from '../../core/model/ids.ts';
import type { Json, JsonObject } from '../../core/model/json.ts';
import { openChildren } from '../../core/fold/open-children.ts';
import { isRunPaused } from '../../core/step/paused.ts';
import type { QuestionAnswered } from '../../core/record/question-fact.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { RunTerms } from '../../core/model/run-terms.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { Lease } from '../../journal/port.ts';
import type {
  RunActivity,
  Addressed,
  Answer,
  ForkOptions,
  HeldRun,
  Host,
  LiveEvent,
  Question,
  RedefineOptions,
  ResumeOptions,
  RewindOptions,
  Rewound,
  PersonalFact,
  RunRest,
  StartOptions,
  Remark,
} from '../port.ts';
import type { World } from '../world.ts';
import { withTests } from './beginning.ts';
import type { Driver } from './driver.ts';
import { findAgent, forkHint } from './find-agent.ts';
import { forkHostRun } from './fork-run.ts';
import { holdRun } from './hold-run.ts';
import { eventOf, isAnswerTo, isPause } from './inbox.ts';
import type { InboxBody } from './inbox-body.ts';
import { Live } from './live.ts';
import { noteAnswer, type NotedAnswer } from './note-answer.ts';
import { patientJournal } from './patient-journal.ts';
import { answerVoid, checkedAnswer, chooseQuestion, ownName, questionClosed, questionsOf } from './questions.ts';
import { TakeoverReads } from './takeover-reads.ts';
import { restOf } from './rest.ts';
import { redefinitionMisfits, redefineRun } from './redefine-run.ts';
import { rewindRun } from './rewind-run.ts';
import { wakesAt } from './quiet.ts';
import { endedUnheard, heldHere, notDriven } from './run-faults.ts';
import { RunTable } from './run-table.ts';

/** The host in one process: many runs at once on one journal. The default, and the one that needs no server. */
export function createEmbeddedHost(world: World): Host {
  const reads = new TakeoverReads(patientJournal(world.journal, world.clock));
  return new EmbeddedHost({ ...world, journal: reads.journal }, reads);
}

class EmbeddedHost implements Host {
  readonly #world: World;
  readonly #live = new Live();
  readonly #reads: TakeoverReads;
  readonly #table: RunTable;
  /** Runs that this process holds for a person. */
  readonly #held = new Map<RunId, Lease | null>();

  constructor(world: World, reads: TakeoverReads) {
    this.#world = world;
    this.#reads = reads;
    this.#table = new RunTable(world, (event) => this.#live.tell(event));
  }

  async start(options: StartOptions): Promise<RunId> {
    return await this.#table.begin(await withTests(this.#world, options));
  }

  /** Resuming a paused run also resumes everything that was paused below it. */
  async resume(run: RunId, options: ResumeOptions = {}): Promise<void> {
    await this.#reads.during(run, () => this.#resume(run, options));
  }

  async #resume(run: RunId, options: ResumeOptions): Promise<void> {
    // Read first: a run that continues here may end before the last line.
    const isDriven = this.#table.drivers.has(run);
    if (options.keepsPause !== true) await this.unpause(run, options.by ?? this.#world.owner);
    if (isDriven || this.#table.drivers.has(run)) return;
    if (options.from === undefined) this.#refuseDriven(run);
    this.#table.drivers.ask(run);
    await this.#table.takeOver(run, options);
  }

  async leave(run: RunId, { isOnlyAsleep } = { isOnlyAsleep: false }): Promise<boolean> {
    if (isOnlyAsleep && wakesAt(this.#table.drivers, run) === null) return false;
    await this.#table.leave(run);
    return true;
  }

  async unpause(run: RunId, by: string): Promise<void> {
    const isPassedOn = new Set<RunId>();
    for (const { run: one, parent, held } of await this.#openTree(run)) {
      if (held === null && !(await this.#isPausing(one))) continue;
      const body = { kind: 'continue', by } as const;
      // Where this process did not know of the pause, another one may drive the run.
      if (parent === null || !isPassedOn.has(parent))
        await (held === null ? this.#sendByJournal(one, body) : this.#send(one, body));
      isPassedOn.add(one);
    }
  }

  /**
   * A pause that waits is older than the order to go on. One that was taken since the run was read, perhaps by another process, is in
   * the journal.
   */
  async #isPausing(run: RunId): Promise<boolean> {
    const waiting = await this.#world.journal.inbox(run);
    return waiting.some(({ body }) => isPause(body)) || foldOnce(await this.#world.journal.read(run)).held !== null;
  }

  async rest(run: RunId): Promise<RunRest> {
    for (;;) {
      const driver = this.#table.drivers.get(run);
      if (driver !== undefined) await this.#untilQuiet(driver);
      if (driver?.snapshot.status === 'settled') return restOf(driver.snapshot, []);
      const next = this.#table.nextQuiet(run);
      const rest = await this.#restNow(run);
      if (rest !== null) return rest;
      await next;
    }
  }

  /** Null if another process is about to continue with a run below. */
  async #restNow(run: RunId): Promise<RunRest | null> {
    const driver = this.#table.drivers.get(run);
    const fault = this.#table.faults.get(run);
    if (driver === undefined && fault !== undefined) throw fault;
    const snapshot = driver?.snapshot ?? (await this.snapshot(run));
    if (snapshot.status === 'settled') return restOf(snapshot, []);
    const questions = await this.#questions(snapshot);
    if (questions.length > 0 || isRunPaused(snapshot)) return restOf(snapshot, questions);
    if (driver === undefined) throw notDriven(run);
    return null;
  }

  async nextActivity(run: RunId, before: RunActivity): Promise<RunActivity | null> {
    return await this.#table.nextActivity(run, before);
  }

  async #untilQuiet(driver: Driver): Promise<void> {
    while (!this.#table.isQuiet(driver)) await this.#table.nextQuiet(driver.run);
    if (driver.fault !== null) throw driver.fault;
  }

  async #questions(snapshot: Snapshot): Promise<readonly Question[]> {
    return await questionsOf(snapshot, async (run) =>
      (await this.#world.journal.run(run)) === undefined ? undefined : await this.snapshot(run),
    );
  }

  async answer(run: RunId, given: Answer): Promise<'taken' | 'sent'> {
    const question = chooseQuestion(run, await this.#questions(await this.snapshot(run)), given.question);
    const said = await this.#checkedAnswer(run, question, given);
    const { isTaken, snapshot } = await this.#hearAnswer(question.run, said);
    const asked = snapshot && askedMark(snapshot, said.question);
    if (asked !== undefined && asked !== question.mark) throw answerVoid(run, question);
    if (!isTaken) throw questionClosed(run, question.id);
    return snapshot === undefined ? 'sent' : 'taken';
  }

  async #checkedAnswer(run: RunId, question: Question, given: Answer): Promise<SaidAnswer> {
    const asking = await this.snapshot(question.run);
    const answer = checkedAnswer(question, given.answer, asking.paused?.allowed);
    const own = ownName(run, question);
    const waiting = await this.#world.journal.inbox(question.run);
    if (waiting.some(({ body }) => isAnswerTo(body, own))) throw questionClosed(run, question.id);
    const { by, via = 'library', mark = question.mark } = given;
    if (mark !== question.mark) throw answerVoid(run, question);
    const id = given.answerId === undefined ? {} : { answerId: given.answerId };
    return { question: own, answer, by, via, ...id, ...(mark === undefined ? {} : { mark }) };
  }

  /** The run after the answer; undefined if another process takes it. */
  async #hearAnswer(run: RunId, said: SaidAnswer): Promise<Omit<NotedAnswer, 'records'>> {
    const driver = this.#table.drivers.get(run);
    const noted = await this.#noteAnswer(run, { kind: 'question.answered', ...said });
    if (noted !== null) return noted;
    const isTaken = await this.#send(run, { kind: 'answer', ...said });
    return { isTaken, snapshot: driver?.snapshot };
  }

  /** If this process holds the run, and thereby all below it. Null if it does not, or a driver has to decide. */
  async #noteAnswer(run: RunId, answer: QuestionAnswered): Promise<NotedAnswer | null> {
    const root = rootRunId(run);
    const held = this.#held.get(root);
    if (held === undefined || held === null) return null;
    const { journal, owner } = this.#world;
    // A unit may be driven by another process, which takes the answer.
    const lease = run === root ? held : await journal.lease(run, owner).catch(ifBusy);
    if (lease === null) return null;
    try {
      const noted = await noteAnswer(this.#world, this.#table.definitions, { lease, answer });
      for (const record of noted?.records ?? []) this.#live.tell({ kind: 'record', run, record });
      return noted;
    } finally {
      if (lease !== held) await journal.release(lease);
    }
  }

  async tell(run: RunId, { agent: name, text, by }: Remark): Promise<Addressed> {
    await this.#refuseSettled(run, forkHint(run, name));
    const { run: of, agent } = await findAgent(run, name, {
      open: (await this.#openTree(run)).map((one) => one.run),
      journal: this.#world.journal,
      definition: (one) => this.definition(one),
      snapshot: (one) => this.snapshot(one),
    });
    const isTaken = await this.#send(of, { kind: 'tell', agent, text, by });
    if (!isTaken) throw endedUnheard(of, forkHint(run, name));
    return { run: of, agent };
  }

  async cancel(run: RunId, by: string, reason: string): Promise<void> {
    await this.#refuseSettled(run);
    if (!(await this.#send(run, { kind: 'cancel', by, reason }))) await this.#refuseSettled(run);
  }

  async pause(run: RunId, by: string, reason: string): Promise<void> {
    await this.#refuseSettled(run);
    for (const { run: one } of await this.#openTree(run)) {
      const isTaken = await this.#send(one, { kind: 'pause', by, reason });
      // A child run may have ended meanwhile; for the run itself that is an error.
      if (!isTaken && one === run) await this.#refuseSettled(run);
    }
  }

  /** The run and the child runs open below it, those at the bottom last. */
  async #openTree(run: RunId): Promise<readonly Snapshot[]> {
    const snapshot = await this.snapshot(run);
    if (snapshot.status === 'settled') return [];
    const below = openChildren(snapshot).map(async ({ run: child }) => {
      return (await this.#world.journal.run(child)) === undefined ? [] : await this.#openTree(child);
    });
    return [snapshot, ...(await Promise.all(below)).flat()];
  }

  async fork(run: RunId, options: ForkOptions): Promise<RunId> {
    return await forkHostRun(this.#world, this.#table.definitions, { from: run, options });
  }

  async redefine(run: RunId, options: RedefineOptions): Promise<void> {
    this.#refuseDriven(run);
    await redefineRun(this.#world, this.#table.definitions, { run, ...options });
  }

  async misfits(run: RunId, definition: Definition): Promise<readonly string[]> {
    return await redefinitionMisfits(this.#world, this.#table.definitions, { run, definition });
  }

  async rewind(run: RunId, options: RewindOptions): Promise<Rewound> {
    for (const one of [run, ...this.#table.drivers.keys()])
      if (`${one}/`.startsWith(`${run}/`)) this.#refuseDriven(one);
    const rewound = await rewindRun(this.#world, run, options);
    this.#table.places.forget(run);
    return rewound;
  }

  /** The journal would give this process the run a second time. */
  #refuseDriven(run: RunId): void {
    if (this.#held.has(run)) throw heldHere(run);
    if (!this.#table.drivers.has(run)) return;
    throw new Fault('RUN_BUSY', `Run ${run} is being driven here.`, { hint: 'Pause or cancel it first.' });
  }

  async note(run: RunId, fact: PersonalFact): Promise<void> {
    const held = await this.hold(run);
    try {
      await held.note(fact);
    } finally {
      await held.release();
    }
  }

  async hold(run: RunId, seen?: number): Promise<HeldRun> {
    this.#refuseDriven(run);
    this.#held.set(run, null);
    const free = (): boolean => this.#held.delete(run);
    try {
      const held = await holdRun(this.#world, run, seen);
      this.#held.set(run, held.lease);
      return { ...held, release: () => held.release().finally(free) };
    } catch (error) {
      free();
      throw error;
    }
  }

  // oxlint-disable-next-line eslint/max-params -- the port's signature
  async raise(run: RunId, limit: LimitName, allowed: number, by: string): Promise<void> {
    await this.#refuseSettled(run);
    if (!(await this.#send(run, { kind: 'raise', limit, allowed, by }))) await this.#refuseSettled(run);
  }

  async changeTerms(run: RunId, terms: RunTerms, by: string): Promise<void> {
    await this.#refuseSettled(run);
    if (!(await this.#send(run, { kind: 'terms', terms: { ...terms } as JsonObject, by })))
      await this.#refuseSettled(run);
  }

  async #refuseSettled(run: RunId, hint = 'Nothing of it is left to change.'): Promise<void> {
    const { status, result } = await this.snapshot(run);
    if (status !== 'settled') return;
    throw new Fault('RUN_SETTLED', `Run ${run} is already settled: ${result?.outcome}.`, { hint });
  }

  async addUnits(run: RunId, pool: TaskId, units: readonly NewUnit[]): Promise<void> {
    if (await this.#send(run, { kind: 'units.offered', task: pool, units })) return;
    throw new Fault('UNITS_REFUSED', `Run ${run} took none of the ${units.length} units for ${pool}.`, {
      hint: 'The pool must be open, and each unit needs its own name.',
    });
  }

  /**
   * To the driver if it is here, else through the journal to the process that drives the run, now or later. False if it
   * changed nothing: it came too late, or the run has ended and its inbox is never read again.
   */
  async #send(run: RunId, body: InboxBody): Promise<boolean> {
    const driver = this.#table.drivers.get(run);
    const event = eventOf(body);
    return driver !== undefined && event !== null ? driver.tell(event) : await this.#sendByJournal(run, body);
  }

  async #sendByJournal(run: RunId, body: InboxBody): Promise<boolean> {
    const { journal, clock, newRunId } = this.#world;
    if ((await journal.run(run))?.status === 'settled') return false;
    await this.#table.send(run, { id: newRunId(), at: clock.now(), body: body as unknown as Json });
    return true;
  }

  async snapshot(run: RunId): Promise<Snapshot> {
    return this.#table.drivers.get(run)?.snapshot ?? foldOnce(await this.#world.journal.read(run));
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

type SaidAnswer = Omit<Extract<InboxBody, { readonly kind: 'answer' }>, 'kind'>;

function ifBusy(error: unknown): null {
  if (isFault(error) && error.code === 'RUN_BUSY') return null;
  throw error;
}
