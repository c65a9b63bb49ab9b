import { expect, test } from 'vitest';
import type { Definition } from '../../core/model/definition.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import { build, end, expression, to, work } from '../testing/build-definition.ts';
import { dyingJournal } from '../testing/dying-journal.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { systemClock } from '../system-clock.ts';
import { createEmbeddedHost } from './embedded-host.ts';

/** Asks in a child, then says how it was done. */
function asking(how: string, state = 'ask'): Definition {
  const ask = { kind: 'ask', question: expression("'Which?'"), choices: [] } as const;
  const below = build({ name: 'below', states: [work(state, ask, [to('stop')]), end('stop', `'${how} below'`)] });
  return build({
    states: [
      work('call', { kind: 'call', workflow: 'below', input: {} }, [
        to('stop', { assign: 'this.common_data.said = result' }),
      ]),
      end('stop', `common_data.said + ' and ${how} above'`),
    ],
    library: { below: below.workflow },
  });
}

/** Everything happens within one millisecond, as it may on a fast machine. */
const FROZEN = { ...systemClock, now: () => 1 };

async function resting(definition: Definition) {
  const journal = createMemoryJournal();
  const open = (from: Journal = journal) =>
    createEmbeddedHost(testWorld({ journal: from, clock: FROZEN, answer: () => says('') }));
  const first = open();
  const run = await first.start({ definition, input: {}, project: '.' });
  await first.rest(run);
  await first.shutdown();
  return { journal, open, run };
}

test('[ST5] a run continues with the new definition, and so do the open runs below it', async () => {
  const { open, run } = await resting(asking('old'));
  const host = open();
  expect(await host.misfits(run, asking('new'))).toEqual([]);
  await host.redefine(run, { definition: asking('new'), by: 'ada' });
  await host.resume(run);
  await host.rest(run);
  await host.answer(run, { answer: 'red', by: 'ada' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok', output: 'new below and new above' });
  await host.shutdown();
});

test('[ST5] without a request it continues with its first definition', async () => {
  const { open, run } = await resting(asking('old'));
  const host = open();
  await host.resume(run);
  await host.rest(run);
  await host.answer(run, { answer: 'red', by: 'ada' });
  expect(await host.rest(run)).toMatchObject({ output: 'old below and old above' });
  await host.shutdown();
});

test('[ST5] a definition that does not fit is refused with every reason, also below, and nothing is written', async () => {
  const { journal, open, run } = await resting(asking('old'));
  const before = await journal.read(run);
  const host = open();
  const refused = host.redefine(run, { definition: asking('new', 'elsewhere'), by: 'ada' });
  await expect(refused).rejects.toMatchObject({
    code: 'DEFINITION_MISFIT',
    message: expect.stringContaining(`Below it, ${run}/t1: It stands in the state "ask", which is no longer there.`),
  });
  const alone = { ...asking('new'), library: {} };
  await expect(host.redefine(run, { definition: alone, by: 'ada' })).rejects.toThrow('"below" is under way below it');
  expect(await journal.read(run)).toEqual(before);
  await host.shutdown();
});

test('[ST5] a run that is driven, here or elsewhere, keeps its definition', async () => {
  const { open, run } = await resting(asking('old'));
  const host = open();
  await host.resume(run);
  await expect(host.redefine(run, { definition: asking('new'), by: 'ada' })).rejects.toMatchObject({
    code: 'RUN_BUSY',
  });
  await host.shutdown();
});

test('[L1] [ST5] when the process dies between the runs of a tree, asking again brings the rest', async () => {
  const { journal, open, run } = await resting(asking('old'));
  const whole = dyingJournal(journal, { afterAppends: Infinity });
  let appends = 0;
  const dying: Journal = {
    ...whole,
    append: async (lease, batch) => {
      appends += 1;
      if (appends > 1) throw new Error('the disk is full');
      await whole.append(lease, batch);
    },
    release: (lease) => journal.release(lease),
  };
  const definition = asking('new');
  await expect(open(dying).redefine(run, { definition, by: 'ada' })).rejects.toThrow('the disk is full');
  const kinds = async (of: string) => (await journal.read(of as typeof run)).map(({ fact }) => fact.kind);
  expect((await kinds(`${run}/t1`)).at(-1)).toBe('run.redefined');
  expect(await kinds(run)).not.toContain('run.redefined');
  await open().redefine(run, { definition, by: 'ada' });
  expect((await kinds(run)).at(-1)).toBe('run.redefined');
  expect((await kinds(`${run}/t1`)).filter((kind) => kind === 'run.redefined')).toHaveLength(1);
});

test('[FO1] [ST5] a run that is rolled back to before has the definition it had then', async () => {
  const { open, run } = await resting(asking('old'));
  const host = open();
  const { seq, definition } = await host.snapshot(run);
  await host.redefine(run, { definition: asking('new'), by: 'ada' });
  expect((await host.snapshot(run)).definition).not.toBe(definition);
  await host.rewind(run, { to: seq, files: false, conversation: true, by: 'ada' });
  expect((await host.snapshot(run)).definition).toBe(definition);
  await host.resume(run);
  await host.rest(run);
  await host.answer(run, { answer: 'red', by: 'ada' });
  expect(await host.rest(run)).toMatchObject({ output: 'old below and old above' });
  await host.shutdown();
});

test('[U8] a run with a new definition, and a fork, need of a worker what that definition needs', async () => {
  const { journal, open, run } = await resting(asking('old'));
  const host = open();
  await host.redefine(run, { definition: asking('new'), by: 'ada', needs: ['client codex'] });
  expect(await journal.run(run)).toMatchObject({ needs: ['client codex'] });
  const same = await host.fork(run, { at: (await journal.read(run)).length, by: 'ada' });
  expect(await journal.run(same)).toMatchObject({ needs: ['client codex'] });
  const other = await host.fork(run, { at: 1, by: 'ada', needs: ['label gpu'] });
  expect(await journal.run(other)).toMatchObject({ needs: ['label gpu'] });
  await host.shutdown();
});
