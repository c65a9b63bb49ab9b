import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { PRINTED } from '../../src/protocol/operations/printed.ts';
import { scriptedProject, TWO_STEPS } from '../cli/projects.ts';
import { createSandbox, jsonLines, type Running, type Sandbox } from '../cli/sandbox.ts';

const SOON = 30_000;
/** Each one starts a process. */
const OFTEN = '*/3 * * * * *';

type Line = Readonly<Record<string, unknown>>;

test('[U8] a schedule without a shared journal is refused, and cron is named instead', async () => {
  const user = scriptedProject({});
  const refused = await user.troupe(['schedule', 'add', 'nightly', '--cron', '0 3 * * *', 'two_steps', 'Tidy']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('JOURNAL_NOT_SHARED');
  expect(refused.stderr).toContain('let cron call troupe run');
  for (const words of [['list'], ['remove', 'nightly']])
    expect((await user.troupe(['schedule', ...words])).stderr).toContain('JOURNAL_NOT_SHARED');
});

describe.skipIf(!hasServer())('schedules on a shared journal', { timeout: 90_000 }, () => {
  let cluster: TestCluster;
  let environment: { readonly TROUPE_JOURNAL: string };
  beforeAll(async () => {
    cluster = await startCluster();
  });
  beforeEach(async () => {
    environment = { TROUPE_JOURNAL: await cluster.database() };
  });
  afterAll(() => cluster?.dispose());

  const startWorker = async (sandbox: Sandbox): Promise<Running> => {
    const worker = sandbox.start(['worker', '--slots', '2', '--json'], { environment });
    const first = (await worker.lines.next()).value as string | undefined;
    expect(first ?? (await worker.ended).stderr).toContain('worker.started');
    return worker;
  };

  const stop = async ({ child, ended }: Running): Promise<void> => {
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  };

  const ask = async (user: Sandbox, ...words: readonly string[]) => await user.troupe(words, { environment });

  const lines = async (user: Sandbox, ...words: readonly string[]): Promise<readonly Line[]> => {
    const { code, stdout, stderr } = await ask(user, ...words, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const [answer] = jsonLines(stdout);
    expect(PRINTED[words[0] ?? '']?.some((schema) => schema.safeParse(answer).success)).toBe(true);
    return answer?.['items'] as readonly Line[];
  };

  const add = (user: Sandbox, ...more: readonly string[]) =>
    ask(user, 'schedule', 'add', 'nightly', '--cron', OFTEN, 'two_steps', ...more);

  test('[U8] a run begins in the project of a worker, with the files as they are then, and says which schedule began it', async () => {
    const user = scriptedProject({});
    const worker = await startWorker(user);
    const added = await add(user, 'Tidy', '--max-tokens', '5000', '--by', 'ann');
    expect(added).toMatchObject({ code: 0 });
    expect(added.stderr).toMatch(/nightly fires next at .* UTC/);
    const first = await vi.waitFor(async () => {
      const [listed] = await lines(user, 'list', '--status', 'settled');
      expect(listed).toMatchObject({ workflow: 'two_steps', outcome: 'ok', schedule: { name: 'nightly' } });
      return listed;
    }, SOON);
    const { run, schedule } = first ?? { run: '', schedule: null };
    expect((await ask(user, 'show', String(run))).stdout).toMatch(
      /^schedule +nightly, for \d{4}-\d\d-\d\d [\d:]+ UTC$/m,
    );
    expect((await ask(user, 'list')).stdout).toContain('· schedule nightly');
    const [shown] = jsonLines((await ask(user, 'show', String(run), '--json')).stdout);
    expect(shown).toMatchObject({
      schedule,
      input: { task: 'Tidy' },
      limits: { tokens: 5000 },
    });
    const changed = { ...TWO_STEPS, input: { name: 'other', type: 'string' } };
    writeFileSync(join(user.project, '.troupe/workflows/two_steps.json'), JSON.stringify(changed));
    // What was given when it was added does not fit any more.
    await vi.waitFor(async () => {
      const [line] = await lines(user, 'schedule', 'list');
      expect(line).toMatchObject({ name: 'nightly', by: 'ann', workflow: 'two_steps' });
      expect(JSON.stringify(line?.['last'])).toContain('"reason":"');
    }, SOON);
    expect((await ask(user, 'schedule', 'list')).stdout).toContain('nightly');
    const removed = await ask(user, 'schedule', 'remove', 'nightly', '--json');
    expect(jsonLines(removed.stdout)).toEqual([{ kind: 'schedule.removed', name: 'nightly' }]);
    expect(await lines(user, 'schedule', 'list')).toEqual([]);
    await stop(worker);
  });

  test('[U8] while no worker has the project, a firing waits and the list says for what', async () => {
    const user = scriptedProject({});
    const elsewhere = await startWorker(createSandbox());
    expect(await add(user, 'Tidy')).toMatchObject({ code: 0 });
    const id = `project name:${basename(user.project)}`;
    await vi.waitFor(async () => {
      const [line] = await lines(user, 'schedule', 'list');
      expect(line).toMatchObject({ queued: { kind: 'lacks', text: `no worker offers ${id}` } });
    }, SOON);
    expect((await ask(user, 'schedule', 'list')).stdout).toContain(`waiting: no worker offers ${id}`);
    expect(await lines(user, 'list')).toEqual([]);
    const worker = await startWorker(user);
    expect((await ask(user, 'workers')).stdout).toContain('project name:');
    await vi.waitFor(async () => expect((await lines(user, 'list')).length).toBeGreaterThan(0), SOON);
    await ask(user, 'schedule', 'remove', 'nightly');
    await Promise.all([stop(worker), stop(elsewhere)]);
  });

  test('[U8] what cannot be used is refused, each with what to do, and no schedule is left', async () => {
    const user = scriptedProject({});
    const plain = ['schedule', 'add', 'nightly', '--cron', '0 3 * * *', 'two_steps', 'Tidy'];
    expect((await ask(user, ...plain)).stderr).toContain('WORKERS_NONE');
    expect(await lines(user, 'schedule', 'list')).toEqual([]);
    const worker = await startWorker(createSandbox());
    const refusals = [
      [['schedule', 'add', 'nightly', '--cron', '0 25 * * *', 'two_steps', 'Tidy'], 'SCHEDULE_INVALID'],
      [['schedule', 'add', 'nightly', '--cron', 'daily', 'two_steps', 'Tidy'], 'SCHEDULE_INVALID'],
      [[...plain, '--time-zone', 'Mars/Olympus'], 'SCHEDULE_INVALID'],
      [['schedule', 'add', 'nightly', '--cron', '0 3 * * *', 'no-such.yaml', 'Tidy'], 'no-such.yaml'],
      [['schedule', 'add', 'nightly', '--cron', '0 3 * * *', 'two_steps', '--input', 'other=1'], 'INPUT_INVALID'],
      [['schedule', 'add', 'Night ly', '--cron', '0 3 * * *', 'two_steps', 'Tidy'], 'REQUEST_INVALID'],
      [['schedule', 'add', 'nightly', 'two_steps', 'Tidy'], 'USAGE'],
      [['schedule', 'remove', 'nightly'], 'SCHEDULE_UNKNOWN'],
      [['schedule', 'rename', 'nightly'], 'USAGE'],
    ] as const;
    for (const [words, code] of refusals) {
      const refused = await ask(user, ...words);
      expect([words, refused.code === 0, refused.stderr.includes(code)]).toEqual([words, false, true]);
    }
    const outside = createSandbox();
    expect((await ask(outside, ...plain)).stderr).toContain('troupe init');
    expect(await lines(user, 'schedule', 'list')).toEqual([]);
    expect(await ask(user, ...plain)).toMatchObject({ code: 0 });
    expect((await ask(user, ...plain)).stderr).toContain('SCHEDULE_EXISTS');
    expect(await lines(user, 'schedule', 'list')).toMatchObject([{ name: 'nightly', cron: '0 3 * * *', waiting: 0 }]);
    await stop(worker);
  });
});
