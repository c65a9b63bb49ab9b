import { expect, test } from 'vitest';
import type { ClientName } from '../client-failure.ts';
import { acpRefusal, sessionRefusal } from './acp-failure.ts';

const name: ClientName = {
  title: 'The agent',
  host: 'example.test',
  model: 'large',
  loginHint: 'Log in.',
  secrets: ['sk-1'],
};
const error = (message: string, data: null | string | { details: string } = null, code = -32_603) => ({
  code,
  message,
  data,
});

test.each([
  ['Internal error: API Error: 500 Scripted status 500.', 'server'],
  ['Internal error: API Error: Request rejected (429) · Slow down.', 'rate'],
  ['Internal error: API Error: 529 Overloaded.', 'overload'],
  ['We are currently experiencing high demand.', 'overload'],
  ['unexpected status 400 Bad Request: no such model', 'bad-request'],
  ['unexpected status 401 Unauthorized', 'auth'],
  ['Not logged in · Please run /login', 'auth'],
  ['API Error: Connection to the API was lost (ECONNRESET).', 'network'],
  ['stream disconnected before completion', 'network'],
  ['fetch failed', 'network'],
  ['API Error: JSON Parse error: Unrecognized token', 'bad-reply'],
  ["You've hit your usage limit. Try again in 3 hours.", 'quota'],
  ['Your credit balance is too low.', 'quota'],
  ['The cat sat on the keyboard 500 times.', 'crash'],
])('%s', (message, kind) => {
  expect(acpRefusal(name, error(message)).class).toBe(kind);
});

test('the code for a missing login is one, unless the words say otherwise', () => {
  expect(acpRefusal(name, error('Whatever', null, -32_000)).class).toBe('auth');
  expect(acpRefusal(name, error('HTTP 503: busy', null, -32_000)).class).toBe('server');
});

test('a limit that ends says when', () => {
  expect(acpRefusal(name, error('You have hit your usage limit. Try again in 2 hours.')).retryAfterMs).toBe(7_200_000);
});

test('details replace an empty message; keys are never shown', () => {
  const refusal = acpRefusal(name, error('Internal error', { details: 'The door of sk-1 is shut.' }));
  expect(refusal).toMatchObject({
    code: 'CLIENT_FAILED',
    message: 'The agent gave up: The door of [redacted] is shut.',
  });
  expect(acpRefusal(name, error('Shut', 'by the wind')).message).toBe('The agent gave up: Shut: by the wind');
});

test('a conversation that cannot be gone on with is lost, whatever the agent calls that; a login that is missing is not', () => {
  const opening = { method: 'session/load', params: {}, session: 's', known: 's', isRoleSent: true };
  const context = { opening, hasDesk: true };
  for (const code of [-32_002, -32_603, -32_601]) {
    expect(sessionRefusal(name, error('Whatever', null, code), context).class).toBe('session');
  }
  expect(sessionRefusal(name, error('Login', null, -32_000), context).class).toBe('auth');
});

test('an agent that says it cannot reach the desk fails as such', () => {
  const opening = { method: 'session/new', params: {}, session: '', known: null, isRoleSent: true };
  const words = error('MCP server troupe could not be started');
  expect(sessionRefusal(name, words, { opening, hasDesk: true }).code).toBe('DESK_UNREACHABLE');
});
