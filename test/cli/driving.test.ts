import { expect, test, vi } from 'vitest';
import { scriptedProject } from './projects.ts';
import { jsonLines } from './sandbox.ts';

// `drive` speaks to the process that starts it, so it is one here, too.
vi.setConfig({ testTimeout: 60_000 });

const request = (order: object, more: object = {}): string =>
  JSON.stringify({ protocol: 1, by: 'ada', via: 'script', order, ...more });

test('[R2] troupe drive carries out one order from standard input, in the name that it gives', async () => {
  const sandbox = scriptedProject();
  const order = { kind: 'start', workflow: 'two_steps', input: { task: 'Write it' }, limits: { usd: 5 } };
  const { code } = await sandbox.start(['drive'], { stdin: request(order) }).ended;
  expect(code).toBe(0);
  const { stdout } = await sandbox.troupe(['show', 'last', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'settled', outcome: 'ok', title: 'Write it' });
  const records = (await sandbox.troupe(['watch', 'last', '--json'])).stdout;
  expect(records).toContain('"by":"ada"');
});

test('[R2] a request that is not whole, not known or of a newer version starts nothing and says why', async () => {
  const sandbox = scriptedProject();
  const start = { kind: 'start', workflow: 'two_steps', input: { task: 'x' } };
  const refused = [
    ['', 'REQUEST_INVALID'],
    ['{"words":["list"]}', 'REQUEST_INVALID'],
    [request({ ...start, sandbx: 'none' }), 'REQUEST_INVALID'],
    [request({ kind: 'prune' }), 'REQUEST_INVALID'],
    [request(start, { protocol: 2 }), 'PROTOCOL_NEWER'],
    [request({ kind: 'resume', run: 'nowhere' }), 'RUN_UNKNOWN'],
  ] as const;
  for (const [stdin, code] of refused) {
    const ended = await sandbox.start(['drive'], { stdin }).ended;
    expect([stdin, ended.code, ended.stderr.includes(code)]).toEqual([stdin, 2, true]);
  }
  expect(JSON.parse((await sandbox.troupe(['list', '--json'])).stdout)).toMatchObject({ items: [] });
});

test('[R2] a text of any length reaches a run that goes on in the background', async () => {
  const sandbox = scriptedProject();
  const task = `Write it. ${'ä'.repeat(200_000)}`;
  const { stdout } = await sandbox.troupe(['run', 'two_steps', '--detach', '-'], { stdin: task });
  await sandbox.troupe(['watch', stdout.trim()]);
  const view: unknown = JSON.parse((await sandbox.troupe(['show', stdout.trim(), '--json'])).stdout);
  expect(view).toMatchObject({ status: 'settled', input: { task } });
});

test('[R2] the journal names who did something to a run, for every verb', async () => {
  const sandbox = scriptedProject();
  const by = ['--by', 'grace'];
  await sandbox.troupe(['run', 'two_steps', 'Write it', ...by]);
  const forked = (await sandbox.troupe(['fork', 'last', '--at', 'again', '--no-run', '--detach', ...by])).stdout.trim();
  await sandbox.troupe(['pause', forked, ...by]);
  await sandbox.troupe(['resume', forked, ...by]);
  await sandbox.troupe(['rollback', forked, '--to', 'again', '--yes', ...by]);
  await sandbox.troupe(['cancel', forked, ...by]);
  const { stdout } = await sandbox.troupe(['watch', forked, '--json']);
  const named = jsonLines(stdout).filter((line) => 'by' in line);
  expect(named.map(({ kind, by: who }) => [kind, who])).toEqual([
    ['run.forked', 'grace'],
    ['run.paused', 'grace'],
    ['run.continued', 'grace'],
    ['run.resumed', 'grace'],
    ['run.rewound', 'grace'],
    ['run.cancelled', 'grace'],
    ['run.resumed', 'grace'],
  ]);
});
