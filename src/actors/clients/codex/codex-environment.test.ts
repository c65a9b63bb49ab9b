import { expect, test } from 'vitest';
import { agentHost, loginVariable } from '../client-vendor.ts';
import { CODEX, codexEnvironment } from './codex-setup.ts';

const ORDER = { place: { folder: '/w/p', environment: { WORK: '1' }, folders: [] }, home: '/w/home', desk: null };

test('[U1] its own variables and those that its settings name, and nothing else of the user’s', () => {
  const environment = codexEnvironment(
    {
      PATH: '/usr/bin',
      HOME: '/home/nobody',
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      CODEX_HOME: '/home/nobody/.codex',
      CODEX_THREAD_ID: 'outer',
      ANTHROPIC_API_KEY: 'other',
      HOUSE_KEY: 'h',
      HOUSE_KEY_OF_ALL: 'secret',
    },
    ORDER,
    ['HOUSE_KEY', 'NOT_SET'],
  );
  expect(environment).toMatchObject({
    CODEX_HOME: '/w/home/.codex',
    HOME: '/w/home',
    OPENAI_API_KEY: 'k',
    CODEX_API_KEY: 'k',
    HOUSE_KEY: 'h',
    WORK: '1',
  });
  for (const name of ['CODEX_THREAD_ID', 'ANTHROPIC_API_KEY', 'HOUSE_KEY_OF_ALL', 'NOT_SET']) {
    expect(environment).not.toHaveProperty(name);
  }
});

test('the desk’s headers come by variables', () => {
  const bridge = { command: [], environment: {}, folders: [] };
  const desk = { url: 'http://127.0.0.1:2/mcp', headers: { authorization: 'Bearer t' }, tools: [], bridge };
  expect(codexEnvironment({}, { ...ORDER, desk }, [])).toMatchObject({ TROUPE_DESK_0: 'Bearer t' });
});

test('the endpoint and the key, for sentences', () => {
  expect(agentHost(CODEX, { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).toBe('127.0.0.1:1');
  expect(agentHost(CODEX, {})).toBe('api.openai.com');
  expect(loginVariable(CODEX, { OPENAI_API_KEY: 'x' })).toBe('OPENAI_API_KEY');
  expect(loginVariable(CODEX, { OPENAI_API_KEY: '' })).toBeUndefined();
});
