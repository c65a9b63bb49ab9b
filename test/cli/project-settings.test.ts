import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASKING, scriptedProject, TWO_STEPS } from './projects.ts';
import { jsonLines } from './sandbox.ts';

test('[SM7] --model gives a level another configured model, also for levels that fall back', async () => {
  const sandbox = scriptedProject({
    '.troupe/config.yaml':
      'models:\n  base: { provider: scripted, scenario: answers.yaml }\n  other: { provider: scripted, scenario: other.yaml }\n',
    'other.yaml': 'rules: [{ reply: From the other one. }]',
  });
  expect((await sandbox.troupe(['run', 'two_steps', 'x', '--model', 'base=other'])).stdout).toBe(
    'From the other one.\n',
  );
  const unknown = await sandbox.troupe(['run', 'two_steps', 'x', '--model', 'base=othr']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('Did you mean "other"?');
});

test('[U1] the project is the nearest folder upwards with a .troupe', async () => {
  const sandbox = scriptedProject({ 'deep/er/file.txt': '' });
  const result = await sandbox.troupe(['run', 'two_steps', 'x'], { folder: join(sandbox.project, 'deep/er') });
  expect(result).toMatchObject({ code: 0, stdout: 'Done.\n' });
});

test("[U1] the user's own configuration lies below the project's", async () => {
  const sandbox = scriptedProject({ '.troupe/config.yaml': 'limits: { max_iterations: 5 }\n' });
  sandbox.write(
    '../home/.config/troupe/config.yaml',
    `models:\n  base: { provider: scripted, scenario: ${join(sandbox.project, 'answers.yaml')} }\n`,
  );
  expect(await sandbox.troupe(['run', 'two_steps', 'x'])).toMatchObject({ code: 0, stdout: 'Done.\n' });
});

test('[U1] input comes as a word, as fields, from a file or from standard input', async () => {
  const sandbox = scriptedProject({
    'answers.yaml': 'rules: [{ reply: Fine. }]',
    'input.json': '{ "task": "from a file" }',
    'input.txt': 'from a text',
  });
  const inputOf = async (words: readonly string[], stdin = ''): Promise<unknown> => {
    const result = await sandbox.troupe(['run', 'two_steps', ...words, '--json'], { stdin });
    return jsonLines(result.stdout)[0]?.['input'];
  };
  expect(await inputOf(['a word'])).toEqual({ task: 'a word' });
  expect(await inputOf(['--input', 'task=a field = b', '--no-input'])).toEqual({ task: 'a field = b' });
  expect(await inputOf(['--input-file', 'input.json'])).toEqual({ task: 'from a file' });
  expect(await inputOf(['--input-file', 'input.txt'])).toEqual({ task: 'from a text' });
  expect(await inputOf(['-'], 'piped')).toEqual({ task: 'piped' });
});

test('[SM1] a file may hold several workflows: the first is run, or the one named behind #', async () => {
  const second = { ...TWO_STEPS, workflow_name: 'second', states: TWO_STEPS.states.map((state) => state) };
  const sandbox = scriptedProject({ 'other/many.json': JSON.stringify([TWO_STEPS, second]) });
  const nameOf = async (file: string): Promise<unknown> =>
    jsonLines((await sandbox.troupe(['run', file, 'x', '--json'])).stdout)[0]?.['workflow'];
  expect(await nameOf('other/many.json')).toBe('two_steps');
  expect(await nameOf('other/many.json#second')).toBe('second');
  const third = await sandbox.troupe(['run', 'other/many.json#thrid', 'x']);
  expect(third.code).toBe(2);
});

test('[SM8] notify runs a command when a run settles and when it asks', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING });
  sandbox.write(
    '.troupe/config.yaml',
    `models:\n  base: { provider: scripted, scenario: answers.yaml }\nnotify: echo "$TROUPE_RUN $TROUPE_STATUS $TROUPE_OUTCOME $TROUPE_QUESTION" >> ${sandbox.project}/told\n`,
  );
  await sandbox.troupe(['trust', '--yes']);
  await sandbox.troupe(['run', 'two_steps', 'x']);
  await sandbox.troupe(['run', 'asking.ts']);
  const notified = sandbox.read('told').trim().split('\n');
  expect(notified[0]).toMatch(/^\w+ settled ok\s*$/);
  expect(notified[1]).toMatch(/^\w+ waiting blocked Which colour\?$/);
});

test('[PH6] how often calls are tried again can be configured', async () => {
  const failing = 'rules: [{ reply: { status: 500 } }]';
  const config = 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n';
  const sandbox = scriptedProject({
    '.troupe/config.yaml': `${config}retry: { base_ms: 1, max_ms: 2, tries: { server: 3 } }\n`,
    'answers.yaml': failing,
  });
  const result = await sandbox.troupe(['run', 'two_steps', 'x', '--json']);
  expect(result.code).toBe(1);
  const lines = jsonLines(result.stdout);
  const failed = lines.filter((line) => line['kind'] === 'call.failed');
  expect(failed).toHaveLength(3);
  const waits = failed.slice(0, 2).map((line) => Number(line['retryAt']) - Number(line['at']));
  expect(Math.max(...waits)).toBeLessThanOrEqual(2);
  sandbox.write('.troupe/config.yaml', `${config}retry: { tries: { server: 1 } }\n`);
  const once = await sandbox.troupe(['run', 'two_steps', 'x', '--json']);
  expect(jsonLines(once.stdout).filter((line) => line['kind'] === 'call.failed')).toHaveLength(1);
});

test('[U3] the schema of the configuration knows the settings for retries', async () => {
  const { stdout } = await scriptedProject().troupe(['schema', 'config']);
  const schema = JSON.parse(stdout) as { readonly properties: { readonly retry: unknown } };
  expect(schema.properties.retry).toMatchObject({
    additionalProperties: false,
    properties: { tries: { additionalProperties: false, properties: { rate: { type: 'integer' } } } },
  });
});

const OWN_TOOL = `export const tool = {
  name: 'shout',
  description: 'Says it louder.',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  repeat: 'safe',
  run: async ({ text }) => ({ content: text.toUpperCase(), isError: false }),
};
`;

const SHOUTING = `
rules:
  - when: { state: start }
    steps:
      - tools: [{ name: shout, arguments: { text: hey } }]
      - Shouted.
  - reply: Done.
`;

test('[L8] code of the project runs only after it was trusted, and not once it has changed', async () => {
  const sandbox = scriptedProject({ '.troupe/tools/shout.ts': OWN_TOOL, 'answers.yaml': SHOUTING });
  const toolResult = async (): Promise<unknown> => {
    const result = await sandbox.troupe(['run', 'two_steps', 'x', '--json']);
    return jsonLines(result.stdout).find((line) => line['kind'] === 'tool.finished')?.['content'];
  };
  expect(await toolResult()).not.toBe('HEY');
  expect((await sandbox.troupe(['trust', '--yes'])).stdout).toContain('.troupe/tools/shout.ts');
  expect(await toolResult()).toBe('HEY');
  sandbox.write('.troupe/tools/shout.ts', `${OWN_TOOL}// changed\n`);
  expect(await toolResult()).not.toBe('HEY');
});

test('[L8] a TypeScript workflow of the project is found by name only once the project is trusted', async () => {
  const sandbox = scriptedProject({ '.troupe/workflows/asking.ts': ASKING });
  expect((await sandbox.troupe(['run', 'asking'])).code).toBe(2);
  await sandbox.troupe(['trust', '--yes']);
  expect((await sandbox.troupe(['run', 'asking'])).code).toBe(3);
  await sandbox.troupe(['trust', '--revoke']);
  expect((await sandbox.troupe(['run', 'asking'])).code).toBe(2);
});

const WRITING = `
rules:
  - when: { state: start }
    steps:
      - tools: [{ name: write_file, arguments: { path: made/by-agent.txt, content: made } }]
      - Written.
  - reply: Done.
`;

test("[U1] agents write in the run's own folder; --out copies what they made, the project stays as it was", async () => {
  const sandbox = scriptedProject({ 'answers.yaml': WRITING });
  const result = await sandbox.troupe(['run', 'two_steps', 'x', '--out', 'results', '--json']);
  expect(result.code).toBe(0);
  expect(sandbox.read('results/made/by-agent.txt')).toBe('made');
  expect(existsSync(join(sandbox.project, 'made'))).toBe(false);
  const folder = String(jsonLines(result.stdout).at(-1)?.['folder']);
  expect(folder.startsWith(sandbox.home)).toBe(true);
  expect(existsSync(join(folder, 'made/by-agent.txt'))).toBe(true);
  expect((await sandbox.troupe(['show', 'last'])).stdout).toContain(folder);
  const again = ['run', 'two_steps', 'x', '--out', 'results'];
  expect(await sandbox.troupe(again)).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing to copy') });
  sandbox.write('results/made/by-agent.txt', 'mine');
  const left = await sandbox.troupe(again);
  expect(left.code).toBe(1);
  expect(left.stderr).toContain(
    'left results/made/by-agent.txt: it is there already with other content.\n1 file was left',
  );
  expect(sandbox.read('results/made/by-agent.txt')).toBe('mine');
});
