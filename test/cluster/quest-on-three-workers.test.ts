import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import type { PostgresJournal } from '../../src/journal/postgres/shared-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { git } from '../cli/file-projects.ts';
import { configFor } from '../cli/projects.ts';
import { createSandbox, jsonLines, type Running, type Sandbox } from '../cli/sandbox.ts';
import { heldModel, type HeldModel } from '../web/page/held-model.ts';
import { path, serve } from '../web/server/served.ts';
import { startLossyProxy, type LossyProxy } from '../../src/journal/postgres/testing/lossy-proxy.ts';

const SOON = { timeout: 60_000, interval: 100 };
const STEPS = ['words', 'bell', 'mat', 'lamp', 'door'];

const tool = (name: string, given: object): object => ({ tools: [{ name, arguments: given }] });

const signal = (stepId: string, more: object = { signal: 'complete', summary: `did ${stepId}` }): object =>
  tool('signal_back', { stepId, ...more });

const weaves = (step: string, content = step): object[] => [
  tool('write_file', { path: `${step}.txt`, content: `${content}\n` }),
  signal(step),
];

/** Five steps that need nothing of each other, of which one asks a person, and one that needs them all. */
const SCENARIO = JSON.stringify({
  rules: [
    {
      when: { role: 'chaoswhisperer' },
      reply: tool('set_requirements', {
        requirements: ['It greets people.'],
        contexts: ['A house.'],
        observables: ['A greeting is heard.'],
      }),
    },
    {
      when: { role: 'pathseeker' },
      reply: tool('plan_steps', {
        steps: [...STEPS, 'all'].map((id) => ({
          id,
          title: `Make the ${id}`,
          files: id === 'door' ? [] : [`${id}.txt`],
          after: id === 'all' ? STEPS : [],
          acceptance: ['it is there'],
        })),
      }),
    },
    { when: { role: 'codeweaver', contains: 'A person answered: blue' }, steps: weaves('door', 'blue') },
    {
      when: { role: 'codeweaver', contains: 'step is "door"' },
      reply: signal('door', { signal: 'needs-user-input', question: 'Which colour?', context: 'It is grey now.' }),
    },
    ...[...STEPS, 'all'].map((step) => ({
      when: { role: 'codeweaver', contains: `step is "${step}"` },
      steps: weaves(step),
    })),
    ...[...STEPS, 'all'].map((step) => ({
      when: { role: 'siegemaster', contains: `step is "${step}"` },
      reply: signal(step),
    })),
    { when: { role: 'lawbringer' }, reply: signal('review') },
  ],
});

/** A separate machine: a home, settings that name the model, and no project. */
function machine(model: HeldModel, files: Readonly<Record<string, string>> = {}): Sandbox {
  const sandbox = createSandbox(files);
  sandbox.write('../home/.config/troupe/config.yaml', configFor(model.url));
  return sandbox;
}

function laptop(model: HeldModel): Sandbox {
  const sandbox = machine(model, { 'readme.txt': 'a house\n' });
  git(sandbox, 'init', '-q', '-b', 'trunk');
  git(sandbox, 'add', '.');
  git(sandbox, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'first');
  return sandbox;
}

interface Worker {
  /** As the journal and `troupe workers` call it. */
  readonly name: RegExp;
  readonly running: Running;
  readonly link: LossyProxy;
}

async function startWorker(model: HeldModel, address: string): Promise<Worker> {
  const link = await startLossyProxy(address);
  onTestFinished(() => link.close());
  const running = machine(model).start(['worker', '--slots', '2', '--json'], {
    environment: { TROUPE_JOURNAL: link.address },
  });
  const first = await running.lines.next();
  if (first.done === true) throw new Error((await running.ended).stderr);
  expect(JSON.parse(first.value)).toMatchObject({ kind: 'worker.started' });
  return { name: new RegExp(`/${running.child.pid}$`), running, link };
}

/** Who drove each run of the tree, in the order in which they took it up. */
async function driversOf(journal: PostgresJournal, root: RunId): Promise<ReadonlyMap<RunId, readonly string[]>> {
  const drivers = new Map<RunId, string[]>();
  for (const { run, fact } of await journal.tree(root)) {
    if (fact.kind !== 'run.resumed') continue;
    drivers.set(run, [...(drivers.get(run) ?? []), fact.worker ?? '']);
  }
  return drivers;
}

describe.skipIf(!hasServer())('a quest on three workers', { timeout: 240_000 }, () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  test('[U8] survives one that is killed and one that is cut off; its branch arrives where it was started', async () => {
    const model = await heldModel(SCENARIO);
    const address = await cluster.database();
    const workers = await Promise.all([1, 2, 3].map(() => startWorker(model, address)));
    const journal = await openPostgresJournal({ address });
    onTestFinished(() => journal.close());
    const home = laptop(model);
    const environment = { TROUPE_JOURNAL: address };

    model.hold('codeweaver');
    const begun = home.start(['quest', 'new', 'Greet people at the door', '--slots', '5', '--json'], { environment });
    const first = await begun.lines.next();
    if (first.done === true) throw new Error((await begun.ended).stderr);
    const root = runId(String(jsonLines(first.value)[0]?.['run']));
    const atWork = await vi.waitFor(async () => {
      const drivers = await driversOf(journal, root);
      expect(drivers.size).toBe(1 + STEPS.length);
      return drivers;
    }, SOON);
    const drives = ({ name }: Worker): number =>
      [...atWork].filter(([run, by]) => run !== root && name.test(by.at(-1) ?? '')).length;
    const [killed, cutOff] = workers.toSorted((one, other) => drives(other) - drives(one));
    if (killed === undefined || cutOff === undefined) throw new Error('There are three workers.');
    expect(drives(cutOff)).toBeGreaterThan(0);
    killed.running.child.kill('SIGKILL');
    cutOff.link.cut();
    model.letGo('codeweaver');

    const page = await serve(home, [], { environment });
    const question = await vi.waitFor(async () => {
      const { body } = await page.get(path(root));
      const asked = (body['questions'] as { readonly id: string }[] | undefined) ?? [];
      expect(asked).toHaveLength(1);
      return asked[0]?.id;
    }, SOON);
    expect(await page.post(path(root, '/answer'), { question, text: 'blue' })).toMatchObject({ status: 200 });
    await vi.waitFor(async () => {
      const moved = await driversOf(journal, root);
      for (const by of moved.values()) expect(by.at(-1)).not.toMatch(killed.name);
    }, SOON);
    cutOff.link.reconnect();
    await vi.waitFor(async () => expect(await journal.run(root)).toMatchObject({ outcome: 'ok' }), SOON);
    await begun.ended;

    const delivered = await home.troupe(['deliver', root, '--branch', 'greeting', '--json'], { environment });
    expect(delivered).toMatchObject({ code: 0, stderr: '' });
    const files = [...STEPS, 'all'].map((step) => `${step}.txt`);
    expect(git(home, 'ls-tree', '--name-only', 'greeting').trim().split('\n')).toEqual(['readme.txt', ...files].sort());
    expect(git(home, 'show', 'greeting:door.txt')).toBe('blue\n');

    for (const by of (await driversOf(journal, root)).values()) {
      expect(workers.filter(({ name }) => by.some((one) => name.test(one))).length).toBeGreaterThan(0);
    }
    expect(await journal.runs({ parent: root, status: 'settled' })).toHaveLength(STEPS.length + 1);

    const alone = laptop(model);
    const asked = await alone.troupe(['quest', 'new', 'Greet people at the door', '--json']);
    expect(asked.code).toBe(3);
    expect((await alone.troupe(['quest', 'answer', 'blue', '--json'])).code).toBe(0);
    expect((await alone.troupe(['deliver', 'last', '--branch', 'greeting', '--json'])).code).toBe(0);
    const treeOf = (one: Sandbox): string => git(one, 'rev-parse', 'greeting^{tree}');
    expect(treeOf(alone)).toBe(treeOf(home));
  });
});
