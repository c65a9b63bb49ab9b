import { expect, test } from 'vitest';
import { Fault } from '../../core/model/fault.ts';
import { runId, treeId } from '../../core/model/ids.ts';
import { folderOnly } from '../../workspace/testing/folder-only.ts';
import { type Progress, ProgressTeller } from './progress-teller.ts';

/** Every look at the clock is a second later. */
function listened() {
  let now = 0;
  const teller = new ProgressTeller(() => (now += 1000));
  const events: Progress[] = [];
  const stop = teller.on((progress) => events.push(progress));
  return { teller, events, stop };
}

const root = runId('r1');

test('[U1] reading the project and making a workspace are reported when they begin and when they are over', async () => {
  const { teller, events } = listened();
  const workspaces = teller.around(folderOnly(async () => '/somewhere'));
  await workspaces.begin('/project');
  await workspaces.open({ root, name: 'main', project: '/project', tree: treeId('t') });
  expect(events).toMatchObject([
    { id: 1, what: 'project', state: 'started' },
    { id: 1, what: 'project', state: 'ended', ms: 1000, files: expect.any(Number) },
    { id: 2, what: 'workspace', run: 'r1', workspace: 'main', state: 'started' },
    { id: 2, what: 'workspace', state: 'ended', ms: 1000 },
  ]);
});

test.each([
  [0, 'ended'],
  [1, 'failed'],
  [null, 'failed'],
])('[U1] a setup command that ends with %s is reported as %s, with its workspace', async (exitCode, state) => {
  const { teller, events } = listened();
  const request = { run: root, command: 'npm ci', network: true, environment: {}, folders: [] };
  for (const folder of ['/home/runs/r1/work', '/home/runs/r1/workspaces/coder']) {
    await teller.setUp('/home', { ...request, folder }, async () => ({ exitCode, output: '' }));
  }
  expect(events).toMatchObject([
    { what: 'setup', command: 'npm ci', workspace: 'main', state: 'started' },
    { workspace: 'main', state },
    { workspace: 'coder', state: 'started' },
    { workspace: 'coder', state },
  ]);
});

test('[U1] what is refused is reported as failed and stays refused; who listens no more hears nothing', async () => {
  const { teller, events, stop } = listened();
  const about = { what: 'project', run: null, workspace: null } as const;
  const refused = () => Promise.reject(new Fault('PROJECT_TOO_LARGE', 'Too large.'));
  await expect(teller.during(about, refused)).rejects.toMatchObject({ code: 'PROJECT_TOO_LARGE' });
  expect(events.map(({ state }) => state)).toEqual(['started', 'failed']);
  stop();
  await teller.during(about, async () => 1);
  expect(events).toHaveLength(2);
});
