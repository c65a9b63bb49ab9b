import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CallRequest } from '../../src/actors/port.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { Host } from '../../src/host/port.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { openMcp } from '../mcp/mcp-client.ts';
import { path, serve } from '../web/server/served.ts';
import { FilesBench, uses } from '../workspaces/bench.ts';
import { writingProject } from './file-projects.ts';
import { ASK_THEN_WORK } from './projects.ts';
import { jsonLines, strongestLevel, type Sandbox } from './sandbox.ts';

const WORK = `
rules:
  - when: { state: work }
    steps:
      - tools: [{ name: write_file, arguments: { path: src/made.txt, content: "made\\n" } }]
      - tools: [{ name: write_file, arguments: { path: .npmrc, content: "x\\n" } }]
      - say: Written.
`;

const askingProject = (): Sandbox => writingProject({ 'asking.ts': ASK_THEN_WORK, 'answers.yaml': WORK });

/** Starts it in the background and waits until it asks. */
async function asked(sandbox: Sandbox, ...words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await sandbox.troupe(['run', 'asking.ts', '--detach', ...words]);
  if (stdout === '') throw new Error(stderr);
  await sandbox.troupe(['watch', stdout.trim()]);
  return stdout.trim();
}

async function facts(
  sandbox: Sandbox,
  run: string,
  kind: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { stdout } = await sandbox.troupe(['logs', run, '--json']);
  return jsonLines(stdout).filter((fact) => fact['kind'] === kind);
}

const ORDER = ['--apply', '--verify', 'test -e src/made.txt', '--allow-steering', '--out', 'copied'];

/** Ways to answer from another process than the one that started the run. */
const ANSWERS: Readonly<Record<string, (sandbox: Sandbox, run: string) => Promise<void>>> = {
  'the command line': async (sandbox, run) => {
    const answered = await sandbox.troupe(['answer', run, 'red']);
    expect([answered.code, answered.stderr]).toEqual([0, expect.stringContaining(`undo:  troupe rollback ${run}`)]);
  },
  MCP: async (sandbox, run) => {
    const { call } = await openMcp(sandbox, { words: ['--allow-approvals'] });
    await call('answer_question', { run, question: 'q1', text: 'red' });
  },
  'the page': async (sandbox, run) => {
    const page = await serve(sandbox);
    expect((await page.post(path(run, '/answer'), { question: 'q1', text: 'red' })).status).toBe(200);
  },
};

test.for(Object.keys(ANSWERS))(
  '[R1] a run that is answered by %s is verified, applied once and copied as it was asked for when it started',
  { timeout: 90_000 },
  async (way) => {
    const sandbox = askingProject();
    const run = await asked(sandbox, ...ORDER);
    await ANSWERS[way]?.(sandbox, run);
    expect((await sandbox.troupe(['watch', run])).code).toBe(0);
    expect(['src/made.txt', '.npmrc', 'copied/src/made.txt'].map((file) => sandbox.read(file))).toEqual([
      'made\n',
      'x\n',
      'made\n',
    ]);
    expect(await facts(sandbox, run, 'delivery.started')).toMatchObject([{ verify: 'test -e src/made.txt' }]);
    expect(await facts(sandbox, run, 'delivery.finished')).toMatchObject([{ how: 'applied' }]);
    const whole = (await facts(sandbox, run, 'project.changed')).filter((fact) => 'tree' in fact);
    expect(whole).toHaveLength(1);
  },
);

test('[R1] the check of a run that another process answers is not forgotten', async () => {
  const sandbox = askingProject();
  const run = await asked(sandbox, '--apply', '--verify', 'exit 7');
  const answered = await sandbox.troupe(['answer', run, 'red']);
  expect(answered.code).toBe(3);
  expect(answered.stderr).toContain('the merged files do not pass `exit 7`');
  expect(() => sandbox.read('src/made.txt')).toThrow('ENOENT');
});

/** A run that asks and that this process drives, for other processes to speak to. */
async function drivenHere(sandbox: Sandbox): Promise<{ readonly host: Host; readonly project: string }> {
  const journal = await openSqliteJournal({ home: sandbox.home });
  onTestFinished(() => journal.close());
  const answer = ({ call }: CallRequest) =>
    call === 1 ? uses('write_file', { path: 'made.txt', content: 'made\n' }) : says('Written.');
  const bench = new FilesBench({ files: { 'a.txt': 'a\n' }, answer, journal });
  const { host } = bench.host({ owner: `${process.pid}/driver` });
  const definition = build({
    roles: { worker: {} },
    states: [
      work('start', { kind: 'ask', question: expression("'Go on?'"), choices: [] }, [to('work')]),
      work('work', turn('worker', "'Write it'"), [to('done')]),
      end('done'),
    ],
  });
  await host.start({ definition, input: {}, project: bench.project, run: DRIVEN });
  await host.rest(DRIVEN);
  return { host, project: bench.project };
}

const DRIVEN = runId('driven');

test('[R1] options of answer reach a run that another process drives, or are refused before the answer is given', async () => {
  const sandbox = askingProject();
  const { host, project } = await drivenHere(sandbox);
  const refused = await sandbox.troupe(['answer', DRIVEN, 'yes', '--sandbox', 'none', '--no-setup']);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('--sandbox, --no-setup would not reach it'),
  ]);
  expect((await host.rest(DRIVEN)).questions).toHaveLength(1);
  const answered = await sandbox.troupe(['answer', DRIVEN, 'yes', '--apply', '--verify', 'test -e made.txt']);
  expect([answered.code, answered.stderr]).toEqual([0, expect.stringContaining('Answered.')]);
  await vi.waitFor(async () => expect((await host.snapshot(DRIVEN)).delivery?.status).toBe('finished'), 30_000);
  expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('made\n');
  const [changed] = await facts(sandbox, DRIVEN, 'terms.changed');
  expect(changed).toMatchObject({ terms: { delivery: { to: { kind: 'apply' }, verify: 'test -e made.txt' } } });
});

/** The user's settings would leave commands without a sandbox. */
function withoutSandbox(sandbox: Sandbox): Sandbox {
  const folder = join(sandbox.home, '.config/troupe');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.yaml'), 'sandbox: none\n');
  return sandbox;
}

const NO_WISH = { environment: { TROUPE_SANDBOX: '' } };

test.skipIf(strongestLevel === 'none')(
  '[R1] neither a setting nor the environment weakens the sandbox of a run, only a word on the command line, which is a record',
  async () => {
    const sandbox = withoutSandbox(askingProject());
    const first = await asked(sandbox, '--sandbox', strongestLevel);
    await sandbox.troupe(['answer', first, 'red'], NO_WISH);
    const [kept] = jsonLines((await sandbox.troupe(['show', first, '--json'])).stdout);
    expect(kept).toMatchObject({ outcome: 'ok', sandbox: strongestLevel });
    const second = await asked(sandbox, '--sandbox', strongestLevel);
    await sandbox.troupe(['answer', second, 'red', '--sandbox', 'none']);
    expect(await facts(sandbox, second, 'run.resumed')).toMatchObject([
      { sandbox: 'none', changed: { from: strongestLevel } },
    ]);
  },
);

test.skipIf(strongestLevel === 'none')(
  '[R1] a check at a later merge runs in the sandbox of the run; a different one needs --sandbox and is in the record',
  async () => {
    const sandbox = withoutSandbox(askingProject());
    const run = await asked(sandbox, '--sandbox', strongestLevel);
    await sandbox.troupe(['answer', run, 'red']);
    const outside = join(sandbox.home, 'escaped');
    const merge = ['deliver', run, '--patch', 'one.patch', '--verify', `touch ${outside}; test -e src/made.txt`];
    expect((await sandbox.troupe(merge, NO_WISH)).code).toBe(0);
    expect(existsSync(outside)).toBe(false);
    await sandbox.troupe(['deliver', run, '--patch', 'two.patch', '--verify', 'true', '--sandbox', 'none'], NO_WISH);
    expect((await facts(sandbox, run, 'delivery.finished')).slice(1)).toMatchObject([
      { how: 'patch', check: { sandbox: strongestLevel } },
      { how: 'patch', check: { command: 'true', sandbox: 'none', from: strongestLevel } },
    ]);
    const weakened = `checked with \`true\` in the sandbox none instead of ${strongestLevel}`;
    for (const command of ['show', 'logs']) expect((await sandbox.troupe([command, run])).stdout).toContain(weakened);
    await sandbox.troupe(['deliver', run, '--apply', '--verify', 'true'], NO_WISH);
    expect((await sandbox.troupe(['show', run])).stdout).toContain(`with \`true\` in the sandbox ${strongestLevel}\n`);
  },
);
