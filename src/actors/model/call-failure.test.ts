import { expect, test } from 'vitest';
import { failureOf } from './call-failure.ts';

const CALL = { model: 'gpt', host: 'api.test', secrets: ['sk-1234567890'], response: null };
const coded = (code: string) => Object.assign(new Error('x'), { code });

test.each([
  ['a refused connection', coded('ECONNREFUSED'), 'network', 'ENDPOINT_UNREACHABLE'],
  [
    'an unknown host deep in the causes',
    new Error('a', { cause: new Error('b', { cause: coded('ENOTFOUND') }) }),
    'network',
    'ENDPOINT_UNREACHABLE',
  ],
  ['a certificate without trust', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'network', 'ENDPOINT_UNREACHABLE'],
  [
    'a port that fetch refuses',
    new TypeError('fetch failed', { cause: new Error('bad port') }),
    'config',
    'PORT_FORBIDDEN',
  ],
  ['headers that never came', coded('UND_ERR_HEADERS_TIMEOUT'), 'timeout', 'CALL_TIMEOUT'],
  ['a numeric code in an error event', { message: 'Slow down.', code: 429 }, 'rate', 'RATE_LIMITED'],
  [
    'an empty account reported as a bad request',
    api(400, { type: 'invalid_request_error', message: 'Your credit balance is too low to go on.' }),
    'quota',
    'QUOTA_EXCEEDED',
  ],
  ['a request that took too long over there', api(408, { message: 'Timeout.' }), 'timeout', 'CALL_TIMEOUT'],
  ['something unforeseen', new RangeError('Odd.'), 'logic', 'CALL_FAILED'],
])('[L3] %s has its class and code', (_, error, failureClass, code) => {
  expect(failureOf(error, CALL)).toMatchObject({ class: failureClass, code });
});

test('[L3] once the reply had begun a lost connection is a cut stream', () => {
  const call = { ...CALL, response: { contentType: 'text/event-stream' } };
  expect(failureOf(coded('ECONNRESET'), call)).toMatchObject({ class: 'network', code: 'STREAM_CUT' });
});

test('[L3] what the endpoint says is quoted in one line, without secrets and not at any length', () => {
  const failure = failureOf(api(422, { message: `Bad\n  header sk-1234567890 ${'x'.repeat(900)}` }), CALL);
  expect(failure.message).toContain('Bad header [redacted] xxx');
  expect(failure.message.length).toBeLessThan(500);
});

function api(statusCode: number, error: object): unknown {
  return Object.assign(new Error('outer'), { statusCode, responseBody: JSON.stringify({ error }) });
}
