import { expect, test } from 'vitest';
import { isRefreshedLogin } from './client-login.ts';

const NOW = 1_800_000_000_000;

/** Good until so many seconds after now. */
const jwt = (sub: string, until: number, iss = 'https://auth'): string =>
  `e30.${Buffer.from(JSON.stringify({ iss, sub, exp: NOW / 1000 + until })).toString('base64url')}.c2ln`;

const CLAUDE = {
  claudeAiOauth: { accessToken: 'a', refreshToken: 'b', expiresAt: 1, scopes: ['user'], subscriptionType: 'max' },
};
const CODEX = {
  OPENAI_API_KEY: null,
  tokens: { id_token: jwt('ann', -60), access_token: jwt('ann', -60), refresh_token: 'r', account_id: 'acc-1' },
  last_refresh: '2026-11-16T04:51:07Z',
};
const OPENCODE = {
  anthropic: { type: 'oauth', refresh: 'r', access: 'a', expires: 1 },
  other: { type: 'api', key: 'k' },
};

const FRESH = { id_token: jwt('ann', 60), access_token: jwt('ann', 60) };
const codex = (tokens: object, more: object = {}) => ({ ...CODEX, ...more, tokens: { ...CODEX.tokens, ...tokens } });
const isRefreshed = (one: unknown, other: unknown): boolean =>
  isRefreshedLogin(JSON.stringify(one), JSON.stringify(other), NOW);

test('[L8] a login whose new tokens say that they are of the same account is the same one, refreshed', () => {
  expect(isRefreshed(codex(FRESH, { last_refresh: '2026-11-17' }), CODEX)).toBe(true);
});

test.each([
  ['Claude', { claudeAiOauth: { ...CLAUDE.claudeAiOauth, accessToken: 'c', refreshToken: 'd', expiresAt: 9 } }, CLAUDE],
  ['Codex', codex({ ...FRESH, refresh_token: 's' }), CODEX],
  ['opencode', { ...OPENCODE, anthropic: { access: 'n', refresh: 's', type: 'oauth', expires: 2 } }, OPENCODE],
])('[L8] new tokens that do not say whose they are are not taken for a refreshed login: %s', (_client, one, own) => {
  expect(isRefreshed(one, own)).toBe(false);
});

test.each([
  ['another account', codex({ ...FRESH, account_id: 'acc-2' }), CODEX],
  ['the token of somebody else', codex({ ...FRESH, access_token: jwt('eve', 60) }), CODEX],
  ['a token of somebody else’s house', codex({ ...FRESH, access_token: jwt('ann', 60, 'https://eve') }), CODEX],
  ['a token that hides whose it is', codex({ ...FRESH, access_token: 'x' }), CODEX],
  ['a token that is over', codex({ ...FRESH, access_token: jwt('ann', -10) }), CODEX],
  ['a token that is over sooner', codex(FRESH), codex({ access_token: jwt('ann', 90) })],
  ['nothing but other times', { ...CODEX, last_refresh: '2026-11-17' }, CODEX],
  ['nothing new at all', CODEX, CODEX],
  ['another key', { ...OPENCODE, other: { type: 'api', key: 'eve' } }, OPENCODE],
  ['a key where there was none', codex(FRESH, { OPENAI_API_KEY: 'eve' }), CODEX],
  ['a field more', codex(FRESH, { helper: 'curl' }), CODEX],
  ['a field less', { tokens: codex(FRESH).tokens }, CODEX],
  ['no object', ['x'], CODEX],
  ['a token of another kind', codex({ ...FRESH, access_token: { a: 1 } }), CODEX],
])('[L8] one with %s is not', (_what, refreshed, own) => {
  expect(isRefreshed(refreshed, own)).toBe(false);
});
