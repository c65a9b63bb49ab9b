import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Actor, CallRequest } from '../../actors/port.ts';
import type { Definition } from '../../core/model/definition.ts';
import { runId, type RunId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { testProject } from '../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { build, end, to, turn, work } from '../testing/build-definition.ts';
import { CLIENT_TRAITS, STOPPED_REPLY } from '../testing/stopping-client.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

/** Two turns that any worker may take, and one that is the run's. */
function threeTurns(): Definition {
  const made = build({
    roles: { coder: {} },
    states: [
      work('first', { ...turn('coder', "'look at it'"), apart: true }, [to('second')]),
      work('second', { ...turn('coder', "'make it'"), apart: true }, [to('third')]),
      work('third', turn('coder', "'go on'"), [to('stop')]),
      end('stop'),
    ],
  });
  const agents = made.workflow.agents.map((agent) => ({ ...agent, workspace: 'own' }));
  return { ...made, workflow: { ...made.workflow, agents } };
}

const HALF = 'half.txt';

const halfIn = ({ client }: CallRequest): string => join(client?.place.folder ?? '', HALF);

/** Two machines: the second has the first turn, and takes the next one over in its middle. The first one has the turn after that. */
async function takenOver() {
  const { project, home } = testProject({ 'a.txt': 'a\n' });
  const elsewhere = testProject();
  const journal = createMemoryJournal();
  const offered: RunId[] = [];
  const worker = (name: string, at: string, call: Actor['call']) => {
    const workspaces = createWorkspaces({ home: at });
    const world = testWorld({ journal, client: CLIENT_TRAITS, answer: () => says(''), call, workspaces, owner: name });
    const placement = { offer: (run: RunId) => Promise.resolve(offered.push(run) > 0) };
    const host = createEmbeddedHost({ ...world, worker: name, placement });
    onTestFinished(() => host.shutdown());
    return { host, workspaces };
  };
  const atWork = Promise.withResolvers<void>();
  let found: boolean | null = null;
  const first = worker('first', home, (request, { signal }) => {
    if (request.state === 'third') {
      found = existsSync(halfIn(request));
      return Promise.resolve(says('done'));
    }
    writeFileSync(halfIn(request), 'half');
    atWork.resolve();
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(STOPPED_REPLY)));
  });
  const second = worker('second', elsewhere.home, () => Promise.resolve(says('nothing to do')));
  await second.workspaces.begin(project);
  const sendAway = async () => ({ id: 'project', rules: 'rules' });
  const run = await first.host.start({ definition: threeTurns(), input: {}, project, sendAway });
  await first.host.resume(run);
  await expect.poll(() => offered).toEqual([`${run}/t1`]);
  await second.host.resume(runId(`${run}/t1`), { keepsPause: true });
  await expect.poll(() => offered).toEqual([`${run}/t1`, `${run}/t2`]);
  const below = runId(`${run}/t2`);
  await first.host.resume(below, { keepsPause: true });
  await atWork.promise;
  await first.host.leave(below);
  await second.host.resume(below, { keepsPause: true });
  expect(await first.host.rest(run)).toMatchObject({ outcome: 'ok' });
  const outside = (await journal.tree(run)).filter(
    ({ fact }) => fact.kind === 'files.changed' && fact.why === 'outside',
  );
  return { found, outside };
}

test('[U8] [W1] what a client had left in a folder when its turn was taken over is not in the files of the next turn there', async () => {
  const { found, outside } = await takenOver();
  expect(found).toBe(false);
  expect(outside).toEqual([]);
});
