import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { PAGES_SERVER } from '../cli/pages-server.ts';
import { scriptedProject } from '../cli/projects.ts';
import { jsonLines, type Running, type Sandbox } from '../cli/sandbox.ts';
import { machineWith, startWorker, stopWorkers } from './support/worker-machines.ts';

const SOON = 30_000;

/** The laptop does not have it. */
const KEY = `k-${randomBytes(12).toString('hex')}`;

const ANSWERS = `
rules:
  - when: { state: start }
    steps:
      - tools: [{ name: mcp__pages__page, arguments: { name: home } }]
      - Read.
  - reply: Done.
`;

describe.skipIf(!hasServer())('the MCP servers that a run needs', { timeout: 90_000 }, () => {
  let cluster: TestCluster;
  let environment: { readonly TROUPE_JOURNAL: string };
  beforeAll(async () => {
    cluster = await startCluster();
  });
  beforeEach(async () => {
    environment = { TROUPE_JOURNAL: await cluster.database() };
  });
  afterAll(() => cluster?.dispose());

  /** No model and no server is configured there. */
  const laptop = (role: Readonly<Record<string, unknown>>): Sandbox =>
    scriptedProject({
      '.troupe/config.yaml': 'models: {}\n',
      '.troupe/roles/roles.json': JSON.stringify({ worker: { systemMessage: 'You work.', ...role } }),
    });

  const worker = async (hasPages: boolean): Promise<Running> => {
    const machine = machineWith('');
    const scenario = machine.write('answers.yaml', ANSWERS);
    const server = machine.write('servers/pages.mjs', PAGES_SERVER);
    const model = `models: { base: { provider: scripted, scenario: ${scenario} } }\n`;
    const pages = `mcp: { pages: { command: [node, ${server}, there], env: [PAGES_KEY] } }\n`;
    machine.write('../home/.config/troupe/config.yaml', hasPages ? model + pages : model);
    return await startWorker(machine, { ...environment, PAGES_KEY: KEY });
  };

  const calls = (stdout: string): readonly unknown[] =>
    jsonLines(stdout).flatMap((line) => (line['kind'] === 'tool.finished' ? [line['content']] : []));

  test('[U8] [A9] make it wait with the reason, until a worker offers them', async () => {
    const user = laptop({ includedTools: ['mcp__pages__*'] });
    const without = await worker(false);
    const following = user.start(['run', 'two_steps', 'Read', '--json'], { environment });
    let said = '';
    following.child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await vi.waitFor(() => expect(said).toMatch(/Run \w+ is queued: no worker offers server pages\./), SOON);
    const list = await user.troupe(['list'], { environment });
    expect(list.stdout).toContain('no worker offers server pages');
    const having = await worker(true);
    expect((await user.troupe(['workers'], { environment })).stdout).toContain('server pages');
    const { code, stdout } = await following.ended;
    expect(code).toBe(0);
    expect(calls(stdout)).toEqual([expect.stringMatching(/^Page home for \[/)]);
    expect(stdout).not.toContain(KEY);
    await stopWorkers([without, having]);
  });

  test('[U8] [A9] are all that its agents are offered, whatever its worker has', async () => {
    const user = laptop({});
    const having = await worker(true);
    const { code, stdout, stderr } = await user.start(['run', 'two_steps', 'Read', '--json'], { environment }).ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(calls(stdout)).toEqual([expect.stringContaining('There is no tool "mcp__pages__page"')]);
    await stopWorkers([having]);
  });
});
