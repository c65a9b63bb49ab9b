import { expect, test } from 'vitest';
import { sampleRole } from '../../actor.contract.ts';
import type { ClientOrder } from '../../port.ts';
import { agentHost, agentLogins, agentSecrets } from '../client-vendor.ts';
import { acpTraits, agentEnvironment } from './acp-agent.ts';
import { ACP_PRESETS, acpPreset } from './acp-presets.ts';

const order: ClientOrder = {
  place: { folder: '/w/work', environment: {}, folders: [] },
  mode: 'write',
  network: false,
  session: { how: 'new', id: null },
  unheard: [],
  desk: null,
  home: '/w/agents',
  limits: { idleMs: 1000, wallMs: 2000 },
};

/** A user of all of them, with something to hide besides. */
const USER = {
  HOME: '/home/user',
  PATH: '/usr/bin',
  ANTHROPIC_API_KEY: 'sk-a',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/x',
  CLAUDE_CONFIG_DIR: '/home/user/claude',
  OPENAI_API_KEY: 'sk-o',
  CODEX_HOME: '/home/user/codex',
  GEMINI_API_KEY: 'sk-g',
  GOOGLE_APPLICATION_CREDENTIALS: '/home/user/google.json',
  OPENCODE_CONFIG: '/home/user/opencode.json',
  AWS_SECRET_ACCESS_KEY: 'sk-w',
  GITHUB_TOKEN: 'sk-h',
};

test.each([
  ['claude-agent-acp', ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']],
  ['codex-acp', ['OPENAI_API_KEY']],
  ['opencode', ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'OPENAI_API_KEY']],
  ['gemini', ['GEMINI_API_KEY']],
])('%s gets its own variables and no others, and its own home', (name, expected) => {
  const agent = ACP_PRESETS.find((each) => each.name === name);
  if (agent === undefined) throw new Error('There is no such preset.');
  const environment = agentEnvironment(agent, USER, order);
  const own = Object.keys(USER).filter((each) => environment[each] === USER[each as keyof typeof USER]);
  expect(own.toSorted()).toEqual([...expected, 'PATH']);
  expect(environment['HOME']).toBe('/w/agents');
  expect(Object.values(environment).join(' ')).not.toContain('/home/user');
});

test('a login is taken from where the user keeps it, and put where the agent looks for it', () => {
  const logins = ACP_PRESETS.flatMap((agent) => agentLogins(agent, { ...USER, CODEX_HOME: '' }, '/w/agents'));
  expect(logins).toEqual([
    { user: '/home/user/claude/.credentials.json', copy: '/w/agents/.claude/.credentials.json', home: '/w/agents' },
    { user: '/home/user/.codex/auth.json', copy: '/w/agents/.codex/auth.json', home: '/w/agents' },
    {
      user: '/home/user/.local/share/opencode/auth.json',
      copy: '/w/agents/.local/share/opencode/auth.json',
      home: '/w/agents',
    },
    { user: '/home/user/.gemini/oauth_creds.json', copy: '/w/agents/.gemini/oauth_creds.json', home: '/w/agents' },
    {
      user: '/home/user/.gemini/google_accounts.json',
      copy: '/w/agents/.gemini/google_accounts.json',
      home: '/w/agents',
    },
  ]);
});

test('secrets and the endpoint are known by the variables', () => {
  const claude = acpPreset('claude-agent-acp');
  if (claude === null) throw new Error('There is no such preset.');
  expect(agentSecrets(claude, USER)).toEqual(['sk-a']);
  expect(agentSecrets(claude, { ...USER, ANTHROPIC_API_KEY: 'k' })).toEqual([]);
  expect(agentHost(claude, USER)).toBe('127.0.0.1:1');
  expect(agentHost(claude, {})).toBe('api.anthropic.com');
});

test('no agent lets the engine choose the conversation; one that does not find its own cannot go on in it', () => {
  expect(ACP_PRESETS.map((agent) => acpTraits(agent).choosesSession)).toEqual([false, false, false, false]);
  expect(acpPreset('gemini')?.traits.canResume).toBe(false);
  expect(acpPreset('unheard-of')).toBeNull();
});

test('the adapter for Claude gets no settings and the list of tools', () => {
  const role = { ...sampleRole, ask: ['execute_terminal'] };
  expect(acpPreset('claude-agent-acp')?.sessionFields?.(role, { ...order, mode: 'commands' })).toMatchObject({
    _meta: {
      claudeCode: {
        options: {
          settingSources: [],
          settings: { disableAllHooks: true, permissions: { ask: expect.arrayContaining(['Bash']) } },
          tools: expect.not.arrayContaining(['Write']),
        },
      },
    },
  });
});

test('the one for Codex has its own sandbox only outside of ours', () => {
  const modes = acpPreset('codex-acp')?.modes;
  expect(modes?.(order, 'bubblewrap')).toContain('agent-full-access');
  expect(modes?.(order, 'none')).not.toContain('agent-full-access');
  expect(modes?.({ ...order, mode: 'read' }, 'landlock')).toEqual(['read-only']);
});

test.each([
  ['unexpected status 400 Bad Request: {"error":"no"}', true],
  ["You've hit your usage limit.", true],
  ['We’re currently experiencing high demand, which may cause errors.', true],
  ['The function returned an unexpected status 400; I have fixed it.', false],
  ['Done: I handled the error.', false],
])('last words of Codex that are an error: %s', (words, isError) => {
  expect(acpPreset('codex-acp')?.errorWords?.test(words)).toBe(isError);
});
