import { expect, test } from 'vitest';
import { childRunId, taskId } from '../core/model/ids.ts';
import type { Failure } from '../core/model/outcome.ts';
import { NO_USAGE } from '../core/model/usage.ts';
import { asking } from './testing/asking.ts';
import { build, each, end, expression, to, turn, work } from './testing/build-definition.ts';
import type { HostBench } from './testing/host-bench.ts';
import { answeredCalls, CALL_TOKENS, sharingLimit, slowModel } from './testing/sharing-limit.ts';
import { totalTokens } from '../core/model/usage.ts';
import { says, testWorld } from './testing/test-world.ts';

/** Questions, answers, limits. */
export function hostPeople({ host, kinds, makeHost, makeJournal }: HostBench): void {
  test('[L10] the cost of a failed call counts towards the limits', async () => {
    const journal = await makeJournal();
    const spent = { usage: { ...NO_USAGE, inputTokens: 900, calls: 1 }, costUsd: 0.5 };
    const failure: Failure = { code: 'REPLY_TRUNCATED', message: 'cut off', class: 'bad-reply' };
    const one = host(
      testWorld({
        journal,
        answer: ({ attempt }) => (attempt === 1 ? { kind: 'failed', failure, spent } : says('whole')),
      }),
    );
    const definition = build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });
    const run = await one.start({ definition, input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({
      outcome: 'ok',
      usage: { inputTokens: 910, calls: 2 },
      costUsd: 0.501,
    });
  });

  test('[L10] a question stops the run until a person answers; the first answer wins', async () => {
    const journal = await makeJournal();
    const definition = build({
      states: [
        work('ask', { kind: 'ask', question: expression("'Which colour?'"), choices: ['red', 'blue'] }, [
          to('stop', { assign: 'this.common_data.colour = result' }),
        ]),
        end('stop', 'common_data.colour'),
      ],
    });
    const one = host(testWorld({ journal, answer: () => says('') }));
    const run = await one.start({ definition, input: {}, project: '.' });
    const waiting = await one.rest(run);
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'ask', text: 'Which colour?' }] });
    await one.answer(run, { answer: 'blue', by: 'ann' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok', output: 'blue' });
    await expect(one.answer(run, { answer: 'red', by: 'bob' })).rejects.toMatchObject({ code: 'QUESTION_CLOSED' });
  });

  test('[L10] [SM9] a limit pauses the run; raised, it continues from there', async () => {
    const journal = await makeJournal();
    const definition = build({
      limits: { iterations: 3 },
      states: [
        work('code', turn('coder', "'again'"), [
          to('code', { when: 'contexts.room.messages.length < 10' }),
          to('stop'),
        ]),
        end('stop', 'contexts.room.messages.length'),
      ],
    });
    const one = host(testWorld({ journal, answer: () => says('more') }));
    const run = await one.start({ definition, input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ status: 'paused', failure: { code: 'MAX_ITERATIONS' } });
    await one.raise(run, 'iterations', 10, 'ann');
    expect(await one.rest(run)).toMatchObject({ status: 'settled', outcome: 'ok', output: 10 });
  });

  test('[L10] a child that asks, and one that meets a limit, rest the whole tree and can be answered from the top', async () => {
    const journal = await makeJournal();
    const child = build({
      name: 'child',
      limits: { iterations: 1 },
      states: [
        work('ask', { kind: 'ask', question: expression("'Go on?'"), choices: [] }, [to('code')]),
        work('code', turn('coder', "'go'"), [to('code', { when: 'contexts.room.messages.length < 4' }), to('stop')]),
        end('stop', "'child is done'"),
      ],
    });
    const parent = build({
      library: { child: child.workflow },
      states: [
        work('call', { kind: 'call', workflow: 'child', input: {} }, [
          to('stop', { assign: 'this.common_data.x = result' }),
        ]),
        end('stop', 'common_data.x'),
      ],
    });
    const first = makeHost(testWorld({ journal, answer: () => says('ok') }));
    const run = await first.start({ definition: parent, input: {}, project: '.' });
    const below = childRunId(run, taskId('t1'));
    expect(await first.rest(run)).toMatchObject({ status: 'waiting', questions: [{ run: below, text: 'Go on?' }] });
    await first.shutdown();
    const second = host(testWorld({ journal, answer: () => says('ok') }));
    await second.resume(run);
    await second.rest(run);
    await second.answer(run, { answer: 'yes', by: 'ann' });
    expect(await second.rest(run)).toMatchObject({ status: 'paused', failure: { code: 'MAX_ITERATIONS' } });
    await second.answer(run, { answer: 'continue', by: 'ann' });
    expect(await second.rest(run)).toMatchObject({ status: 'settled', output: 'child is done' });
  });

  test('[R2] an answer to a run that is held is recorded without a driver, and the next driver begins what follows', async () => {
    const journal = await makeJournal();
    const definition = build({
      states: [
        work('ask', { kind: 'ask', question: expression("'Deploy?'"), choices: [] }, [to('deploy')]),
        work('deploy', { kind: 'command', command: expression("'deploy'"), okExitCodes: [0], repeat: 'unsafe' }, [
          to('stop', { assign: 'this.common_data.printed = result.output' }),
        ]),
        end('stop', 'common_data.printed'),
      ],
    });
    const first = makeHost(testWorld({ journal, answer: () => says('') }));
    const run = await first.start({ definition, input: {}, project: '.' });
    await first.rest(run);
    await first.shutdown();
    const holding = host(testWorld({ journal, answer: () => says(''), owner: 'page' }));
    const held = await holding.hold(run);
    expect(await holding.answer(run, { answer: 'yes', by: 'ann' })).toBe('taken');
    expect((await kinds(journal, run)).slice(-3)).toEqual(['task.ended', 'state.entered', 'task.started']);
    await expect(holding.answer(run, { question: 'q1', answer: 'no', by: 'bob' })).rejects.toMatchObject({
      code: 'QUESTION_CLOSED',
    });
    const driving = host(testWorld({ journal, answer: () => says(''), owner: 'driver' }));
    await expect(driving.resume(run)).rejects.toMatchObject({ code: 'RUN_BUSY' });
    await driving.resume(run, { from: held.lease });
    await held.release();
    // Not reported as unknown, as for a command that may have run before.
    expect(await driving.rest(run)).toMatchObject({ status: 'settled', outcome: 'ok', output: 'ran deploy' });
  });

  test('[R2] an answer to a child of a held run is recorded in the child', async () => {
    const journal = await makeJournal();
    const parent = build({
      library: { child: asking('Which?').workflow },
      states: [
        work('call', { kind: 'call', workflow: 'child', input: {} }, [
          to('stop', { assign: 'this.common_data.x = result' }),
        ]),
        end('stop', 'common_data.x'),
      ],
    });
    const first = makeHost(testWorld({ journal, answer: () => says('') }));
    const run = await first.start({ definition: parent, input: {}, project: '.' });
    await first.rest(run);
    await first.shutdown();
    const second = host(testWorld({ journal, answer: () => says('') }));
    const held = await second.hold(run);
    expect(await second.answer(run, { answer: 'red', by: 'ann' })).toBe('taken');
    expect(await journal.run(childRunId(run, taskId('t1')))).toMatchObject({ status: 'settled', driven: false });
    await second.resume(run, { from: held.lease });
    await held.release();
    expect(await second.rest(run)).toMatchObject({ status: 'settled', output: 'red' });
  });

  test('[L10] two children may ask at once, and each answer reaches the one it is for', async () => {
    const journal = await makeJournal();
    const child = build({
      name: 'child',
      states: [
        work('ask', { kind: 'ask', question: expression("'Do ' + common_data.what + '?'"), choices: [] }, [
          to('stop', { assign: 'this.common_data.said = result' }),
        ]),
        end('stop', "common_data.what + ': ' + common_data.said"),
      ],
    });
    const parent = build({
      library: { child: child.workflow },
      data: { jobs: ['deploy', 'rename'] },
      states: [
        work(
          'all',
          each('common_data.jobs', { kind: 'call', workflow: 'child', input: { what: expression('item') } }, 2),
          [to('stop', { assign: 'this.common_data.all = result.units' })],
        ),
        end('stop', 'common_data.all'),
      ],
    });
    const one = host(testWorld({ journal, answer: () => says('') }));
    const run = await one.start({ definition: parent, input: {}, project: '.' });
    const { questions } = await one.rest(run);
    expect(new Set(questions.map((question) => question.id)).size).toBe(2);
    await expect(one.answer(run, { answer: 'yes', by: 'ann' })).rejects.toMatchObject({ code: 'QUESTION_AMBIGUOUS' });
    const rename = questions.find((question) => question.text === 'Do rename?');
    await one.answer(run, { question: rename?.id ?? '', answer: 'no', by: 'ann' });
    await one.rest(run);
    await one.answer(run, { answer: 'yes', by: 'ann' });
    const { output } = await one.rest(run);
    expect(output).toMatchObject([{ output: 'deploy: yes' }, { output: 'rename: no' }]);
  });

  test('[L10] the first answer wins also while no process drives the run, and an invalid answer is refused', async () => {
    const journal = await makeJournal();
    const first = makeHost(testWorld({ journal, answer: () => says('') }));
    const run = await first.start({ definition: asking('Ready?', ['yes', 'no']), input: {}, project: '.' });
    await first.rest(run);
    await first.shutdown();
    const elsewhere = host(testWorld({ journal, answer: () => says('') }));
    await expect(elsewhere.answer(run, { answer: 'banana', by: 'bob' })).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
    });
    await elsewhere.answer(run, { answer: 'YES', by: 'ann' });
    await expect(elsewhere.answer(run, { answer: 'no', by: 'bob' })).rejects.toMatchObject({
      code: 'QUESTION_CLOSED',
    });
    await elsewhere.resume(run);
    expect(await elsewhere.rest(run)).toMatchObject({ output: 'yes' });
    await expect(elsewhere.cancel(run, 'bob', 'late')).rejects.toMatchObject({ code: 'RUN_SETTLED' });
  });

  test('[L10] a child keeps to its own limit where that is tighter than what its parent has left', async () => {
    const journal = await makeJournal();
    const child = build({
      name: 'child',
      limits: { tokens: 15 },
      states: [
        work('code', turn('coder', "'go'"), [to('code', { when: 'contexts.room.messages.length < 6' }), to('stop')]),
        end('stop'),
      ],
    });
    const parent = build({
      library: { child: child.workflow },
      limits: { tokens: 1000 },
      states: [work('call', { kind: 'call', workflow: 'child', input: {} }, [to('stop')]), end('stop')],
    });
    const one = host(testWorld({ journal, answer: () => says('ok') }));
    const run = await one.start({ definition: parent, input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ status: 'paused', failure: { code: 'MAX_TOKENS' } });
  });

  test('[U5] [V5] units that work at once stop at the limit of their tree, which asks once; raised, all of them continue', async () => {
    const journal = await makeJournal();
    const one = host(testWorld({ journal, answer: slowModel(journal) }));
    const run = await one.start({ definition: sharingLimit({ tokens: 150 }), input: {}, project: '.' });
    const rest = await one.rest(run);
    expect(rest).toMatchObject({
      status: 'paused',
      failure: { code: 'MAX_TOKENS' },
      questions: [{ run, kind: 'limit' }],
    });
    expect(totalTokens(rest.usage)).toBeGreaterThanOrEqual(150);
    expect(totalTokens(rest.usage)).toBeLessThanOrEqual(150 + 4 * CALL_TOKENS);
    expect(rest.usage.calls).toBe(await answeredCalls(journal, run));
    // Not enough for all of it.
    await one.raise(run, 'tokens', 240, 'ann');
    const again = await one.rest(run);
    expect(again).toMatchObject({ status: 'paused', questions: [{ run, kind: 'limit' }] });
    expect(totalTokens(again.usage)).toBeGreaterThanOrEqual(240);
    await one.answer(run, { answer: 'continue', by: 'ann' });
    const ended = await one.rest(run);
    expect(ended).toMatchObject({ status: 'settled', outcome: 'ok', usage: { calls: 24 } });
    expect(ended.costUsd).toBeCloseTo(0.024, 9);
    expect(await answeredCalls(journal, run)).toBe(24);
  });

  test('[U5] a tree that spends exactly its limit comes to its end', async () => {
    const one = host(testWorld({ journal: await makeJournal(), answer: () => says('ok') }));
    const definition = sharingLimit({ tokens: 24 * CALL_TOKENS });
    const run = await one.start({ definition, input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok', usage: { calls: 24 } });
  });

  test('[U5] reports of what children spend are few', async () => {
    const journal = await makeJournal();
    const one = host(testWorld({ journal, answer: () => says('ok') }));
    const run = await one.start({ definition: sharingLimit({ tokens: 100_000 }), input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    expect((await journal.read(run)).filter(({ fact }) => fact.kind === 'usage.noted')).toEqual([]);
  });
}
