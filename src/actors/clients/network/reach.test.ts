import { expect, test } from 'vitest';
import type { ClientOrder, Desk } from '../../port.ts';
import { plainAgent } from '../acp/acp-agent.ts';
import { ACP_PRESETS } from '../acp/acp-presets.ts';
import { CLAUDE } from '../claude/claude-setup.ts';
import { agentReach } from '../client-vendor.ts';
import { codexReach, NO_SETTINGS } from '../codex/codex-setup.ts';
import { namedAddresses, ownPort } from './reach.ts';

const bridge = { command: [], environment: {}, folders: [] };
const desk: Desk = { url: 'http://127.0.0.1:4711/mcp', headers: {}, tools: [], bridge };
const order: ClientOrder = {
  place: { folder: '/w', environment: {}, folders: [] },
  mode: 'write',
  network: false,
  session: { how: 'new', id: null },
  unheard: [],
  desk,
  home: '/h',
  limits: { idleMs: 1, wallMs: 1 },
};
const DESK = '127.0.0.1:4711';

const claudeReach = (environment: NodeJS.ProcessEnv, of: ClientOrder, hosts?: readonly string[]) =>
  agentReach(CLAUDE, environment, { order: of, hosts });

test('[L8] Claude Code reaches the desk and its vendor, or the address that the user named instead', () => {
  const vendor = ['api.anthropic.com:443', 'platform.claude.com:443', 'console.anthropic.com:443'];
  expect(claudeReach({}, order)).toEqual([DESK, ...vendor]);
  expect(claudeReach({}, { ...order, desk: null })).toEqual(vendor);
  expect(claudeReach({ ANTHROPIC_BASE_URL: 'http://localhost:8080/x' }, order)).toEqual([DESK, 'localhost:8080']);
  expect(claudeReach({ ANTHROPIC_BASE_URL: 'https://Proxy.Example/' }, order, ['b.example'])).toEqual([
    DESK,
    'proxy.example:443',
    'b.example',
  ]);
  // Addresses of other vendors do not count.
  expect(claudeReach({ OPENAI_BASE_URL: 'http://localhost:1' }, order)).toEqual([DESK, ...vendor]);
});

test('[L8] Codex reaches its vendor and the providers of the user’s settings, or the address of the environment', () => {
  const settings = { ...NO_SETTINGS, tables: '[model_providers.o]\nbase_url = "http://localhost:11434/v1"' };
  const vendor = ['api.openai.com:443', 'chatgpt.com:443', 'auth.openai.com:443'];
  expect(codexReach({}, order, { settings, hosts: [] })).toEqual([DESK, 'localhost:11434', ...vendor]);
  const environment = { OPENAI_BASE_URL: 'https://a.example/v1' };
  expect(codexReach(environment, order, { settings: NO_SETTINGS, hosts: [] })).toEqual([DESK, 'a.example:443']);
});

test('[L8] an agent of the settings reaches what its variables and the settings name', () => {
  const agent = plainAgent({ name: 'mine', command: ['mine'], variables: ['MINE_'] });
  expect(agentReach(agent, {}, { order, hosts: undefined })).toEqual([DESK]);
  const environment = { MINE_API_URL: 'https://mine.example', MINE_KEY: 'https://no.example' };
  expect(agentReach(agent, environment, { order, hosts: ['*.b.example'] })).toEqual([
    DESK,
    'mine.example:443',
    '*.b.example',
  ]);
});

test('[L8] known agents have hosts, each with its port', () => {
  for (const { hosts } of ACP_PRESETS) {
    expect(hosts.length).toBeGreaterThan(0);
    expect(hosts.every((host) => host.endsWith(':443'))).toBe(true);
  }
});

test.each([
  ['127.0.0.1:80', { host: '127.0.0.1', port: 80 }],
  ['127.1.2.3:8080', { host: '127.1.2.3', port: 8080 }],
  ['localhost:1', { host: 'localhost', port: 1 }],
  ['[::1]:99', { host: '::1', port: 99 }],
  ['localhost', null],
  ['127.0.0.1.evil.example:80', null],
  ['*.localhost:80', null],
  ['10.0.0.1:80', null],
])('whether %s is on this machine', (host, place) => {
  expect(ownPort(host)).toEqual(place);
});

test('only whole addresses of the web count as such', () => {
  const variables = { A_BASE_URL: 'file:///etc', B_ENDPOINT: 'x', C_API_BASE: 'http://c.example', D_API_URL: '' };
  expect(namedAddresses(variables)).toEqual(['http://c.example']);
});
