import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runningWith } from '../../src/tools/testing/test-folder.ts';
import { filesHolding } from '../attacks/support/store-content.ts';
import { echoingServer } from './echoing-server.ts';
import { PAGES_SERVER } from './pages-server.ts';
import { scriptedProject } from './projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

const KEY = `k-${randomBytes(12).toString('hex')}`;
const environment = { PAGES_KEY: KEY };

const servers = (mark = 'pages'): string =>
  `mcp:\n  pages: { command: [node, ./servers/pages.mjs, ${mark}], env: [PAGES_KEY] }\n`;

const calling = (...tools: readonly string[]): string => `
rules:
  - when: { state: start }
    steps:
${tools.map((name) => `      - tools: [{ name: ${name}, arguments: { name: home } }]`).join('\n')}
      - Read.
  - reply: Done.
`;

const COUNT = `export const tool = {
  name: 'count_words', description: 'Counts.', parameters: { type: 'object' }, repeat: 'safe', run: () => '1',
};
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
  sandbox.write('.troupe/tools/count.mjs', COUNT);
  await sandbox.troupe(['trust', '--yes'], { environment });
  expect((await sandbox.troupe(['doctor'], { environment })).stdout).toMatch(/^ok +mcp +pages: 2 tools$/m);
  expect((await sandbox.troupe(['check', '.troupe/config.yaml'], { environment })).stdout).toMatch(/config\.yaml: ok/);
  const shown = async (role: string): Promise<string> =>
    (await sandbox.troupe(['prompt', 'show', role], { environment })).stderr;
  expect(await shown('worker')).toContain('count_words, mcp__pages__page, mcp__pages__wait');
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

test('[A9] a pattern for a server that is not configured is an error with its line and the one that was meant', async () => {
  const sandbox = project(servers());
  const write = (pattern: string): void => {
    const worker = { systemMessage: 'You work.', includedTools: ['read_file', pattern] };
    sandbox.write('.troupe/roles/roles.json', JSON.stringify({ worker }, null, 2));
  };
  const said = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await sandbox.troupe(words, { environment });
    return { code, text: stdout + stderr };
  };
  const refused = {
    code: 2,
    text: expect.stringMatching(
      /roles\.json:6:7 +MCP_UNKNOWN +The role "worker" names "mcp__page__\*", but no MCP server named "page" is configured\.[^]*Did you mean "pages"\?/,
    ) as string,
  };
  write('mcp__page__*');
  // Also before the user trusted the configuration.
  expect(await said('check', '.troupe/roles/roles.json')).toEqual(refused);
  await said('trust', '--yes');
  expect(await said('check', '.troupe/workflows/two_steps.json')).toEqual(refused);
  expect(await said('run', 'two_steps', 'x')).toEqual(refused);
  write('mcp__pages__*');
  expect(await said('check', '.troupe/roles/roles.json')).toMatchObject({ code: 0 });
  expect((await said('prompt', 'show', 'worker')).text).toContain('read_file, mcp__pages__page, mcp__pages__wait');
});

test('[F62] [F69] keys for a server’s address stand in no output, no trace and no file of the engine, though it says them', async () => {
  const [inVariable, inHeader, inAddress] = ['v', 'h', 'a'].map((mark) => `${mark}-${randomBytes(12).toString('hex')}`);
  const { url, asked } = await echoingServer();
  const place = `url: "${url}/mcp?token=${inAddress}", api_key_env: FAR_KEY, headers: { x-api-key: ${inHeader}, x-team: red }`;
  const sandbox = project(`mcp:\n  far: { ${place} }\n`, calling('mcp__far__page', 'mcp__far__broken'));
  const said = async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await sandbox.troupe(words, { environment: { FAR_KEY: inVariable ?? '' } });
    return stdout + stderr;
  };
  const outputs = [
    await said('trust', '--yes'),
    await said('run', 'two_steps', 'x', '--json'),
    await said('logs', 'last', '--json'),
    await said('show', 'last', '--json'),
    await said('prompt', 'trace', 'last', '--call', '3', '--raw'),
    await said('doctor'),
  ];
  const [trusted, , logs, , trace] = outputs;
  expect(asked.some(({ headers }) => headers['x-api-key'] === inHeader)).toBe(true);
  expect(trusted).toContain('the header x-api-key: (not shown), the header x-team: red');
  expect(logs).toMatch(/Result: \[[^]*redacted[^]*refused the call: [^]*redacted/);
  expect(trace).toMatch(/Sent: \[[^]*redacted/);
  for (const key of [inVariable, inHeader, inAddress]) {
    expect(outputs.filter((text) => text.includes(key ?? ''))).toEqual([]);
    expect(filesHolding(sandbox.home, key ?? '')).toEqual([]);
  }
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
  await vi.waitFor(() => expect(runningWith(mark)).toEqual([]), { timeout: 30_000, interval: 20 });
});
