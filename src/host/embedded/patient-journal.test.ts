import type { FaultCode } from '../../core/codes/codes.ts';
import { expect, test } from 'vitest';
import { Fault } from '../../core/model/fault.ts';
import { runId, type RunId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import type { Host, RunRest } from '../port.ts';
import type { Clock } from '../world.ts';
import { asking } from '../testing/asking.ts';
import { coderReviewer, coderReviewerAnswer, noteTool } from '../testing/coder-reviewer.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

/** Every wait is over at the next turn of the event loop. */
const HASTE: Clock = {
  now: () => Date.now(),
  alarm(_at, ring) {
    const timer = setImmediate(ring);
    return () => clearImmediate(timer);
  },
};

type Call = { readonly method: string; readonly run: unknown; readonly number: number };

/** Rejects the calls that `fails` names; where `isLate` says so, only after the journal has done what was asked. */
function failing(journal: Journal, fails: (call: Call) => Fault | null, isLate = false): Journal {
  let number = 0;
  return new Proxy(journal, {
    get(target, method: string) {
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== 'function' || method === 'onChange' || method === 'close') return bound(value, target);
      return async (...given: readonly unknown[]) => {
        number += 1;
        const [first] = given;
        const fault = fails({ method, run: (first as { run?: unknown } | undefined)?.run ?? first, number });
        if (fault !== null && !isLate) throw fault;
        const result: unknown = await (value as (...all: readonly unknown[]) => unknown).apply(target, [...given]);
        if (fault !== null) throw fault;
        return result;
      };
    },
  });
}

const bound = (value: unknown, target: object): unknown =>
  typeof value === 'function' ? (value.bind(target) as unknown) : value;

/** Messages of other processes reach a run with a delay. */
async function settled(host: Host, run: RunId): Promise<RunRest> {
  for (;;) {
    const rest = await host.rest(run);
    if (rest.status === 'settled') return rest;
    await new Promise(setImmediate);
  }
}

const fault = (code: FaultCode): Fault => new Fault(code, 'The test wants it so.');

/** One run of two agents in a loop, and one that another process answers; both results, with their records. */
async function play(wrap: (journal: Journal) => Journal) {
  const journal = createMemoryJournal();
  const wrapped = wrap(journal);
  const world = testWorld({ journal: wrapped, answer: coderReviewerAnswer, tools: [noteTool([])], clock: HASTE });
  const host = createEmbeddedHost(world);
  const loop = await host.start({ definition: coderReviewer(), input: {}, project: '.', run: runId('loop') });
  const asks = await host.start({ definition: asking('Which?'), input: {}, project: '.', run: runId('asks') });
  await host.rest(asks);
  await journal.send(asks, {
    id: 'm1',
    at: Date.now(),
    body: { kind: 'answer', question: 't1', answer: 'red', by: 'bob' },
  });
  const results = [await host.rest(loop), await settled(host, asks)];
  await host.shutdown();
  const kinds = async (run: 'loop' | 'asks') => (await journal.read(runId(run))).map(({ fact }) => fact.kind);
  return {
    results: results.map(({ outcome, output }) => ({ outcome, output })),
    kinds: [await kinds('loop'), await kinds('asks')],
  };
}

for (const code of ['JOURNAL_BUSY', 'JOURNAL_IO', 'JOURNAL_FULL'] as const) {
  test(`[L3] [R1] whichever call of the journal fails once with ${code}, both runs come out as without it`, async () => {
    let calls = 0;
    const whole = await play((journal) => failing(journal, ({ number }) => ((calls = number), null)));
    expect(whole.results).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok', output: 'red' }]);
    expect(calls).toBeGreaterThan(15);
    for (let k = 1; k <= calls; k += 1) {
      const once = await play((journal) => failing(journal, ({ number }) => (number === k ? fault(code) : null)));
      expect(once, `call ${k}`).toEqual(whole);
    }
  });
}

test('[J1] an append that fails after it reached the disk is not written twice', async () => {
  const whole = await play((journal) => journal);
  for (let k = 1; k <= 5; k += 1) {
    let appends = 0;
    const late = (journal: Journal): Journal =>
      failing(journal, ({ method }) => (method === 'append' && ++appends === k ? fault('JOURNAL_IO') : null), true);
    expect(await play(late)).toEqual(whole);
  }
});

test('[J1] a run whose creation fails after it reached the disk is driven, and not refused as one that exists', async () => {
  const whole = await play((journal) => journal);
  for (let k = 1; k <= 2; k += 1) {
    let creations = 0;
    const late = (journal: Journal): Journal =>
      failing(journal, ({ method }) => (method === 'create' && ++creations === k ? fault('JOURNAL_FULL') : null), true);
    expect(await play(late)).toEqual(whole);
  }
});

test.each<[method: string, code: FaultCode]>([
  ['append', 'JOURNAL_FULL'],
  ['append', 'JOURNAL_DAMAGED'],
  ['inbox', 'JOURNAL_DAMAGED'],
  ['inbox', 'JOURNAL_IO'],
])(
  '[L3] a run whose %s keeps failing with %s ends alone with that code, and continues when it is resumed',
  async (method, code) => {
    const journal = createMemoryJournal();
    let isBroken = false;
    const wrapped = failing(journal, (call) =>
      isBroken && call.method === method && call.run === 'bad' ? fault(code) : null,
    );
    const host = createEmbeddedHost(testWorld({ journal: wrapped, answer: () => says(''), clock: HASTE }));
    const start = (name: string) =>
      host.start({ definition: asking('Which?'), input: {}, project: '.', run: runId(name) });
    const [bad, good] = [await start('bad'), await start('good')];
    await Promise.all([host.rest(bad), host.rest(good)]);
    isBroken = true;
    const answer = { kind: 'answer', question: 't1', answer: 'red', by: 'bob' };
    await journal.send(bad, { id: 'm1', at: 1, body: answer });
    const ended = async (): Promise<unknown> => {
      for (;;) {
        const found: unknown = await host.rest(bad).catch((error: unknown) => error);
        if (found instanceof Fault) return found;
        await new Promise(setImmediate);
      }
    };
    expect(await ended()).toMatchObject({ code });
    await host.answer(good, { answer: 'blue', by: 'ann' });
    expect(await host.rest(good)).toMatchObject({ outcome: 'ok', output: 'blue' });
    isBroken = false;
    await host.resume(bad);
    expect(await settled(host, bad)).toMatchObject({ outcome: 'ok', output: 'red' });
    await host.shutdown();
  },
);

test('[J6] messages arrive while the list of addressed runs cannot be read', async () => {
  const journal = createMemoryJournal();
  const wrapped = failing(journal, ({ method }) => (method === 'addressed' ? fault('JOURNAL_DAMAGED') : null));
  const host = createEmbeddedHost(testWorld({ journal: wrapped, answer: () => says(''), clock: HASTE }));
  const run = await host.start({ definition: asking('Which?'), input: {}, project: '.' });
  await host.rest(run);
  await journal.send(run, { id: 'm1', at: 1, body: { kind: 'cancel', by: 'bob', reason: 'enough' } });
  while ((await journal.run(run))?.status !== 'settled') await new Promise(setImmediate);
  expect(await host.rest(run)).toMatchObject({ outcome: 'cancelled' });
  await host.shutdown();
});
