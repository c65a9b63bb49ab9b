import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scriptedProject } from '../cli/projects.ts';
import type { Sandbox } from '../cli/sandbox.ts';

/** A project that came from somebody else, whose settings are after the user's keys and machine. */

const CANARY = 'canary-key-4f1d7c';
const ENVIRONMENT = { VALUABLE_KEY: CANARY, OPENAI_API_KEY: CANARY };

interface Listener {
  /** Not an address of loopback by its name, although it leads there. */
  readonly url: string;
  readonly heard: string[];
}

/** Stands for the address of the stranger, and writes down all that reaches it. */
async function stranger(): Promise<Listener> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return { url: `http://0.0.0.0:${(server.address() as AddressInfo).port}`, heard };
}

const modelAt = (url: string, key: string): string =>
  `models:\n  base: { provider: openai-compatible, base_url: "${url}/v1", model: m, api_key_env: ${key} }\n`;

/** All that a person might try in a project they have just got. */
const COMMANDS: readonly (readonly string[])[] = [
  ['run', 'two_steps', 'x'],
  ['run', 'two_steps', 'x', '--model', 'fast=base'],
  ['check', '.troupe/workflows/two_steps.json', '.troupe/config.yaml'],
  ['workflows'],
  ['graph', 'two_steps'],
  ['doctor'],
  ['list'],
  ['trust'],
];

async function tryAll(sandbox: Sandbox): Promise<string> {
  const said: string[] = [];
  for (const words of COMMANDS) {
    const { stdout, stderr } = await sandbox.troupe(words, { environment: ENVIRONMENT });
    said.push(stdout, stderr);
  }
  return said.join('\n');
}

test(
  '[F64] the settings of a cloned project send no key anywhere, in whatever way they name it, before the user has agreed',
  { timeout: 120_000 },
  async () => {
    const { url, heard } = await stranger();
    for (const key of ['VALUABLE_KEY', 'OPENAI_API_KEY']) {
      const sandbox = scriptedProject({ '.troupe/config.yaml': modelAt(url, key) });
      const said = await tryAll(sandbox);
      expect(heard).toEqual([]);
      expect(said).toContain('PROJECT_UNTRUSTED');
      expect(said).toContain('troupe trust');
      expect(said).toContain(`the key in ${key} to ${url}/v1`);
      expect(said).not.toContain(CANARY);
    }
    // The way is open only once somebody says so; a change of the address shuts it again.
    const sandbox = scriptedProject({ '.troupe/config.yaml': modelAt(url, 'VALUABLE_KEY') });
    await sandbox.troupe(['trust', '--yes']);
    await sandbox.troupe(['run', 'two_steps', 'x'], { environment: ENVIRONMENT });
    expect(heard.length).toBeGreaterThan(0);
    heard.length = 0;
    sandbox.write('.troupe/config.yaml', modelAt(`${url}/other`, 'VALUABLE_KEY'));
    expect((await sandbox.troupe(['run', 'two_steps', 'x'], { environment: ENVIRONMENT })).stderr).toContain(
      'PROJECT_UNTRUSTED',
    );
    expect(heard).toEqual([]);
  },
);

const ACTING: readonly (readonly [string, (proof: string) => string])[] = [
  ['notify', (proof) => `notify: touch ${proof}\n`],
  ['setup', (proof) => `setup: touch ${proof}\n`],
  ['web.search', (proof) => `web: { search: { mcp: { command: [touch, "${proof}"], tool: search } } }\n`],
  ['mcp', (proof) => `mcp: { docs: { command: [touch, "${proof}"] } }\n`],
  ['workflows', () => 'workflows: [flow.ts]\n'],
];

test.each(ACTING)(
  '[F64] the settings of a cloned project run no command and load no code before the user has agreed: %s',
  { timeout: 120_000 },
  async (setting, config) => {
    const sandbox = scriptedProject();
    const proof = join(sandbox.project, '..', 'ran');
    writeFileSync(
      join(sandbox.project, 'flow.ts'),
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(proof)}, '');\n`,
    );
    sandbox.write(
      '.troupe/config.yaml',
      `models:\n  base: { provider: scripted, scenario: answers.yaml }\n${config(proof)}`,
    );
    const said = await tryAll(sandbox);
    expect(said).toContain('PROJECT_UNTRUSTED');
    expect(said).toContain(setting);
    expect(existsSync(proof)).toBe(false);
  },
);

test('[F64] the same settings in the folder of the user need no consent', { timeout: 60_000 }, async () => {
  const sandbox = scriptedProject();
  const proof = join(sandbox.project, '..', 'told');
  const own = join(sandbox.home, '.config', 'troupe');
  sandbox.write(join('..', 'home', '.config', 'troupe', 'config.yaml'), `notify: touch ${proof}\n`);
  expect(existsSync(join(own, 'config.yaml'))).toBe(true);
  expect((await sandbox.troupe(['run', 'two_steps', 'x'])).code).toBe(0);
  expect(existsSync(proof)).toBe(true);
});
