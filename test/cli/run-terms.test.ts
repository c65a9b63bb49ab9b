import { expect, test } from 'vitest';
import { writingProject } from './file-projects.ts';
import { ASK_THEN_WORK } from './projects.ts';
import { jsonLines, strongestLevel, type Sandbox } from './sandbox.ts';

const WORK = `
rules:
  - when: { state: work }
    steps:
      - tools: [{ name: write_file, arguments: { path: src/made.txt, content: "made\\n" } }]
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

test('[R1] a run that another process answers is verified and applied as it was asked for when it started', async () => {
  const sandbox = askingProject();
  const run = await asked(sandbox, '--apply', '--verify', 'test -e src/made.txt');
  const answered = await sandbox.troupe(['answer', run, 'red']);
  expect([answered.code, sandbox.read('src/made.txt')]).toEqual([0, 'made\n']);
  expect(answered.stderr).toContain(`undo:  troupe rollback ${run}`);
  expect(await facts(sandbox, run, 'delivery.started')).toMatchObject([{ verify: 'test -e src/made.txt' }]);
  expect((await sandbox.troupe(['logs', run])).stdout).toContain('put the changes into the project');
});

test('[R1] the check of a run that another process answers is not forgotten', async () => {
  const sandbox = askingProject();
  const run = await asked(sandbox, '--apply', '--verify', 'exit 7');
  const answered = await sandbox.troupe(['answer', run, 'red']);
  expect(answered.code).toBe(3);
  expect(answered.stderr).toContain('the merged files do not pass `exit 7`');
  expect(() => sandbox.read('src/made.txt')).toThrow('ENOENT');
});

test.skipIf(strongestLevel === 'none')(
  '[R1] neither a setting nor the environment weakens the sandbox of a run, only a word on the command line, which is a record',
  async () => {
    const sandbox = askingProject();
    const first = await asked(sandbox, '--sandbox', strongestLevel);
    await sandbox.troupe(['answer', first, 'red'], { environment: { TROUPE_SANDBOX: 'none' } });
    const [kept] = jsonLines((await sandbox.troupe(['show', first, '--json'])).stdout);
    expect(kept).toMatchObject({ outcome: 'ok', sandbox: strongestLevel });
    const second = await asked(sandbox, '--sandbox', strongestLevel);
    await sandbox.troupe(['answer', second, 'red', '--sandbox', 'none']);
    expect(await facts(sandbox, second, 'run.resumed')).toMatchObject([
      { sandbox: 'none', changed: { from: strongestLevel } },
    ]);
  },
);
