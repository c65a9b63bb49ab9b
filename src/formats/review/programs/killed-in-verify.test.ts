import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CallReply, CallRequest } from '../../../actors/port.ts';
import { runId } from '../../../core/model/ids.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import type { Journal } from '../../../journal/port.ts';
import { allTools } from '../../../tools/all-tools.ts';
import { testProject } from '../../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../../workspace/workspaces.ts';
import { createEmbeddedHost } from '../../../host/embedded/embedded-host.ts';
import type { Host } from '../../../host/port.ts';
import type { World } from '../../../host/world.ts';
import { build, end, expression, to, turn, work } from '../../../host/testing/build-definition.ts';
import { says, testWorld } from '../../../host/testing/test-world.ts';
import { testShell } from '../../../host/perform/outputs/testing/test-shell.ts';
import { placeOf } from './testing/review-bench.ts';

const shell = testShell();

const VERIFY = expression('({ id: "impl_1", agent: "impl_1", command: "cat test/a.test.js", protect: null })');

/** It guts the test, is verified, and then looks at its own file. */
function definition() {
  const built = build({
    roles: { impl_1: {} },
    states: [
      work('gut', turn('impl_1', "'gut'"), [to('verify')]),
      work('verify', { kind: 'compute', program: 'review.verify', input: VERIFY, writes: true }, [
        to('look', { assign: 'this.common_data.verified = result' }),
      ]),
      work('look', turn('impl_1', "'look'"), [to('stop')]),
      end('stop', 'common_data.verified'),
    ],
  });
  const agents = built.workflow.agents.map((agent) => ({ ...agent, workspace: 'own' }));
  return { ...built, workflow: { ...built.workflow, agents } };
}

function answer({ state, call }: CallRequest): CallReply {
  if (call > 1) return says('done');
  const input = { path: 'test/a.test.js' };
  if (state === 'look') return says('', [{ id: 'l', name: 'read_file', arguments: input }]);
  return says('', [{ id: 'g', name: 'write_file', arguments: { ...input, content: 'gutted\n' } }]);
}

test('[W1] killed while the copies of the user are in place: the implementer has its own files again, and is verified again', async () => {
  const { project, home } = testProject({ 'test/a.test.js': 'mine\n' });
  const journal = createMemoryJournal({ isAlive: (owner) => owner !== 'dead' });
  const hostOf = (one: Journal, owner: string, more: Partial<World>): { host: Host; folder: string } => {
    const workspaces = createWorkspaces({ home, settings: { method: 'copy' } });
    onTestFinished(() => workspaces.close());
    const world = testWorld({ journal: one, owner, answer, tools: allTools, workspaces });
    const folder = placeOf(workspaces.folderOf(runId('run-1'), 'main'), 'impl_1');
    return { host: createEmbeddedHost({ ...world, ...more }), folder };
  };
  const inside = Promise.withResolvers<void>();
  const never: World['shell'] = async () => {
    inside.resolve();
    return await new Promise(() => undefined);
  };
  const first = hostOf(journal, 'dead', { ...shell, shell: never });
  await first.host.start({ definition: definition(), input: {}, project, run: runId('run-1') });
  await inside.promise;
  const seen = join(first.folder, 'test/a.test.js');
  expect(readFileSync(seen, 'utf8')).toBe('mine\n');
  const second = hostOf(journal, 'alive', shell);
  await second.host.resume(runId('run-1'));
  expect(await second.host.rest(runId('run-1'))).toMatchObject({
    outcome: 'ok',
    output: { isGreen: true, output: 'mine', tampered: [{ path: 'test/a.test.js', how: 'changed' }] },
  });
  expect(readFileSync(seen, 'utf8')).toBe('gutted\n');
  const records = await journal.read(runId('run-1'));
  const looked = records.find(({ fact }) => fact.kind === 'tool.finished' && fact.toolCall === 'l');
  expect(JSON.stringify(looked)).toContain('gutted');
  await second.host.shutdown();
});
