import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { Question } from '../../src/host/port.ts';
import { build, end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import type { Tool } from '../../src/tools/port.ts';
import { recorded, said, started, writes, type Started } from './approval-bench.ts';

const GO = turn('worker', "'Go'");
const ROLES = { worker: { ask: ['execute_terminal'] }, other: {} };
const ASKING = build({ roles: ROLES, states: [work('start', GO, [to('done')]), end('done')] });

/** The same in a run below, which shares the files that the run above has changed. */
const BELOW = build({
  roles: ROLES,
  states: [
    work('start', turn('other', "'Write'"), [to('below')]),
    work('below', { kind: 'call', workflow: 'below', input: {} }, [to('done')]),
    end('done'),
  ],
  library: { below: ASKING.workflow },
});

const LETTERS = ['a', 'b', 'c'] as const;

/** Three commands in one message, each of which writes and shows how far the others have come. */
function three(request: CallRequest): CallReply {
  if (request.agent === 'other') return writes(request);
  if (request.messages.some(({ role }) => role === 'tool')) return says('done');
  const command = (id: string): string => `printf ${id} >> order.txt`;
  return says(
    '',
    LETTERS.map((id) => ({ id, name: 'execute_terminal', arguments: { command: command(id) } })),
  );
}

const questionsOf = async ({ host, run }: Started): Promise<readonly Question[]> => (await host.rest(run)).questions;

const orderOf = ({ folder }: Started): string => readFileSync(join(folder, 'order.txt'), 'utf8');

test.for([
  ['a run', ASKING],
  ['a run below another', BELOW],
] as const)('[V3] three commands that %s asks for in one message need three answers', async ([, definition]) => {
  const all = await started(definition, { answer: three });
  const questions = await questionsOf(all);
  expect(questions).toHaveLength(3);
  // From a face that shows the three as they were asked.
  for (const { id, mark = '' } of questions) {
    expect(await said(all.host, all.run, { answer: 'yes', question: id, mark })).toBe('taken');
    await all.host.rest(all.run);
  }
  expect(await all.host.rest(all.run)).toMatchObject({ outcome: 'ok' });
  expect(orderOf(all)).toBe('abc');
});

/** Tools of this name stop in the middle of their work until the test lets them go on. */
function gated(name: string): {
  readonly tools: readonly Tool[];
  readonly open: () => void;
  readonly begun: Promise<void>;
} {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const tools = allTools.map((tool) => {
    if (tool.spec.name !== name) return tool;
    const run: typeof tool.run = async (input, context) => {
      const half = join(context.folder, 'half.txt');
      writeFileSync(half, '');
      begun.resolve();
      await Promise.race([gate.promise, once(context.signal, 'abort')]);
      rmSync(half);
      return await tool.run(input, context);
    };
    return { ...tool, run };
  });
  return { tools, open: gate.resolve, begun: begun.promise };
}

const answeredAtOnce = async (all: Started, begun: Promise<void>): Promise<readonly string[]> => {
  const [first, ...others] = await questionsOf(all);
  const heard = [await said(all.host, all.run, { answer: 'yes', question: first?.id ?? '' })];
  await begun;
  for (const { id } of others) heard.push(await said(all.host, all.run, { answer: 'yes', question: id }));
  return heard;
};

test('[V3] a yes that comes while another command of the message is at work is kept, and counts when that has ended', async () => {
  const { tools, open, begun } = gated('execute_terminal');
  const all = await started(ASKING, { answer: three, world: { tools } });
  expect(await answeredAtOnce(all, begun)).toEqual(['taken', 'taken', 'taken']);
  expect(await said(all.host, all.run, { answer: 'no', question: 'q2' })).toBe('QUESTION_CLOSED');
  open();
  expect(await all.host.rest(all.run)).toMatchObject({ outcome: 'ok' });
  expect(orderOf(all)).toBe('abc');
  const settled = (await all.bench.facts(all.run)).filter(({ kind }) => kind === 'permission.settled');
  expect(settled).toMatchObject(LETTERS.map((toolCall) => ({ toolCall, isAllowed: true, by: 'ada' })));
});

test('[V3] [L6] a yes that is kept outlives the process', async () => {
  const { tools, begun } = gated('execute_terminal');
  const all = await started(ASKING, { answer: three, world: { tools } });
  await answeredAtOnce(all, begun);
  await all.host.shutdown();
  const { host } = all.bench.host({ owner: 'next' });
  await host.resume(all.run);
  expect(await host.rest(all.run)).toMatchObject({ outcome: 'ok' });
  expect(orderOf(all)).toBe('abc');
});

test('[V3] what a person edits beside the commands makes the other answers void as before', async () => {
  const all = await started(ASKING, { answer: three });
  const [first, second] = await questionsOf(all);
  expect(await said(all.host, all.run, { answer: 'yes', question: first?.id ?? '' })).toBe('taken');
  await all.host.rest(all.run);
  writeFileSync(join(all.folder, 'a.txt'), 'edited\n');
  expect(await said(all.host, all.run, { answer: 'yes', question: second?.id ?? '' })).toBe('ANSWER_VOID');
  expect((await questionsOf(all)).find(({ id }) => id === second?.id)).toMatchObject({ isAgain: true });
});

test('[V3] what another branch of the run changes makes a yes that is kept void, and the command does not run', async () => {
  const { tools, open, begun } = gated('write_file');
  const list = [turn('other', "'Write'"), GO].map((unit, index) => ({ id: `u${index}`, after: [], work: unit }));
  const pool = { kind: 'pool', units: { kind: 'fixed', list }, slots: 2, join: { rule: 'all' }, grow: null } as const;
  const definition = build({ roles: ROLES, states: [work('start', pool, [to('done')]), end('done')] });
  const answer = async (request: CallRequest): Promise<CallReply> => {
    if (request.agent === 'worker') await begun;
    return three(request);
  };
  const all = await started(definition, { answer, world: { tools } });
  const { host, run } = all;
  await recorded(host, 'question.asked', 3);
  // The first waits for the workspace, behind the branch that is about to write.
  expect(await said(host, run, { answer: 'yes', question: 'q1' })).toBe('taken');
  expect(await said(host, run, { answer: 'yes', question: 'q2' })).toBe('taken');
  open();
  const { questions } = await host.rest(run);
  expect(questions.map(({ name, isAgain }) => [name, isAgain])).toEqual([
    ['q2', true],
    ['q3', undefined],
  ]);
  expect(orderOf(all)).toBe('a');
});
