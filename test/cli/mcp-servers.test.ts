import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runningWith } from '../../src/tools/test-folder.ts';
import { PAGES_SERVER } from './pages-server.ts';
import { scriptedProject } from './projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

const KEY = `k-${randomBytes(12).toString('hex')}`;
const environment = { PAGES_KEY: KEY };

const servers = (mark = 'pages'): string =>
  `mcp:\n  pages: { command: [node, ./servers/pages.mjs, ${mark}], env: [PAGES_KEY] }\n`;

const calling = (tool: string): string => `
rules:
  - when: { state: start }
    steps:
      - tools: [{ name: ${tool}, arguments: { name: home } }]
      - Read.
  - reply: Done.
`;

const MODEL = 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n';

const project = (config: string, scenario = calling('mcp__pages__page')): Sandbox =>
  scriptedProject({
    '.troupe/config.yaml': `${MODEL}${config}`,
    '.troupe/roles/roles.json': JSON.stringify({
      worker: { level: 'base', systemMessage: 'You work.' },
      reader: { level: 'base', systemMessage: 'You read.', mode: 'read' },
    }),
    'servers/pages.mjs': PAGES_SERVER,
    'answers.yaml': scenario,
  });

async function toolResult(sandbox: Sandbox): Promise<unknown> {
  const { stdout } = await sandbox.troupe(['run', 'two_steps', 'x', '--json'], { environment });
  return jsonLines(stdout).find((line) => line['kind'] === 'tool.finished')?.['content'];
}

test('[A9] [L8] the MCP servers of a project give agents tools once they are trusted, and not once their code has changed', async () => {
  const sandbox = project(servers());
  const refused = await sandbox.troupe(['run', 'two_steps', 'x'], { environment });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('PROJECT_UNTRUSTED') });
  const trusted = await sandbox.troupe(['trust', '--yes'], { environment });
  expect(trusted.stdout).toContain('mcp.pages runs ["node",');
  expect(trusted.stdout).toContain('gives it PAGES_KEY');
  expect(await toolResult(sandbox)).toMatch(/^Page home for \[.*\]$/);
  sandbox.write('servers/pages.mjs', `${PAGES_SERVER}// changed\n`);
  expect((await sandbox.troupe(['run', 'two_steps', 'x'], { environment })).stderr).toContain('PROJECT_UNTRUSTED');
});

test('[A9] the servers in the user’s own configuration act at once', async () => {
  const sandbox = project('');
  const file = join(sandbox.home, 'config', 'troupe', 'config.yaml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, servers().replace('./servers', `${sandbox.project}/servers`));
  const { stdout } = await sandbox.troupe(['run', 'two_steps', 'x', '--json'], {
    environment: { ...environment, XDG_CONFIG_HOME: join(sandbox.home, 'config') },
  });
  expect(stdout).toContain('Page home for [');
  expect(stdout).not.toContain(KEY);
});

test('[A9] doctor, check and prompt show say which tools there are, and a server that cannot start', async () => {
  const sandbox = project(servers());
  await sandbox.troupe(['trust', '--yes'], { environment });
  expect((await sandbox.troupe(['doctor'], { environment })).stdout).toMatch(/^ok +mcp +pages: 2 tools$/m);
  expect((await sandbox.troupe(['check', '.troupe/config.yaml'], { environment })).stdout).toMatch(/config\.yaml: ok/);
  const shown = async (role: string): Promise<string> =>
    (await sandbox.troupe(['prompt', 'show', role], { environment })).stderr;
  expect(await shown('worker')).toContain('mcp__pages__page, mcp__pages__wait');
  expect(await shown('reader')).not.toContain('mcp__pages');
  const unset = { environment: {} };
  const problem = 'mcp.pages.env in the configuration names PAGES_KEY, which the user has not set.';
  expect((await sandbox.troupe(['doctor'], unset)).stdout).toContain(problem);
  const checked = await sandbox.troupe(['check', '.troupe/config.yaml'], unset);
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining(`MCP_UNUSABLE  ${problem}`) });
  const run = await sandbox.troupe(['run', 'two_steps', 'x'], unset);
  expect(run.stderr).toContain(problem);
  expect(run.code).toBe(0);
});

test('[E55] a kill -9 of the engine takes its MCP servers with it', async () => {
  const mark = `pages-${randomBytes(6).toString('hex')}`;
  const sandbox = project(servers(mark), calling('mcp__pages__wait'));
  await sandbox.troupe(['trust', '--yes'], { environment });
  const { child, lines, ended } = sandbox.start(['run', 'two_steps', 'x', '--json'], { environment });
  for (;;) {
    const { value } = (await lines.next()) as { readonly value: string };
    if (value.includes('mcp__pages__wait')) break;
  }
  expect(runningWith(mark)).not.toEqual([]);
  child.kill('SIGKILL');
  await ended;
  await vi.waitFor(() => expect(runningWith(mark)).toEqual([]), { timeout: 1000, interval: 20 });
});
