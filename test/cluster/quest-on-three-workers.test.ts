import { chmodSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import type { StoredRecord } from '../../src/core/record/stored-record.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import type { PostgresJournal } from '../../src/journal/postgres/shared-journal.ts';
import { startLossyProxy, type LossyProxy } from '../../src/journal/postgres/testing/lossy-proxy.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { git } from '../cli/file-projects.ts';
import { configFor } from '../cli/projects.ts';
import { root as repository, type Running, type Sandbox } from '../cli/sandbox.ts';
import { hasTerminal, openTerminal } from '../cli/typed.ts';
import { processesWith } from '../clients/client-rig.ts';
import { entry, tab, useBrowser } from '../web/page/browser.ts';
import { CHROMIUM } from '../web/page/chromium-program.ts';
import { heldModel, type HeldModel } from '../web/page/held-model.ts';
import { serve } from '../web/server/served.ts';
import { driversOf, machineWith, startWorker, stopWorkers } from './support/worker-machines.ts';

const SOON = { timeout: 90_000, interval: 100 };

/** So long one worker is cut off at least. The long proof takes a minute; without it, events end the silence. */
const CUT_OFF_MS = Number(process.env['TROUPE_CUT_OFF_MS'] ?? 0);

/** What the chapter's example asks for, and what its person answers. */
const [, EXAMPLE = ''] =
  /^```sh\n(.*?)^```$/ms.exec(readFileSync(join(repository, 'docs/guide/quests.md'), 'utf8')) ?? [];
const quoted = (command: string): string => new RegExp(`^${command} "(.+)"$`, 'm').exec(EXAMPLE)?.[1] ?? '';
const REQUEST = quoted('troupe quest new');
const ANSWER = quoted('troupe quest answer');

const STEPS = ['header', 'rows', 'quotes', 'option', 'separator'];
const ALL = [...STEPS, 'manual'];

const tool = (name: string, given: object): object => ({ tools: [{ name, arguments: given }] });

const signal = (stepId: string, more: object = { signal: 'complete', summary: `did ${stepId}` }): object =>
  tool('signal_back', { stepId, ...more });

/** A program that each machine has, and that is another one on each. */
const DRAFT = tool('execute_terminal', { command: 'draft' });

/** Writes into the files of its step until it is stopped. */
const ENDLESS = 'while true; do echo late >> late.txt; sleep 0.1; done';

const weaves = (step: string, content = step): object[] => [
  tool('write_file', { path: `${step}.txt`, content: `${content}\n` }),
  signal(step),
];

/** Five steps that need nothing of each other, of which one asks a person, and one that needs them all. */
const SCENARIO = JSON.stringify({
  rules: [
    {
      when: { role: 'chaoswhisperer', contains: REQUEST },
      reply: tool('set_requirements', {
        requirements: ['It exports CSV.'],
        contexts: ['A program with an export.'],
        observables: ['A file opens as a table.'],
      }),
    },
    {
      when: { role: 'pathseeker' },
      reply: tool('plan_steps', {
        steps: ALL.map((id) => ({
          id,
          title: `Make the ${id}`,
          files: id === 'separator' ? [] : [`${id}.txt`],
          after: id === 'manual' ? STEPS : [],
          acceptance: ['it is there'],
        })),
      }),
    },
    {
      when: { role: 'codeweaver', contains: `A person answered: ${ANSWER}` },
      steps: weaves('separator', ANSWER),
    },
    {
      when: { role: 'codeweaver', contains: 'step is "separator"' },
      steps: [
        DRAFT,
        signal('separator', {
          signal: 'needs-user-input',
          question: 'Which separator?',
          context: 'Spreadsheets differ.',
        }),
      ],
    },
    ...STEPS.map((step) => ({
      when: { role: 'codeweaver', contains: `step is "${step}"` },
      steps: [DRAFT, ...weaves(step)],
    })),
    // Whichever worker does it: the one that was cut off is back by then.
    { when: { role: 'codeweaver', contains: 'step is "manual"' }, steps: weaves('manual') },
    ...ALL.map((step) => ({ when: { role: 'siegemaster', contains: `step is "${step}"` }, reply: signal(step) })),
    { when: { role: 'lawbringer' }, reply: signal('review') },
  ],
});

/** A clone, and no models. */
function laptop(settings = ''): Sandbox {
  const sandbox = machineWith(settings);
  sandbox.write('readme.txt', 'a program\n');
  git(sandbox, 'init', '-q', '-b', 'trunk');
  git(sandbox, 'add', '.');
  git(sandbox, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'first');
  return sandbox;
}

/** With its own model, and its own line to the database. */
interface Worker {
  readonly running: Running;
  readonly pid: number;
  readonly model: HeldModel;
  readonly link: LossyProxy;
  /** What `draft` is there. */
  readonly program: string;
}

async function openWorker(address: string, draft = 'true'): Promise<Worker> {
  const model = await heldModel(SCENARIO);
  const link = await startLossyProxy(address);
  onTestFinished(() => link.close());
  const machine = machineWith(configFor(model.url));
  const program = machine.write('../bin/draft', `#!/bin/sh\n${draft}\n`);
  chmodSync(program, 0o755);
  const running = await startWorker(machine, { TROUPE_JOURNAL: link.address, PATH: pathWith(program) });
  return { running, program, pid: running.child.pid ?? 0, model, link };
}

/** Who drives each run now, or drove it last. */
const holdersOf = async (journal: PostgresJournal, root: RunId): Promise<ReadonlyMap<RunId, number>> =>
  new Map([...(await driversOf(journal, root))].map(([run, by]) => [run, by.at(-1) ?? 0]));

/** Everything but that a worker looked whether there is something to do. */
const workIn = async (journal: PostgresJournal, root: RunId): Promise<readonly StoredRecord[]> =>
  (await journal.tree(root)).filter(({ fact }) => fact.kind !== 'run.resumed');

const pathWith = (program: string): string => `${dirname(program)}:${process.env['PATH'] ?? ''}`;

/** Of the worker, in the eyes of the others. */
const untilAlive = (journal: PostgresJournal, worker: Worker, isAlive: boolean): Promise<void> =>
  vi.waitFor(async () => {
    const found = (await journal.workers()).find(({ pid }) => pid === worker.pid);
    expect(found?.isAlive).toBe(isAlive);
  }, SOON);

const isPossible = hasServer() && CHROMIUM !== null && hasTerminal;

describe.skipIf(!isPossible)('the example of the guide on three workers', { timeout: 300_000 }, () => {
  const { open } = useBrowser();
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  test('[U8] it survives one that is killed and one that is cut off, is answered on the page, and its branch arrives where it was started', async () => {
    const address = await cluster.database();
    const environment = { TROUPE_JOURNAL: address };
    const workers = await Promise.all([openWorker(address), openWorker(address, ENDLESS), openWorker(address)]);
    const [killed, cutOff, left] = workers;
    const journal = await openPostgresJournal({ address });
    onTestFinished(() => journal.close());
    for (const { model } of [killed, left]) model.hold('codeweaver');
    const home = laptop();
    const terminal = openTerminal(home, `quest new "${REQUEST}" --slots 5`, { environment });

    // Two slots each: five units that are at work at once are on all three.
    await vi.waitFor(
      async () => expect(await journal.runs({ status: 'running' })).toHaveLength(1 + STEPS.length),
      SOON,
    );
    const [root = runId('')] = (await journal.runs({ parent: null })).map(({ run }) => run);
    const cutUnits = await vi.waitFor(async () => {
      const units = (await journal.tree(root)).flatMap(({ run, fact }) => (fact.kind === 'call.answered' ? [run] : []));
      const cut = new Set(units.filter((run) => run !== root));
      const held = killed.model.held('codeweaver') + left.model.held('codeweaver');
      expect(cut.size + held).toBe(STEPS.length);
      expect(processesWith(cutOff.program).length).toBeGreaterThan(0);
      return cut;
    }, SOON);
    expect(cutUnits.size).toBeGreaterThan(0);
    killed.running.child.kill('SIGKILL');
    cutOff.link.cut();
    const isOver = delay(CUT_OFF_MS);
    left.model.letGo('codeweaver');

    const context = await open();
    const served = await serve(home, [], { environment });
    const { page, errors } = await tab(context, entry(served, `/runs/${root}`));
    const question = page.getByRole('region', { name: 'Questions of this run' });
    await question.getByText('Which separator?').waitFor({ timeout: SOON.timeout });
    // By itself: nothing reaches it, and its commands would go on for ever.
    await vi.waitFor(() => expect(processesWith(cutOff.program)).toEqual([]), SOON);
    await vi.waitFor(() => expect(terminal.screen()).toMatch(/Your answer to \S*q1/), SOON);
    const moved = await holdersOf(journal, root);
    expect([...new Set(moved.values())]).toEqual([left.pid]);
    await isOver;

    const before = await workIn(journal, root);
    await untilAlive(journal, cutOff, false);
    cutOff.link.reconnect();
    await untilAlive(journal, cutOff, true);
    expect(await workIn(journal, root)).toEqual(before);

    await question.getByLabel('Your answer').fill(ANSWER);
    await question.getByRole('button', { name: 'Answer', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    expect([await terminal.ended, terminal.screen()]).toEqual([0, expect.stringContaining(`troupe/${root}`)]);
    expect(await journal.run(root)).toMatchObject({ outcome: 'ok' });
    await page.getByRole('region', { name: 'Outcome' }).getByText(/^Done/).first().waitFor();
    expect(errors).toEqual([]);
    const files = ALL.map((step) => `${step}.txt`);
    const branch = `troupe/${root}`;
    expect(git(home, 'ls-tree', '--name-only', branch).trim().split('\n')).toEqual(['readme.txt', ...files].sort());
    expect(git(home, 'show', `${branch}:separator.txt`)).toBe(`${ANSWER}\n`);

    const drivers = await driversOf(journal, root);
    const pids = workers.map(({ pid }) => pid);
    // The laptop delivered the result, and drove nothing else.
    expect(drivers.get(root)?.findIndex((pid) => !pids.includes(pid))).toBe((drivers.get(root)?.length ?? 0) - 1);
    drivers.delete(root);
    expect(pids).toEqual(expect.arrayContaining([...drivers.values()].flat()));
    const units = await journal.runs({ parent: root, status: 'settled' });
    expect(units.map(({ outcome }) => outcome)).toEqual(ALL.map(() => 'ok'));
    await stopWorkers([cutOff.running, left.running]);

    const alone = laptop(configFor(left.model.url));
    const withProgram = { environment: { PATH: pathWith(left.program) } };
    expect(await alone.troupe(['quest', 'new', REQUEST, '--json'], withProgram)).toMatchObject({ code: 3 });
    expect(await alone.troupe(['quest', 'answer', ANSWER, '--json'], withProgram)).toMatchObject({ code: 0 });
    expect(await alone.troupe(['deliver', 'last', '--branch', 'alone', '--json'])).toMatchObject({ code: 0 });
    const treeOf = (one: Sandbox, name: string): string => git(one, 'rev-parse', `${name}^{tree}`);
    expect(treeOf(alone, 'alone')).toBe(treeOf(home, branch));
  });
});
