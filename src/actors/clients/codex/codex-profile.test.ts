import { expect, test } from 'vitest';
import { sampleRole } from '../../actor.contract.ts';
import type { ClientOrder } from '../../port.ts';
import { profileText, toml, type ProfileWish } from './codex-profile.ts';
import { modelSettings, NO_SETTINGS } from './codex-setup.ts';

const ORDER: ClientOrder = {
  place: { folder: '/w/p', environment: {}, folders: [{ path: '/w/tmp', access: 'write' }] },
  mode: 'write',
  network: false,
  session: { how: 'new', id: null },
  unheard: [],
  desk: null,
  home: '/w/home',
  limits: { idleMs: 1000, wallMs: 90_500 },
};
const WISH: ProfileWish = {
  order: ORDER,
  role: sampleRole,
  shared: '',
  level: 'bubblewrap',
  environment: {},
  model: undefined,
  effort: undefined,
  settings: NO_SETTINGS,
};
const linesOf = (change: Partial<ProfileWish>): readonly string[] => profileText({ ...WISH, ...change }).split('\n');

test.each([
  ['bubblewrap', 'read', 'danger-full-access'],
  ['landlock', 'write', 'danger-full-access'],
  ['none', 'write', 'workspace-write'],
  ['none', 'commands', 'read-only'],
  ['none', 'read', 'read-only'],
] as const)('in a box of level %s, mode %s, its own sandbox is %s', (level, mode, own) => {
  const lines = linesOf({ level, order: { ...ORDER, mode } });
  expect(lines).toContain(`sandbox_mode = "${own}"`);
  expect(lines).toContain('writable_roots = ["/w/tmp"]');
});

test('the project is not trusted, whatever it says of itself', () => {
  const lines = linesOf({});
  expect(lines[lines.indexOf('[projects."/w/p"]') + 1]).toBe('trust_level = "untrusted"');
});

test('another address becomes a separate provider, with the key by the name of its variable', () => {
  const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_API_KEY: 'sk-secret' };
  const lines = linesOf({ environment, model: 'm1' });
  expect(lines).toEqual(expect.arrayContaining(['model = "m1"', 'model_provider = "troupe_endpoint"']));
  expect(lines).toContain('env_key = "OPENAI_API_KEY"');
  expect(lines.join('\n')).not.toContain('sk-secret');
  expect(linesOf({ environment: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' } })).toContain(
    'requires_openai_auth = true',
  );
});

test.each([
  ['off', 'none'],
  ['max', 'max'],
] as const)('[A9] effort %s is said as "%s", before what the user has set for all', (effort, word) => {
  const settings = modelSettings('model_reasoning_effort = "low"');
  const lines = linesOf({ settings, effort }).filter((line) => line.startsWith('model_reasoning_effort'));
  expect(lines).toEqual([`model_reasoning_effort = "${word}"`]);
});

test('the user’s own choice of model gives way to the one that is asked for', () => {
  const settings = modelSettings('model = "theirs"\nmodel_provider = "house"\n[model_providers.house]\nname = "House"');
  expect(linesOf({ settings })).toEqual(expect.arrayContaining(['model = "theirs"', '[model_providers.house]']));
  const lines = linesOf({ settings, model: 'ours' });
  expect(lines.filter((line) => line.startsWith('model ='))).toEqual(['model = "ours"']);
});

test('keys are kept from commands, those that the user’s own settings name as well', () => {
  const settings = modelSettings('[model_providers.house]\nenv_key = "HOUSE_KEY"');
  const policy = linesOf({ settings }).find((line) => line.startsWith('shell_environment_policy'));
  expect(policy).toContain('["OPENAI_*", "CODEX_*_KEY", "*_API_KEY", "TROUPE_DESK_*", "HOUSE_KEY"]');
});

test('the desk’s token is named, not shown', () => {
  const bridge = { command: [], environment: {}, folders: [] };
  const desk = {
    url: 'http://127.0.0.1:2/mcp',
    headers: { authorization: 'Bearer t' },
    tools: ['signal_back'],
    bridge,
  };
  const text = linesOf({ order: { ...ORDER, desk } }).join('\n');
  expect(text).toContain('env_http_headers = { "authorization" = "TROUPE_DESK_0" }');
  expect(text).toContain('tool_timeout_sec = 91');
  expect(text).not.toContain('Bearer');
});

test('a role’s words about tools: no web without a network or a word for it, no minions where they are excluded', () => {
  const online = { ...ORDER, network: true };
  expect(linesOf({ order: online })).not.toContain('web_search = "disabled"');
  expect(linesOf({})).toContain('web_search = "disabled"');
  const role = { ...sampleRole, ask: ['web_fetch'], excludedTools: ['task'] };
  expect(linesOf({ order: online, role })).toEqual(
    expect.arrayContaining(['web_search = "disabled"', 'multi_agent = false']),
  );
});

test('any words are one string of TOML', () => {
  expect(toml('a "b" \\ \n\u007f \ud800')).toBe('"a \\"b\\" \\\\ \\n\\u007f \ufffd"');
});
