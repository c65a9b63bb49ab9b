import { expect, test } from 'vitest';
import type { CallReply, CallRequest } from '../actors/port.ts';
import { childRunId, taskId } from '../core/model/ids.ts';
import type { Failure } from '../core/model/outcome.ts';
import { build, each, end, expression, to, turn, work } from './testing/build-definition.ts';
import { coderReviewer, coderReviewerAnswer, noteTool } from './testing/coder-reviewer.ts';
import type { HostBench } from './testing/host-bench.ts';
import { says, testWorld } from './testing/test-world.ts';

/** Turns, pools, child runs, scripts. */
export function hostWork({ host, kinds, makeJournal }: HostBench): void {
  test('[L5] a pool gives every unit an outcome: ok, failed, and skipped for what depended on it', async () => {
    const journal = await makeJournal();
    const failure: Failure = { code: 'REQUEST_REFUSED', message: 'no', class: 'bad-request' };
    const one = host(
      testWorld({
        journal,
        answer: (request) => (request.agent === 'b' ? { kind: 'failed', failure } : says(request.agent)),
      }),
    );
    const units = [
      { id: 'a', after: [], work: turn('a', "'go'") },
      { id: 'b', after: [], work: turn('b', "'go'") },
      { id: 'c', after: ['b'], work: turn('c', "'go'") },
    ];
    const definition = build({
      roles: { a: {}, b: {}, c: {} },
      states: [
        work(
          'all',
          { kind: 'pool', units: { kind: 'fixed', list: units }, slots: 1, join: { rule: 'any' }, grow: null },
          [to('stop')],
          { on: { partial: [to('stop', { assign: 'this.common_data.units = result.units' })] } },
        ),
        end('stop', 'common_data.units'),
      ],
    });
    const run = await one.start({ definition, input: {}, project: '.' });
    const rest = await one.rest(run);
    expect(rest.output).toMatchObject([
      { id: 'a', outcome: 'ok', output: 'a' },
      { id: 'b', outcome: 'failed', reason: 'no' },
      { id: 'c', outcome: 'skipped' },
    ]);
  });

  test('[L5] units added while the pool runs are worked off in the slots there are', async () => {
    const journal = await makeJournal();
    const gate = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    const answer = async (request: CallRequest): Promise<CallReply> => {
      running += 1;
      most = Math.max(most, running);
      await gate.promise;
      running -= 1;
      return says(request.agent);
    };
    const one = host(testWorld({ journal, answer }));
    const definition = build({
      data: { list: ['one', 'two'] },
      states: [
        work(
          'all',
          {
            kind: 'pool',
            units: { kind: 'items', items: expression('common_data.list'), work: turn('coder', 'item') },
            slots: 2,
            join: { rule: 'all' },
            grow: expression("result === 'coder' && index === 0 ? ['grown'] : []"),
          },
          [to('stop', { assign: 'this.common_data.count = result.units.length' })],
        ),
        end('stop', 'common_data.count'),
      ],
    });
    const run = await one.start({ definition, input: {}, project: '.' });
    await one.addUnits(run, taskId('t1'), [{ id: 'late', after: [], item: 'late' }]);
    await expect(one.addUnits(run, taskId('t1'), [{ id: 'late', after: [], item: 'x' }])).rejects.toMatchObject({
      code: 'UNITS_REFUSED',
    });
    gate.resolve();
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok', output: 4 });
    expect(most).toBe(2);
  });

  test('[SM4] an agent can get a message, also as a unit of a pool, without a model call', async () => {
    const journal = await makeJournal();
    const tell = { kind: 'turn', agent: 'coder', mode: 'tell', input: expression("'note ' + item") } as const;
    const definition = build({
      data: { list: ['one', 'two', 'three'] },
      states: [
        work('all', each('common_data.list', tell, 1), [to('stop')]),
        end('stop', 'contexts.room.messages.length'),
      ],
    });
    const world = testWorld({ journal, answer: () => says('') });
    const one = host(world);
    const run = await one.start({ definition, input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok', output: 3 });
    expect(world.calls).toEqual([]);
  });

  test('[SM4] a child run is isolated, settles before its parent continues, and its usage counts', async () => {
    const journal = await makeJournal();
    const child = build({
      name: 'child',
      states: [
        work('code', turn('coder', 'common_data.job'), [to('stop')]),
        end('stop', "'child did ' + common_data.job"),
      ],
    });
    const parent = build({
      library: { child: child.workflow },
      states: [
        work('call', { kind: 'call', workflow: 'child', input: { job: expression("'the job'") } }, [
          to('stop', { assign: 'this.common_data.got = this.sub_workflow_result' }),
        ]),
        end('stop', 'common_data.got'),
      ],
    });
    const one = host(testWorld({ journal, answer: () => says('ok') }));
    const run = await one.start({ definition: parent, input: {}, project: '.' });
    const rest = await one.rest(run);
    expect(rest).toMatchObject({ outcome: 'ok', output: 'child did the job', usage: { calls: 1 } });
    const snapshot = await one.snapshot(childRunId(run, taskId('t1')));
    expect(snapshot).toMatchObject({ parent: run, status: 'settled' });
    expect((await one.snapshot(run)).contexts['room']?.messages.length).toBe(0);
  });

  test('[L8] a script that only the isolate can run is journaled, and a fold never runs it again', async () => {
    const journal = await makeJournal();
    const definition = build({
      states: [
        work('start', { kind: 'none' }, [
          to('no', { when: '[1, 2, 3].map(n => n * 2).includes(5)' }),
          to('stop', {
            when: '[1, 2, 3].map(n => n * 2).includes(4)',
            assign: 'for (const n of [1, 2]) this.common_data.sum = (this.common_data.sum || 0) + n;',
          }),
        ]),
        end('no'),
        end('stop', '[common_data.sum].map(n => n + 1)[0]'),
      ],
    });
    const one = host(testWorld({ journal, answer: () => says('') }));
    const run = await one.start({ definition, input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok', output: 4 });
    expect((await kinds(journal, run)).filter((kind) => kind === 'script.evaluated')).toHaveLength(3);
  });

  test('[L2] many runs at once in one process each come to their own end', async () => {
    const journal = await makeJournal();
    const one = host(testWorld({ journal, answer: coderReviewerAnswer, tools: [noteTool([])] }));
    const definition = coderReviewer();
    const runs = await Promise.all(
      Array.from({ length: 50 }, () => one.start({ definition, input: {}, project: '.' })),
    );
    const rests = await Promise.all(runs.map((run) => one.rest(run)));
    expect(rests.every((rest) => rest.output === 'done after 14')).toBe(true);
  });

  test('[L8] one isolate serves every script of the host and is closed with it', async () => {
    const journal = await makeJournal();
    const definition = build({
      states: [
        work('loop', { kind: 'none' }, [
          to('loop', { when: 'common_data.n < 5', assign: 'for (const one of [1]) this.common_data.n += one;' }),
          to('stop'),
        ]),
        end('stop', 'common_data.n'),
      ],
      data: { n: 0 },
    });
    let made = 0;
    const world = testWorld({ journal, answer: () => says('') });
    const one = host({
      ...world,
      isolate: () => {
        made += 1;
        return world.isolate();
      },
    });
    const run = await one.start({ definition, input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ output: 5 });
    expect(made).toBe(1);
  });
}
