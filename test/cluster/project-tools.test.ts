import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { scriptedProject } from '../cli/projects.ts';
import { jsonLines, type Running, type Sandbox } from '../cli/sandbox.ts';
import { machineWith, startWorker, stopWorkers } from './support/worker-machines.ts';

const ANSWERS = `
rules:
  - when: { state: start }
    steps:
      - tools: [{ name: count_words, arguments: { path: words.txt } }]
      - Counted.
  - reply: Done.
`;

/** Reads a file of the agent, by code and with data of its own folder. */
const COUNT = `import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineTool } from 'troupe';
import { words } from './_parts/words.mts';

const unit = readFileSync(join(import.meta.dirname, '_parts/unit.txt'), 'utf8').trim();

export const tool = defineTool<{ path: string }>({
  name: 'count_words',
  description: 'Counts words.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  access: 'read',
  repeat: 'safe',
  run: ({ path }, { folder }) => words(readFileSync(join(folder, path), 'utf8')).length + ' ' + unit,
});
`;

const TOOLS = {
  '.troupe/tools/count.ts': COUNT,
  '.troupe/tools/_parts/words.mts': `export const words = (text: string) => text.trim().split(/\\s+/);\n`,
  '.troupe/tools/_parts/unit.txt': 'words\n',
};

describe.skipIf(!hasServer())('the tools of a project that no worker has', { timeout: 90_000 }, () => {
  let cluster: TestCluster;
  let environment: { readonly TROUPE_JOURNAL: string };
  beforeAll(async () => {
    cluster = await startCluster();
  });
  beforeEach(async () => {
    environment = { TROUPE_JOURNAL: await cluster.database() };
  });
  afterAll(() => cluster?.dispose());

  /** No model is configured there. */
  const laptop = (): Sandbox =>
    scriptedProject({ '.troupe/config.yaml': 'models: {}\n', 'words.txt': 'one two three\n', ...TOOLS });

  const worker = async (): Promise<Running> => {
    const machine = machineWith('');
    const scenario = machine.write('answers.yaml', ANSWERS);
    machine.write(
      '../home/.config/troupe/config.yaml',
      `models: { base: { provider: scripted, scenario: ${scenario} } }`,
    );
    return await startWorker(machine, environment);
  };

  const run = (user: Sandbox) => user.start(['run', 'two_steps', 'Count', '--json'], { environment }).ended;

  const toolResults = (stdout: string): readonly unknown[] =>
    jsonLines(stdout).flatMap((line) => (line['kind'] === 'tool.finished' ? [line['content']] : []));

  test('[U8] [A9] travel with its run, and agents there call them', async () => {
    const user = laptop();
    await user.troupe(['trust', '--yes']);
    const workers = [await worker()];
    const { code, stdout, stderr } = await run(user);
    expect([code, stderr]).toEqual([0, '']);
    expect(toolResults(stdout)).toEqual(['3 words']);
    await stopWorkers(workers);
  });

  test('[U8] [L8] are those to which the user agreed when the run began, whatever the project holds later', async () => {
    const user = laptop();
    await user.troupe(['trust', '--yes']);
    const begun = await user.troupe(['run', 'two_steps', 'Count', '--detach', '--json'], { environment });
    const id = String(jsonLines(begun.stdout)[0]?.['run']);
    user.write('.troupe/tools/_parts/unit.txt', 'changed\n');
    const workers = [await worker()];
    const { stdout } = await user.start(['watch', id, '--json'], { environment }).ended;
    expect(toolResults(stdout)).toEqual(['3 words']);
    await stopWorkers(workers);
  });

  test('[U8] make it wait with the reason where they need what no worker has', async () => {
    const user = laptop();
    user.write('.troupe/tools/count.ts', COUNT.replace('access:', "labels: ['word-list'], access:"));
    await user.troupe(['trust', '--yes']);
    const workers = [await worker()];
    const begun = await user.troupe(['run', 'two_steps', 'Count', '--detach'], { environment });
    expect(begun.code).toBe(0);
    const list = await user.troupe(['list'], { environment });
    expect(list.stdout).toContain('queued · no worker offers label word-list');
    await stopWorkers(workers);
  });

  test('[U8] [L8] stay at home until the user agrees, and the run says so as it begins', async () => {
    const user = laptop();
    const workers = [await worker()];
    const { code, stdout, stderr } = await run(user);
    expect(stderr).toContain('the tools in .troupe/tools are not trusted and stay unused');
    expect(code).toBe(0);
    expect(toolResults(stdout)).toEqual([expect.stringContaining('There is no tool "count_words"')]);
    await stopWorkers(workers);
  });
});
