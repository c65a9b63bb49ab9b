import { setTimeout } from 'node:timers/promises';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { Failure } from '../../src/core/model/outcome.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { Host, RunRest } from '../../src/host/port.ts';
import { noteTool } from '../../src/host/testing/coder-reviewer.ts';
import { dyingJournal } from '../../src/host/testing/dying-journal.ts';
import { ManualClock } from '../../src/host/testing/manual-clock.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import type { Journal } from '../../src/journal/port.ts';

export interface SimulationOptions {
  readonly definition: Definition;
  readonly answer: (request: CallRequest) => CallReply;
  readonly random: () => number;
  readonly mostCrashes: number;
  /** How often, in all, a person pauses the run for a while. */
  readonly mostPauses?: number;
}

export interface SimulationResult {
  readonly rest: RunRest;
  readonly journal: Journal;
  readonly crashes: number;
  readonly failures: number;
  readonly pauses: number;
  /** Keys of calls that were made although the journal already held their answer. */
  readonly repeated: readonly string[];
}

export const RUN = runId('simulated');

/**
 * One run in a world where everything that can vary is decided by the seed: which answer comes next, whether a call
 * fails, when the clock moves, when a person holds the run, and after which write the process dies.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const clock = new ManualClock();
  const journal = createMemoryJournal({ isAlive: (owner) => owner === `life ${crashes + 1}` });
  const tally = { failures: 0, pauses: 0, repeated: [] as string[] };
  let crashes = 0;
  for (;;) {
    const life = await live({ ...options, clock, journal, tally, number: crashes + 1 });
    if (life !== null) return { rest: life, journal, crashes, ...tally };
    crashes += 1;
  }
}

interface Life extends SimulationOptions {
  readonly clock: ManualClock;
  readonly journal: Journal;
  readonly tally: { failures: number; pauses: number; readonly repeated: string[] };
  readonly number: number;
}

/** Drives until the run is at rest, or the process has died (null). */
async function live(life: Life): Promise<RunRest | null> {
  const { random, clock } = life;
  const mayDie = life.number <= life.mostCrashes;
  const journal = dyingJournal(life.journal, {
    afterAppends: mayDie ? Math.floor(random() * 14) + (life.number === 1 ? 1 : 0) : Infinity,
  });
  const pending: (() => void)[] = [];
  const world = testWorld({
    journal,
    clock,
    owner: `life ${life.number}`,
    tools: [noteTool([])],
    async answer(request) {
      await checkNotAnswered(life, request);
      const { promise, resolve } = Promise.withResolvers<CallReply>();
      pending.push(() => resolve(replyTo(life, request)));
      return promise;
    },
  });
  const host = createEmbeddedHost(world);
  const found: { rest: RunRest | null } = { rest: null };
  const rests = (rest: Promise<RunRest>) =>
    void rest.then(
      (one) => (found.rest = one),
      () => undefined,
    );
  rests(begin(host, life));
  for (let moves = 0; ; moves += 1) {
    await settleMicrotasks();
    if (journal.isDead()) return null;
    if (found.rest?.status === 'settled') return found.rest;
    if (found.rest !== null) {
      const rest = found.rest;
      found.rest = null;
      rests(goOn(host, rest));
      continue;
    }
    if (life.tally.pauses < (life.mostPauses ?? 0) && random() < 0.1) holdRun(host, life);
    if (pending.length > 0 && random() < 0.8) pending.splice(Math.floor(random() * pending.length), 1)[0]?.();
    else clock.advance(Math.floor(random() * 40));
    if (moves > 5000) throw new Error('The run does not come to rest.');
    // Modules and threads that are needed for the first time take as long as the machine is busy.
    if (moves > 1000) await setTimeout(10);
  }
}

async function begin(host: Host, life: Life): Promise<RunRest> {
  const { definition } = life;
  if (life.number === 1) await host.start({ definition, input: {}, run: RUN, project: '.' });
  else await host.resume(RUN);
  return host.rest(RUN);
}

/** What a person does for a run that rests: allows what it asks for, and lets it go on. */
async function goOn(host: Host, { questions, status }: RunRest): Promise<RunRest> {
  for (const { run, id } of questions) await host.answer(run, { question: id, answer: 'yes', by: 'someone' });
  if (status === 'paused') await host.resume(RUN);
  return host.rest(RUN);
}

/** A process that dies hears of no pause; neither does a run that is over. */
function holdRun(host: Host, { tally }: Life): void {
  tally.pauses += 1;
  void host.pause(RUN, 'someone', 'lunch').catch(() => undefined);
}

function replyTo(life: Life, request: CallRequest): CallReply {
  if (request.attempt > 3 || life.random() > 0.15) return life.answer(request);
  life.tally.failures += 1;
  const failure: Failure = { code: 'ENDPOINT_OVERLOADED', message: 'busy', class: 'overload' };
  return { kind: 'failed', failure };
}

async function checkNotAnswered(life: Life, request: CallRequest): Promise<void> {
  for (const { fact } of await life.journal.read(request.run)) {
    if (fact.kind !== 'call.answered') continue;
    if (`${request.run}/${fact.task}/${fact.call}` === request.idempotencyKey)
      life.tally.repeated.push(request.idempotencyKey);
  }
}

/** Lets everything run that does not wait for the world. */
async function settleMicrotasks(): Promise<void> {
  for (let round = 0; round < 2; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
