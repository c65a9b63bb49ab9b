import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import { runId } from '../../src/core/model/ids.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { DOCUMENT_ALONE } from '../stages/modules.ts';
import { git, gitProject, KEPT } from '../cli/file-projects.ts';
import { configFor } from '../cli/projects.ts';
import { createSandbox, jsonLines, type Running, type Sandbox } from '../cli/sandbox.ts';
import { driversOf, machineWith, noted, startWorker, stopWorkers } from './support/worker-machines.ts';

const SOON = 30_000;

/** Units in their own workspaces, each of which merges its work. */
const SPREAD = `import { defineWorkflow } from 'troupe';
const part = defineWorkflow({
  name: 'part',
  inputs: { name: 'string' },
  states: {
    start: { work: { kind: 'command', command: "'echo made > ' + common_data.name + '.txt'" }, transitions: ['home'] },
    home: { work: { kind: 'merge', agent: null }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
export const spread = defineWorkflow({
  name: 'spread',
  data: { names: ['a', 'b', 'c', 'd', 'e', 'f'] },
  states: {
    start: {
      work: {
        kind: 'pool',
        items: 'common_data.names',
        work: { kind: 'call', workflow: part, input: { name: 'item' }, workspace: 'own' },
        slots: 6,
      },
      transitions: ['done'],
    },
    done: { kind: 'end', output: "'all home'" },
  },
});
`;

const write = (path: string, content: string) => ({ name: 'write_file', arguments: { path, content } });

const SECOND = [{ tools: [write('src/second.txt', 'second\n')] }, { say: 'Done.' }];

async function startModel(again: readonly unknown[] = SECOND): Promise<ScriptedServer> {
  const start = [{ tools: [write('src/made.txt', 'made by the run\n')] }, { say: 'Written.' }];
  const parsed = parseScenario([
    { when: { state: 'start' }, steps: start },
    { when: { state: 'again' }, steps: again },
  ]);
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  const server = await startScriptedServer({ scenario: parsed.scenario });
  onTestFinished(() => server.close());
  return server;
}

describe.skipIf(!hasServer())('a project that no worker has', { timeout: 90_000 }, () => {
  let cluster: TestCluster;
  let environment: { readonly TROUPE_JOURNAL: string };
  beforeAll(async () => {
    cluster = await startCluster();
  });
  beforeEach(async () => {
    environment = { TROUPE_JOURNAL: await cluster.database() };
  });
  afterAll(() => cluster?.dispose());

  /** A clone with work that is not committed. No model is configured there. */
  const laptop = (): Sandbox => gitProject({ '.troupe/config.yaml': 'models: {}\n', 'answers.yaml': '' });

  const workerWith = ({ url }: ScriptedServer): Promise<Running> =>
    startWorker(machineWith(configFor(url)), environment);

  test('[U8] its run works elsewhere, and the result arrives as a branch of the clone', async () => {
    const user = laptop();
    const model = await startModel();
    const workers = [await workerWith(model), await workerWith(model)];
    const followed = await user.troupe(['run', 'two_steps', 'Write it'], { environment });
    expect(followed).toMatchObject({ code: 0, stdout: 'Done.\n' });
    const [branch = ''] = /troupe\/\w+/.exec(followed.stderr) ?? [];
    expect(git(user, 'show', `${branch}:src/made.txt`)).toBe('made by the run\n');
    expect(git(user, 'show', `${branch}:src/kept.txt`)).toBe(KEPT);
    const status = git(user, 'status', '--porcelain')
      .split('\n')
      .map((line) => line.trim());
    expect(status.sort()).toEqual(['', '?? untracked.txt', 'M src/other.txt']);
    await stopWorkers(workers);
  });

  test('[U8] a killed worker leaves the run to another, which has all files that the journal names', async () => {
    const user = laptop();
    const silent = await startModel([{ hang: true }]);
    const first = await workerWith(silent);
    const following = user.start(['run', 'two_steps', 'Write it', '--json'], { environment });
    const { run = '' } = JSON.parse((await following.lines.next()).value ?? '{}') as { readonly run?: string };
    await vi.waitFor(() => expect(JSON.stringify(silent.requests.at(-1)?.body)).toContain('one word'), SOON);
    const model = await startModel();
    const second = await workerWith(model);
    first.child.kill('SIGKILL');
    expect(await following.ended).toMatchObject({ code: 0 });
    const journal = await openPostgresJournal({ address: environment.TROUPE_JOURNAL });
    const drivers = (await driversOf(journal, runId(run))).get(runId(run));
    await journal.close();
    expect(drivers).toEqual([first.child.pid, second.child.pid, following.child.pid]);
    const branch = `troupe/${run}`;
    expect(git(user, 'show', `${branch}:src/made.txt`)).toBe('made by the run\n');
    expect(git(user, 'show', `${branch}:src/second.txt`)).toBe('second\n');
    // The first step was not done again.
    expect(model.requests.filter(({ body }) => !JSON.stringify(body).includes('one word'))).toEqual([]);
    await stopWorkers([second]);
  });

  test('[U8] without a follower the result waits, and is delivered and pushed when the user asks for it', async () => {
    const user = laptop();
    const remote = join(user.home, 'remote.git');
    git(user, 'init', '-q', '--bare', remote);
    git(user, 'remote', 'add', 'team', remote);
    const model = await startModel();
    const begun = await user.troupe(['run', 'two_steps', 'Write it', '--detach', '--json'], { environment });
    const run = String(jsonLines(begun.stdout)[0]?.['run']);
    const worker = await workerWith(model);
    const watched = await user.start(['watch', run], { environment }).ended;
    expect(watched.stderr).toContain(`troupe deliver ${run}`);
    expect(git(user, 'branch', '--list', 'troupe/*')).toBe('');
    const delivered = await user.troupe(['deliver', run, '--push', 'team'], { environment });
    expect(delivered).toMatchObject({ code: 0 });
    expect(delivered.stderr).toContain(`Pushed troupe/${run} to team.`);
    for (const place of [join(user.project, '.git'), remote])
      expect(git(user, '--git-dir', place, 'show', `troupe/${run}:src/made.txt`)).toBe('made by the run\n');
    await stopWorkers([worker]);
  });

  test('[U8] units on several workers bring their work home one after the other, and none is lost', async () => {
    const user = gitProject({ '.troupe/config.yaml': 'models: {}\n', 'spread.ts': SPREAD });
    const model = await startModel();
    const workers = [await workerWith(model), await workerWith(model)];
    const followed = await user.start(['run', 'spread.ts', '--json'], { environment }).ended;
    expect(followed.stderr).toBe('');
    expect(followed.code).toBe(0);
    const run = String(jsonLines(followed.stdout)[0]?.['run']);
    const files = git(user, 'diff', '--name-only', 'trunk', `troupe/${run}`).trim().split('\n');
    expect(files).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt']);
    await stopWorkers(workers);
  });

  test('[U8] without a worker the run waits and says so, and Ctrl-C leaves it to the workers', async () => {
    const user = laptop();
    const following = user.start(['run', 'two_steps', 'Write it'], { environment });
    const said = noted(following);
    await vi.waitFor(() => expect(said()).toMatch(/Run \w+ is queued: no worker is running/), SOON);
    const run = /Run (\w+) is queued/.exec(said())?.[1] ?? '';
    following.child.kill('SIGINT');
    const { code, stderr } = await following.ended;
    expect(code).toBe(130);
    expect(stderr).toContain(`The run continues without this terminal. Follow it with: troupe watch ${run}`);
    const worker = await workerWith(await startModel());
    expect(await user.start(['watch', run], { environment }).ended).toMatchObject({ code: 0 });
    const shown = await user.troupe(['show', run], { environment });
    expect(shown.stdout).toContain('ready to deliver');
    expect(shown.stdout).toContain(`troupe deliver ${run}`);
    await stopWorkers([worker]);
  });

  test('[U8] a stage workflow with functions of the project is refused before there is a run', async () => {
    const user = createSandbox({
      'newsletter.mjs': DOCUMENT_ALONE,
      'roles/editor/ROLE.md': 'You print.\n',
      'roles/writer/CLAUDE.md': 'You write.\n',
      'roles/critic/AGENTS.md': 'You judge.\n',
    });
    const refused = await user.troupe(['start', './newsletter.mjs', 'Write', '--detach'], { environment });
    expect(refused.stderr).toContain('WORKFLOW_NOT_SHARED');
    expect(refused.stderr).toContain('--journal local');
    expect((await user.troupe(['list', '--json'], { environment })).stdout).toContain('"items":[]');
  });
});
