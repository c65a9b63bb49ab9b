import { expect, test } from 'vitest';
import { excuseFailure } from './codex-reply.ts';

const NAME = { title: 'Codex', host: 'host', model: 'm', loginHint: 'Log in.', secrets: ['sk-secret'] };
const MOMENT = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'Europe/Berlin' };

test.each([
  ['We’re currently experiencing high demand, which may cause temporary errors.', 'server', 'ENDPOINT_FAILED'],
  ['exceeded retry limit, last status: 429 Too Many Requests', 'rate', 'RATE_LIMITED'],
  ['rate limit exceeded: Slow down.', 'rate', 'RATE_LIMITED'],
  ['unexpected status 401 Unauthorized: No., url: http://127.0.0.1/v1/responses', 'auth', 'AUTH_FAILED'],
  ['unexpected status 403 Forbidden: No., url: http://127.0.0.1/v1/responses', 'auth', 'AUTH_FAILED'],
  ['Missing environment variable: `OPENAI_API_KEY`.', 'auth', 'AUTH_FAILED'],
  ['Your access token could not be refreshed. Please log out and sign in again.', 'auth', 'AUTH_FAILED'],
  ['unexpected status 404 Not Found: No., url: http://127.0.0.1/v1/responses', 'bad-request', 'REQUEST_REFUSED'],
  ['{"error":{"message":"No such thing.","type":"invalid_request_error"}}', 'bad-request', 'REQUEST_REFUSED'],
  ["Codex ran out of room in the model's context window. Start a new thread.", 'bad-request', 'REQUEST_REFUSED'],
  ['Selected model is at capacity. Please try a different model.', 'overload', 'ENDPOINT_OVERLOADED'],
  ['Quota exceeded. Check your plan and billing details.', 'quota', 'QUOTA_EXCEEDED'],
  ['You’ve hit your usage limit. Try again later.', 'quota', 'QUOTA_EXCEEDED'],
  ['To use Codex with your ChatGPT plan, upgrade to Plus: https://x.test/plus.', 'quota', 'QUOTA_EXCEEDED'],
  ['stream disconnected before completion: stream closed before response.completed', 'network', 'STREAM_CUT'],
  ['stream disconnected before completion: failed to lookup address', 'network', 'ENDPOINT_UNREACHABLE'],
  ['Connection failed: error sending request', 'network', 'ENDPOINT_UNREACHABLE'],
  ['stream disconnected before completion: The server_error again.', 'server', 'ENDPOINT_FAILED'],
  ['Something unforeseen with sk-secret in it.', 'crash', 'CLIENT_FAILED'],
])('%s', (words, kind, code) => {
  const failure = excuseFailure(NAME, words, MOMENT);
  expect(failure).toMatchObject({ class: kind, code });
  expect(failure.message).not.toContain('sk-secret');
});

test.each([
  ['or try again at 1:30 PM.', 2.5],
  ['or try again at Nov 19th, 2026 11:00 AM.', 72],
  ['or try again in 3 hours.', 3],
])('[Q5] when the allowance is there again, by the clock where the client runs: %s', (words, hours) => {
  const failure = excuseFailure(NAME, `You’ve hit your usage limit. Upgrade to Pro (https://x.test) ${words}`, MOMENT);
  expect(failure).toMatchObject({ class: 'quota', retryAfterMs: hours * 3_600_000 });
});
