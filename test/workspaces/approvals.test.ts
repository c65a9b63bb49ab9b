import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Actor, CallReply, CallRequest } from '../../src/actors/port.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { RunTerms } from '../../src/core/model/run-terms.ts';
import type { UnitWork, Work } from '../../src/core/model/workflow.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { annAndBob, BOTH_EDIT } from './bench.ts';
import { openQuestion, recorded, said, started, writes, type Started } from './approval-bench.ts';

const ASK = { kind: 'ask', question: expression("'Ship it?'"), choices: ['yes', 'no'] } as const;
const FREE = { ...ASK, question: expression("'What is it called?'"), choices: [] } as const;

const afterWriting = (question: Work): Definition =>
  build({
    roles: { worker: {} },
    states: [
      work('start', turn('worker', "'Write it'"), [to('ask')]),
      work('ask', question, [to('done')]),
      end('done'),
    ],
  });

const together = (...units: readonly UnitWork[]): Definition => {
  const list = units.map((unit, index) => ({ id: `u${index}`, after: [], work: unit }));
  const pool = { kind: 'pool', units: { kind: 'fixed', list }, slots: 2, join: { rule: 'all' }, grow: null } as const;
  return build({ roles: { worker: {} }, states: [work('start', pool, [to('done')]), end('done')] });
};

const answered = async ({ bench, run }: Started) =>
  (await bench.facts(run)).filter(({ kind }) => kind === 'question.asked' || kind === 'question.answered');

test('[V3] an approval names its question, its files and the surface it was given at', async () => {
  const all = await started(afterWriting(ASK));
  const question = await openQuestion(all.host, all.run);
  expect(question?.mark).toMatch(/^[0-9a-f]{40,64}$/);
  await all.host.answer(all.run, { answer: 'yes', by: 'ada', via: 'page' });
  expect(await all.host.rest(all.run)).toMatchObject({ outcome: 'ok' });
  expect(await answered(all)).toEqual([
    { kind: 'question.asked', question: 't2', files: { main: question?.mark } },
    { kind: 'question.answered', question: 't2', answer: 'yes', by: 'ada', via: 'page', mark: question?.mark },
  ]);
});

test('[V3] an approval is void where a person edited the files since; the question stands again for the new ones', async () => {
  const all = await started(afterWriting(ASK));
  const { host, run, folder } = all;
  const first = await openQuestion(host, run);
  writeFileSync(join(folder, 'a.txt'), 'edited\n');
  await expect(host.answer(run, { answer: 'yes', by: 'ada' })).rejects.toMatchObject({ code: 'ANSWER_VOID' });
  const again = await openQuestion(host, run);
  expect(again).toMatchObject({ id: first?.id, name: first?.name, isAgain: true });
  expect(again?.mark).not.toBe(first?.mark);
  // A face that still shows the first asking is refused, one that shows the second is not.
  const old = { answer: 'yes', by: 'ada', mark: first?.mark ?? '' };
  await expect(host.answer(run, old)).rejects.toMatchObject({ code: 'ANSWER_VOID' });
  await host.answer(run, { ...old, mark: again?.mark ?? '' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(await answered(all)).toMatchObject([
    { kind: 'question.asked', files: { main: first?.mark } },
    { kind: 'question.asked', files: { main: again?.mark }, refused: { answer: 'yes', by: 'ada', via: 'library' } },
    { kind: 'question.answered', mark: again?.mark },
  ]);
});

test('[V3] an approval that another process sent is void as well, and one given while no process drove the run', async () => {
  const all = await started(afterWriting(ASK));
  const { bench, host, run, folder } = all;
  await host.rest(run);
  await host.shutdown();
  writeFileSync(join(folder, 'a.txt'), 'edited\n');
  const other = bench.host().host;
  await other.answer(run, { answer: 'yes', by: 'ada', via: 'script' });
  const next = bench.host({ owner: 'next' }).host;
  const heard = recorded(next, 'question.asked');
  await next.resume(run);
  await heard;
  expect(await openQuestion(next, run)).toMatchObject({ isAgain: true });
  expect((await answered(all)).map(({ kind }) => kind)).toEqual(['question.asked', 'question.asked']);
});

test('[V3] an approval is void where another branch of the run changed the files', async () => {
  const gate = Promise.withResolvers<void>();
  const answer = async (request: CallRequest): Promise<CallReply> => {
    await gate.promise;
    return writes(request);
  };
  const all = await started(together(turn('worker', "'Write it'"), ASK), { answer });
  const { host, run } = all;
  await recorded(host, 'question.asked');
  gate.resolve();
  await recorded(host, 'task.ended');
  await expect(host.answer(run, { answer: 'yes', by: 'ada' })).rejects.toMatchObject({ code: 'ANSWER_VOID' });
  await host.answer(run, { answer: 'yes', by: 'ada' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
});

test('[V3] an approval is void where the files were put back to an earlier record', async () => {
  const all = await started(afterWriting(ASK));
  const { bench, host, run } = all;
  await host.rest(run);
  await host.shutdown();
  const second = bench.host({ owner: 'second' }).host;
  const to = (await bench.facts(run)).findIndex(({ kind }) => kind === 'call.answered') + 1;
  await second.rewind(run, { to, files: true, conversation: false, by: 'ada' });
  await second.resume(run);
  await second.rest(run);
  await expect(second.answer(run, { answer: 'yes', by: 'ada' })).rejects.toMatchObject({ code: 'ANSWER_VOID' });
});

test('[V3] a free text is information: it is taken whatever became of the files', async () => {
  const { host, run, folder } = await started(afterWriting(FREE));
  expect((await openQuestion(host, run))?.mark).toBe(undefined);
  writeFileSync(join(folder, 'a.txt'), 'edited\n');
  await host.answer(run, { answer: 'yes', by: 'ada' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
});

test('[V3] a command that a client may run once is asked about again after the files changed', async () => {
  const allowed: (boolean | undefined)[] = [];
  const { host, run } = await startedClient(async (folder, ask) => {
    allowed.push(await ask(), await ask());
    writeFileSync(join(folder, 'deploy.sh'), 'rm -rf /\n');
    allowed.push(await ask());
  });
  const first = await openQuestion(host, run);
  expect(first).toMatchObject({ kind: 'permission', name: 'q1' });
  await host.answer(run, { answer: 'yes', by: 'ada' });
  const second = await openQuestion(host, run);
  expect(second).toMatchObject({ kind: 'permission', name: 'q2' });
  expect(second?.mark).not.toBe(first?.mark);
  await host.answer(run, { answer: 'no', by: 'ada' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(allowed).toEqual([true, true, false]);
});

test('[V3] a client that changes a script while a person decides about it is not allowed to run it', async () => {
  const swap = Promise.withResolvers<void>();
  const swapped = Promise.withResolvers<void>();
  const { host, run } = await startedClient(async (folder, ask) => {
    void swap.promise.then(() => {
      writeFileSync(join(folder, 'deploy.sh'), 'rm -rf /\n');
      swapped.resolve();
    });
    await ask();
  });
  await host.rest(run);
  swap.resolve();
  await swapped.promise;
  await expect(host.answer(run, { answer: 'yes', by: 'ada' })).rejects.toMatchObject({ code: 'ANSWER_VOID' });
  expect(await openQuestion(host, run)).toMatchObject({ kind: 'permission', isAgain: true });
  await host.answer(run, { answer: 'no', by: 'ada' });
  await host.rest(run);
});

const ASKING = build({
  roles: { worker: { ask: ['execute_terminal'] } },
  states: [work('start', turn('worker', "'Go'"), [to('done')]), end('done')],
});

/** A command that a person is asked about, beside a tool that writes. */
const beside = ({ messages }: CallRequest): CallReply => {
  const calls = [
    { id: 'asked', name: 'execute_terminal', arguments: { command: 'cat a.txt' } },
    { id: 'beside', name: 'write_file', arguments: { path: 'a.txt', content: 'A\n' } },
  ];
  return messages.some(({ role }) => role === 'tool') ? says('done') : says('', calls);
};

test('[V3] a tool is asked about for the files after the others of the same message, which do not make the answer void', async () => {
  const { host, run } = await started(ASKING, { answer: beside });
  await host.rest(run);
  await host.answer(run, { answer: 'yes', by: 'ada' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
});

test('[V3] files that changed after a person approved them are not delivered', async () => {
  const gate = Promise.withResolvers<void>();
  const answer = async (request: CallRequest): Promise<CallReply> => {
    await gate.promise;
    return writes(request);
  };
  const terms: RunTerms = { delivery: { to: { kind: 'apply' }, by: 'ada' } };
  const all = await started(together(turn('worker', "'Write it'"), ASK), { answer, terms });
  const { bench, host, run } = all;
  await recorded(host, 'question.asked');
  await host.answer(run, { answer: 'yes', by: 'ada' });
  gate.resolve();
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok', result: { kind: 'unapproved' } });
  expect((await host.snapshot(run)).delivery).toMatchObject({ fact: { failure: { code: 'APPROVAL_VOID' } } });
  expect((await bench.facts(run)).some(({ kind }) => kind === 'project.changed')).toBe(false);
});

test('[V3] the files that a person approved are delivered, whatever is done to the workspace afterwards', async () => {
  const terms: RunTerms = { delivery: { to: { kind: 'apply' }, by: 'ada' } };
  const { bench, host, run, folder } = await started(afterWriting(ASK), { terms });
  await host.rest(run);
  const stop = host.onLive((event) => {
    if (event.kind === 'record' && event.record.fact.kind === 'question.answered')
      writeFileSync(join(folder, 'late.txt'), '');
  });
  await host.answer(run, { answer: 'yes', by: 'ada' });
  await host.rest(run);
  stop();
  expect((await host.snapshot(run)).delivery).toMatchObject({ status: 'finished', fact: { how: 'applied' } });
  expect(existsSync(join(bench.project, 'late.txt'))).toBe(false);
});

test('[V3] [W1] what a person changed and then approved is delivered with it', async () => {
  const terms: RunTerms = { delivery: { to: { kind: 'apply' }, by: 'ada' } };
  const { bench, host, run, folder } = await started(afterWriting(ASK), { terms });
  await host.rest(run);
  writeFileSync(join(folder, 'a.txt'), 'edited\n');
  expect(await said(host, run, 'yes')).toBe('ANSWER_VOID');
  expect(await said(host, run, 'yes')).toBe('taken');
  await host.rest(run);
  expect((await host.snapshot(run)).delivery).toMatchObject({ status: 'finished', fact: { how: 'applied' } });
  expect(readFileSync(join(bench.project, 'a.txt'), 'utf8')).toBe('edited\n');
  expect((await bench.facts(run)).filter(({ kind }) => kind === 'files.changed')).toMatchObject([
    { why: 'work' },
    { why: 'outside' },
  ]);
});

test('[V3] [L6] an approval that waits for a run is heard by the process that takes the run up, before it rests', async () => {
  const { bench, host, run } = await started(afterWriting(ASK));
  await host.rest(run);
  await host.shutdown();
  await bench.host().host.answer(run, { answer: 'yes', by: 'ada', via: 'script' });
  const next = bench.host({ owner: 'next' }).host;
  await next.resume(run);
  expect(await next.rest(run)).toMatchObject({ status: 'settled', outcome: 'ok' });
});

test('[V3] an answer before the files were looked at counts for the files there are', async () => {
  const gate = Promise.withResolvers<void>();
  const slow = allTools.map((tool) => {
    if (tool.spec.name !== 'write_file') return tool;
    const run: typeof tool.run = async (...given) => {
      await gate.promise;
      return await tool.run(...given);
    };
    return { ...tool, run };
  });
  const { host, run } = await started(ASKING, { answer: beside, world: { tools: slow } });
  await recorded(host, 'permission.asked');
  expect(await said(host, run, 'yes')).toBe('taken');
  gate.resolve();
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
});

test.for(['no', 'always'])('[V3] %j to a tool holds whatever becomes of the files', async (answer) => {
  const { host, run, folder } = await started(ASKING, { answer: beside });
  await host.rest(run);
  writeFileSync(join(folder, 'server.log'), '1\n');
  expect(await said(host, run, answer)).toBe('taken');
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
});

test('[V3] a workspace that was deleted is made again as it was asked about, and the approval holds', async () => {
  const { host, run, folder } = await started(afterWriting(ASK));
  await host.rest(run);
  rmSync(folder, { recursive: true });
  await host.answer(run, { answer: 'yes', by: 'ada' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
});

/** Ann and Bob have written, each in their own workspace, and a person is asked. */
const BOTH_ASKED = annAndBob([work('start', BOTH_EDIT, [to('ask')]), work('ask', ASK, [to('done')]), end('done')]);

test('[V3] [R4] an answer from a new process opens no workspace, and only the one that a person edited', async () => {
  const { bench, host, run, world } = await started(BOTH_ASKED);
  await host.rest(run);
  await host.shutdown();
  const opened: string[] = [];
  const answerAnew = async (owner: string): Promise<string> => {
    const next = bench.host({ owner });
    const { workspaces } = next.world;
    const open: typeof workspaces.open = workspaces.open.bind(workspaces);
    workspaces.open = (request) => {
      opened.push(request.name);
      return open(request);
    };
    await next.host.resume(run);
    const heard = await said(next.host, run, 'yes');
    await next.host.shutdown();
    return heard;
  };
  writeFileSync(join(world.workspaces.folderOf(run, 'ann'), 'a.txt'), 'edited\n');
  expect(await answerAnew('second')).toBe('ANSWER_VOID');
  expect(opened).toEqual(['ann']);
  expect(await answerAnew('third')).toBe('taken');
  expect(opened).toEqual(['ann']);
});

test('[V3] [R4] an answer is taken while another run holds the only resource', async () => {
  const gate = Promise.withResolvers<void>();
  const answer = async (request: CallRequest): Promise<CallReply> => {
    const { messages } = request;
    if (messages.some(({ role }) => role === 'tool') && messages.some(({ content }) => content === 'Hold it'))
      await gate.promise;
    return writes(request);
  };
  const resources = { db: { kind: 'name', pattern: 'db{n}', count: 1 } } as const;
  const { bench, host, run } = await started(afterWriting(ASK), { answer, settings: { resources } });
  await host.rest(run);
  await host.shutdown();
  const holding = bench.host({ owner: 'holding' }).host;
  const holds = build({
    roles: { worker: {} },
    states: [work('start', turn('worker', "'Hold it'"), [to('done')]), end('done')],
  });
  const hasWritten = recorded(holding, 'tool.finished');
  await holding.start({ definition: holds, input: {}, project: bench.project, terms: {} });
  await hasWritten;
  const next = bench.host({ owner: 'next' }).host;
  await next.resume(run);
  expect(await said(next, run, 'yes')).toBe('taken');
  expect(await next.rest(run)).toMatchObject({ outcome: 'ok' });
  gate.resolve();
});

type Playing = (folder: string, ask: () => Promise<boolean | undefined>) => Promise<void>;

/** A client that asks whether it may run a script of the workspace. */
async function startedClient(play: Playing): Promise<Started> {
  const call: Actor['call'] = async ({ client: self }, { onPermission }) => {
    const wish = { tool: 'Bash', input: { command: './deploy.sh' } };
    // Without a workspace it would write into the folder that the tests run in.
    if (self === undefined) throw new Error('The client has no workspace.');
    await play(self.place.folder, async () => (await onPermission?.(wish))?.isAllowed);
    return says('done');
  };
  const client = { provider: 'vendor', choosesSession: true, canResume: true, canFork: true };
  const actor: Actor = { kind: 'test', client, call };
  const definition = build({
    roles: { worker: {} },
    states: [work('start', turn('worker', "'Deploy it'"), [to('done')]), end('done')],
  });
  return await started(definition, { world: { actorFor: () => Promise.resolve(actor) } });
}
