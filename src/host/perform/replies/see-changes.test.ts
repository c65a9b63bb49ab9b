import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Actor } from '../../../actors/port.ts';
import { NO_CHANGE_TOOL } from '../../../core/step/turn/owed-changes.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { testProject } from '../../../workspace/testing/test-project.ts';
import { connect, handIn } from '../../desk/testing/desk-bench.ts';
import { build, end, to, turn, work } from '../../testing/build-definition.ts';
import { signallingHost, type SignallingOptions } from '../../testing/signalling-run.ts';
import { says } from '../../testing/test-world.ts';

const definition = build({
  states: [work('code', { ...turn('coder', "'go'"), changes: {} }, [to('stop')]), end('stop')],
});

/** A run of one client that must change files and ends with text. */
async function changingRun(call: Actor['call'], options: SignallingOptions = {}) {
  const { host, journal, place } = await signallingHost(call, options);
  const run = await host.start({ definition, input: {}, project: place.project });
  return { run, host, facts: async () => (await journal.read(run)).map(({ fact }) => fact) };
}

const folderOf = ({ client }: Parameters<Actor['call']>[0]): string => client?.place.folder ?? '';

test('[A7] a client that changed nothing is reminded in a second call, and NO_CHANGES names agent and step', async () => {
  const heard: string[] = [];
  const { run, host } = await changingRun((request) => {
    heard.push(request.messages.at(-1)?.content ?? '');
    return Promise.resolve(says('done'));
  });
  const { outcome, failure } = await host.rest(run);
  expect([outcome, failure?.code]).toEqual(['failed', 'NO_CHANGES']);
  expect(failure?.message).toContain('coder changed no file in code');
  expect(heard).toHaveLength(2);
  expect(heard[1]).toContain('The engine sees no changed file, apart from outputs that you handed in.');
});

test('[A7] a client says at its desk why no change is needed; the journal keeps the reason', async () => {
  const { run, host, facts } = await changingRun(async ({ client }) => {
    if (client?.desk == null) throw new Error('There is no desk.');
    await handIn(await connect(client.desk), { reason: 'It is a question.' }, NO_CHANGE_TOOL);
    return says('Because it is so.');
  });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  const answered = (await facts()).find((fact) => fact.kind === 'call.answered');
  expect(answered?.evidence).toMatchObject([{ kind: 'changes', isChanged: false, reason: 'It is a question.' }]);
});

test('[A7] [L6] files that a client wrote before its engine was killed count as its change', async () => {
  const journal = createMemoryJournal();
  const place = testProject({ 'a.txt': 'a\n' });
  const wrote = Promise.withResolvers<void>();
  const { run } = await changingRun(
    async (request) => {
      writeFileSync(join(folderOf(request), 'made.txt'), 'made\n');
      wrote.resolve();
      return await new Promise(() => undefined);
    },
    { journal, place, dies: true },
  );
  await wrote.promise;
  const second = await signallingHost(() => Promise.resolve(says('done')), { journal, place });
  await second.host.resume(run);
  expect(await second.host.rest(run)).toMatchObject({ outcome: 'ok' });
});

const REASON = 'It is a question.';

/** A client that states that no change is needed; then this happens. */
const declining =
  (then: () => ReturnType<Actor['call']>): Actor['call'] =>
  async ({ client }) => {
    if (client?.desk == null) throw new Error('There is no desk.');
    await handIn(await connect(client.desk), { reason: REASON }, NO_CHANGE_TOOL);
    return await then();
  };

test('[A7] [A8] [L6] a reason that was acknowledged before the engine was killed counts when its client continues', async () => {
  const journal = createMemoryJournal();
  const place = testProject({ 'a.txt': 'a\n' });
  const acknowledged = Promise.withResolvers<void>();
  const hangs = declining(() => {
    acknowledged.resolve();
    return new Promise(() => undefined);
  });
  const { run, facts } = await changingRun(hangs, { journal, place, dies: true });
  await acknowledged.promise;
  expect((await facts()).filter(({ kind }) => kind === 'changes.declined')).toMatchObject([{ reason: REASON }]);
  let asked = 0;
  const second = await signallingHost(() => Promise.resolve(says(`done ${(asked += 1)}`)), { journal, place });
  await second.host.resume(run);
  expect(await second.host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(asked).toBe(1);
});

test('[A7] a reason that a client gave before its call failed counts in the next attempt', async () => {
  let asked = 0;
  const failure = { code: 'CLIENT_FAILED', message: 'It ended early.', class: 'server' } as const;
  const fails = declining(() => Promise.resolve({ kind: 'failed', failure }));
  const { run, host } = await changingRun(async (...call) => {
    asked += 1;
    return asked === 1 ? await fails(...call) : says('Because it is so.');
  });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(asked).toBe(2);
});
