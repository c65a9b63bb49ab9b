import { expect, test } from 'vitest';
import { isSameLogin } from './same-login.ts';

const jwt = (sub: string, issued: number): string =>
  `e30.${Buffer.from(JSON.stringify({ sub, iat: issued })).toString('base64url')}.c2ln`;

const CLAUDE = {
  claudeAiOauth: { accessToken: 'a', refreshToken: 'b', expiresAt: 1, scopes: ['user'], subscriptionType: 'max' },
};
const CODEX = {
  OPENAI_API_KEY: null,
  tokens: { id_token: jwt('ann', 1), access_token: jwt('ann', 1), refresh_token: 'r', account_id: 'acc-1' },
  last_refresh: '2026-11-16T04:51:07Z',
};
const OPENCODE = {
  anthropic: { type: 'oauth', refresh: 'r', access: 'a', expires: 1 },
  other: { type: 'api', key: 'k' },
};

const isSame = (one: unknown, other: unknown): boolean => isSameLogin(JSON.stringify(one), JSON.stringify(other));

test.each([
  ['Claude', { claudeAiOauth: { ...CLAUDE.claudeAiOauth, accessToken: 'c', refreshToken: 'd', expiresAt: 9 } }, CLAUDE],
  [
    'Codex',
    { ...CODEX, tokens: { ...CODEX.tokens, id_token: jwt('ann', 2), refresh_token: 's' }, last_refresh: '2026-11-17' },
    CODEX,
  ],
  ['opencode', { ...OPENCODE, anthropic: { access: 'n', refresh: 's', type: 'oauth', expires: 2 } }, OPENCODE],
])('[L8] a refreshed login of %s is the same one', (_client, refreshed, own) => {
  expect(isSame(refreshed, own)).toBe(true);
});

test.each([
  ['another account', { ...CODEX, tokens: { ...CODEX.tokens, account_id: 'acc-2' } }, CODEX],
  ['the token of somebody else', { ...CODEX, tokens: { ...CODEX.tokens, access_token: jwt('eve', 2) } }, CODEX],
  ['a token that hides whose it is', { ...CODEX, tokens: { ...CODEX.tokens, access_token: 'x' } }, CODEX],
  ['another key', { ...OPENCODE, other: { type: 'api', key: 'eve' } }, OPENCODE],
  ['a key where there was none', { ...CODEX, OPENAI_API_KEY: 'eve' }, CODEX],
  ['other rights', { claudeAiOauth: { ...CLAUDE.claudeAiOauth, scopes: ['all'] } }, CLAUDE],
  ['a field more', { ...CLAUDE, helper: 'curl' }, CLAUDE],
  ['a field less', {}, CLAUDE],
  ['no object', ['x'], CLAUDE],
  ['a token of another kind', { claudeAiOauth: { ...CLAUDE.claudeAiOauth, accessToken: { a: 1 } } }, CLAUDE],
])('[L8] one with %s is not', (_what, refreshed, own) => {
  expect(isSame(refreshed, own)).toBe(false);
});
