import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { valueOrFault } from '../../source/checked.ts';
import type { Config } from './config.ts';
import { parseConfig } from './parse-config.ts';
import { powersOf, withoutPowers } from './powers.ts';

const read = (text: string, folder = '/project'): Config =>
  valueOrFault(parseConfig(text, { file: 'config.yaml', folder }), 'INTERNAL');

const modelWith = (more: string): string => `models: { base: { model: m, ${more} } }`;

test.each([
  ['setup: npm ci', 'setup', 'runs `npm ci`'],
  ['readable: /srv/data', 'readable', 'lets commands in the sandbox read /srv/data'],
  ['cluster: blue', 'cluster', 'opens your shared journal as cluster "blue"'],
  ['store: /mnt/troupe', 'store', 'puts the files of your runs, and the conversations of agents, into /mnt/troupe'],
  ['store: "postgres://me:hunter2@db.example/troupe"', 'store', 'into postgres://me@db.example/troupe'],
  ['notify: echo done', 'notify', 'runs `echo done` as you, without a sandbox'],
  [
    modelWith('provider: openai-compatible, base_url: "https://models.example/v1", api_key_env: MY_KEY'),
    'models.base',
    'and the key in MY_KEY to https://models.example/v1',
  ],
  [modelWith('provider: openai-compatible, base_url: "http://0.0.0.0:9/v1"'), 'models.base', 'to http://0.0.0.0:9/v1'],
  [modelWith('provider: anthropic, base_url: "http://127.0.0.1.evil.example"'), 'models.base', 'evil.example'],
  ['web: { search: { url: "https://s.example/?q={query}" } }', 'web.search', 'to https://s.example/?q={query}'],
  ['web: { search: { mcp: { command: [npx, it], tool: t, env: [K] } } }', 'web.search', 'runs ["npx","it"]'],
  ['web: { search: { mcp: { url: "https://s.example", tool: t } } }', 'web.search', 'to https://s.example'],
  ['mcp: { docs: { command: [npx, it], env: [K] } }', 'mcp.docs', 'runs ["npx","it"]'],
  [
    'mcp: { docs: { url: "http://127.0.0.1:9/", mode: read } }',
    'mcp.docs',
    'to http://127.0.0.1:9/, and offers all its',
  ],
  [
    'mcp: { docs: { url: "https://d.example/", api_key_env: K, headers: { x-team: red, x-api-key: c2VjcmV0 } } }',
    'mcp.docs',
    'to https://d.example/ with the key in K, the header x-team: red, the header x-api-key: (not shown), and offers',
  ],
  ['actors: { codex: { program: /opt/codex } }', 'actors.codex.program', 'runs /opt/codex as the agent codex'],
  ['actors: { claude-code: { program: bin/me } }', 'actors.claude-code.program', 'runs /project/bin/me as the agent'],
  [
    'actors: { acp: { it: { command: [npx, it], env: [K] } } }',
    'actors.acp.it',
    'runs ["npx","it"] as the agent acp:it',
  ],
  ['web: { allow: ["10.0.0.1:80"] }', 'web.allow', 'lets agents read from 10.0.0.1:80'],
])('[L8] %s needs the word of the user', (text, setting, does) => {
  const config = read(text);
  expect(powersOf(config)).toEqual([expect.objectContaining({ setting, does: expect.stringContaining(does) })]);
  const left = withoutPowers(config);
  // Models and agents stay known, and barred.
  expect(powersOf(left).filter(({ setting: where }) => !/^(?:models|actors)\./.test(where))).toEqual([]);
  const { 'claude-code': claude, codex, acp = {} } = left.actors;
  const agents = [claude, codex, ...Object.values(acp)].filter((one) => one !== undefined);
  expect(agents.every((one) => one.isBarred === true)).toBe(true);
  expect(Object.values(left.models).every((model) => model.kind === 'scripted' || model.isBarred === true)).toBe(true);
});

test.each([
  modelWith('provider: openai-compatible, base_url: "http://127.0.0.1:11434/v1", api_key_env: K'),
  modelWith('provider: openai-compatible, base_url: "http://localhost:1/v1"'),
  modelWith('provider: openai-compatible, base_url: "http://[::1]:1/v1"'),
  modelWith('provider: openai, api_key_env: SOME_KEY'),
  modelWith('provider: anthropic, api_key_env: ANTHROPIC_API_KEY'),
  'models: { base: { provider: scripted, scenario: a.yaml } }',
  'web: { allow: [docs.example.org, "*.example.org"], search: { url: "http://127.0.0.1:8/?q={query}" } }',
  'actors: { claude-code: { model: opus, idle_minutes: 5 }, codex: { wall_minutes: 90 } }',
  'limits: { max_usd: 5 }\nresources: { web: { kind: port } }\nworkspaces: { max_files: 9 }',
])('[L8] %s does nothing that has to be asked about', (text) => {
  const config = read(text);
  expect(powersOf(config)).toEqual([]);
  expect(withoutPowers(config)).toEqual(config);
});

test('[L8] hosts that the settings open to an agent need the word of the user, one by one', () => {
  const config = read(
    'actors: { codex: { hosts: [a.example, "b.example:8443"] }, acp: { it: { command: [it], hosts: [c.example] } } }',
  );
  expect(powersOf(config).map(({ kind, setting, does }) => [kind, setting, /reach (\S+)/.exec(does)?.[1]])).toEqual([
    ['address', 'actors.codex.hosts', 'a.example,'],
    ['address', 'actors.codex.hosts', 'b.example:8443,'],
    ['command', 'actors.acp.it', 'c.example'],
  ]);
  expect(withoutPowers(config).actors).toMatchObject({ codex: {}, acp: { it: { isBarred: true } } });
  expect(withoutPowers(config).actors.codex?.hosts).toBeUndefined();
});

test('[L8] a module that the settings name is code, and its content is part of what is agreed to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-powers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'flow.ts'), 'one');
  const config = read('workflows: flow.ts', folder);
  const [before] = powersOf(config);
  writeFileSync(join(folder, 'flow.ts'), 'two');
  const [after] = powersOf(config);
  expect(before).toMatchObject({ kind: 'code', setting: 'workflows' });
  expect(before?.does).not.toBe(after?.does);
  expect(withoutPowers(config).workflows).toEqual([]);
});

test("[L8] an agent's program inside the project is agreed to as it is now; one of the machine by its path", () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-powers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'agent'), 'one');
  const own = read('actors: { codex: { program: ./agent } }', folder);
  const [before] = powersOf(own, folder);
  writeFileSync(join(folder, 'agent'), 'two');
  const [after] = powersOf(own, folder);
  expect(before?.does).toContain('sha256');
  expect(before?.does).not.toBe(after?.does);
  expect(powersOf(own, join(folder, 'elsewhere'))[0]?.does).not.toContain('sha256');
});

test.each([
  ['a script of an agent', 'actors: { acp: { it: { command: [node, ./agent.js] } } }'],
  ['a script of an agent, by its whole path', 'actors: { acp: { it: { command: [node, FOLDER/agent.js] } } }'],
  ['an MCP server', 'mcp: { docs: { command: [node, FOLDER/agent.js] } }'],
  ['a search server', 'web: { search: { mcp: { command: [node, FOLDER/agent.js], tool: t } } }'],
  ['a module of workflows', 'workflows: agent.js'],
])('[L8] %s is agreed to with all that it imports', (_what, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-powers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'agent.js'), "import './part.js';");
  writeFileSync(join(folder, 'part.js'), 'one');
  const config = read(text.replace('FOLDER', folder), folder);
  const before = powersOf(config, folder);
  writeFileSync(join(folder, 'part.js'), 'two');
  expect(before).toEqual([expect.objectContaining({ does: expect.stringContaining('sha256') })]);
  expect(powersOf(config, folder)).not.toEqual(before);
});
