import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ClientEnd } from '../process/client-process.ts';
import { claudeReply, isSessionUsed, type ClaudeTurnOutcome } from './claude-reply.ts';
import { ClaudeStory } from './claude-story.ts';

const NOW = Date.parse('2026-11-16T10:00:00Z');
const ENDED: ClientEnd = { exitCode: 0, signal: null, stopped: null, startFailure: null, errorOutput: '' };

function outcome(lines: readonly string[], change: Partial<ClaudeTurnOutcome> = {}): ClaudeTurnOutcome {
  const story = new ClaudeStory({ onText: () => undefined, onActivity: () => undefined });
  for (const line of lines) story.read(line);
  return {
    story,
    end: ENDED,
    verdict: null,
    session: 'session-1',
    limits: { idleMs: 600_000, wallMs: 3_600_000 },
    hasDesk: false,
    name: { title: 'Claude Code', host: 'host', model: 'm', loginHint: 'Log in.', secrets: ['sk-secret'] },
    price: undefined,
    now: NOW,
    ...change,
  };
}

const recorded = (name: string): readonly string[] =>
  readFileSync(join(import.meta.dirname, 'fixtures', `${name}.ndjson`), 'utf8')
    .trim()
    .split('\n');

const result = (fields: object): string =>
  JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'Fine.', usage: {}, ...fields });
const failureOf = (turn: ClaudeTurnOutcome) => {
  const reply = claudeReply(turn);
  return reply.kind === 'failed' ? reply.failure : null;
};

test('[A3] the usage is that of the turn with its sub-agents, never that of the whole conversation', () => {
  const model = {
    inputTokens: 10,
    outputTokens: 3,
    cacheReadInputTokens: 100,
    cacheCreationInputTokens: 20,
    costUSD: 0.5,
  };
  const reply = claudeReply(
    outcome([
      result({
        usage: { input_tokens: 4, output_tokens: 1 },
        modelUsage: { a: { ...model, inputTokens: 99_999, costUSD: 99 } },
        total_cost_usd: 99,
        model_usage_since_last_result: { a: model, b: { ...model, costUSD: 0.25 } },
      }),
    ]),
  );
  expect(reply).toMatchObject({
    kind: 'answered',
    content: 'Fine.',
    usage: { inputTokens: 260, outputTokens: 6, cacheReadTokens: 200, cacheWriteTokens: 40, calls: 1 },
    costUsd: 0.75,
  });
});

test('versions that do not tell what is new have their usage of the turn, and no cost', () => {
  const usage = { input_tokens: 4, output_tokens: 1, cache_read_input_tokens: 6 };
  const reply = claudeReply(outcome([result({ usage, total_cost_usd: 99 })]));
  expect(reply).toMatchObject({ usage: { inputTokens: 10, outputTokens: 1, cacheReadTokens: 6 }, costUsd: null });
});

test('an unknown price stays unknown, and a configured one counts', () => {
  const models = { q: { inputTokens: 1_000_000, costUSD: 7, costBasis: 'unknown' } };
  const line = result({ model_usage_since_last_result: models });
  expect(claudeReply(outcome([line]))).toMatchObject({ costUsd: null });
  expect(claudeReply(outcome([line], { price: { input: 2, output: 1 } }))).toMatchObject({ costUsd: 2 });
});

test('success needs the result and a clean exit', () => {
  const lines = [result({})];
  expect(claudeReply(outcome(lines)).kind).toBe('answered');
  expect(failureOf(outcome([]))).toMatchObject({ class: 'crash', code: 'CLIENT_CRASHED' });
  const badly = { ...ENDED, exitCode: 3, errorOutput: 'boom sk-secret\n' };
  expect(failureOf(outcome(lines, { end: badly }))).toEqual({
    class: 'crash',
    code: 'CLIENT_CRASHED',
    message: 'Claude Code said that it was done, but ended with exit code 3: boom [redacted]',
  });
  expect(failureOf(outcome([], { end: { ...ENDED, exitCode: 137 } }))?.message).toContain('ended by SIGKILL');
  expect(failureOf(outcome(['x', 'y']))?.message).toContain('2 lines of it could not be understood');
});

test('one that says nothing has not answered, unless it hands in its reply elsewhere', () => {
  expect(failureOf(outcome([result({ result: ' ' })]))).toMatchObject({ class: 'bad-reply', code: 'REPLY_EMPTY' });
  expect(claudeReply(outcome([result({ result: '' })], { hasDesk: true }))).toMatchObject({
    kind: 'answered',
    content: '',
  });
});

test('who stopped it decides what it is called', () => {
  const stopped = (reason: ClientEnd['stopped']) =>
    failureOf(outcome([result({ is_error: true })], { end: { ...ENDED, stopped: reason } }));
  expect(stopped('cancelled')).toMatchObject({ class: 'cancelled' });
  expect(stopped('idle')).toMatchObject({ class: 'timeout', code: 'CLIENT_STUCK' });
  expect(stopped('wall')).toMatchObject({ class: 'timeout', code: 'CLIENT_TIMEOUT' });
  expect(stopped('lingering')).toMatchObject({ class: 'crash', code: 'CLIENT_DID_NOT_END' });
});

test('recorded failures: a server, a conversation that is gone', () => {
  const end = { ...ENDED, exitCode: 1 };
  expect(failureOf(outcome(recorded('server-failed'), { end }))).toMatchObject({ class: 'server' });
  expect(failureOf(outcome(recorded('session-lost'), { end }))).toMatchObject({
    class: 'session',
    message: 'Claude Code does not know the conversation session-1.',
  });
  const errorOutput = 'No conversation found with session ID: 1\n';
  expect(failureOf(outcome([], { end: { ...end, errorOutput } }))).toMatchObject({ class: 'session' });
  expect(isSessionUsed({ ...end, errorOutput: 'Error: Session ID 1-2 is already in use.\n' })).toBe(true);
  expect(isSessionUsed({ ...end, errorOutput })).toBe(false);
});

test.each([
  [{ result: 'Not logged in · Please run /login' }, { class: 'auth', hint: 'Log in.' }],
  [{ result: 'OAuth token has expired', api_error_status: 401 }, { class: 'auth' }],
  [{ result: 'API Error: 529 Overloaded', api_error_status: 529 }, { class: 'overload' }],
  [{ result: 'x', api_error_status: 500, api_error_type: 'overloaded_error' }, { class: 'overload' }],
  [{ result: 'API Error: Request rejected (429)', api_error_status: 429 }, { class: 'rate' }],
  [{ result: 'x', api_error: 'connection_failed', api_error_status: null }, { class: 'network' }],
  [{ result: "API Error: JSON Parse error: Unrecognized token '<'" }, { class: 'bad-reply' }],
  [{ result: 'Credit balance is too low', api_error_status: 400 }, { class: 'quota' }],
  [
    { result: "You've hit your session limit · resets 3pm (UTC)", api_error_status: 429 },
    { class: 'quota', code: 'QUOTA_EXCEEDED', retryAfterMs: 5 * 3_600_000 },
  ],
  [
    { result: undefined, errors: ['Something odd'], subtype: 'error_during_execution' },
    { class: 'crash', code: 'CLIENT_FAILED' },
  ],
])('%j', (fields, failure) => {
  const turn = outcome([result({ is_error: true, ...fields })], { end: { ...ENDED, exitCode: 1 } });
  expect(failureOf(turn)).toMatchObject(failure);
});

test.each([
  ['CLIENT_FAILED', { result: undefined, errors: ['odd: sk-secret'], terminal_reason: 'sk-secret' }],
  ['REPLY_MALFORMED', { result: 'JSON Parse error: Unexpected token in sk-secret' }],
  ['ENDPOINT_UNREACHABLE', { result: 'Unable to connect with sk-secret', api_error: 'connection_failed' }],
  ['QUOTA_EXCEEDED', { result: 'Used up for sk-secret', limit: true }],
])('[L8] %s says what the client said, without its secrets', (code, { limit = false, ...fields }: SaidWith) => {
  const rejected = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: NOW / 1000 + 60 } };
  const said = result({ is_error: true, api_error_status: null, ...fields });
  const failure = failureOf(outcome(limit ? [JSON.stringify(rejected), said] : [said]));
  expect(failure).toMatchObject({ code, message: expect.stringContaining('[redacted]') });
  expect(failure?.message).not.toContain('sk-secret');
});

interface SaidWith {
  readonly result: string | undefined;
  readonly limit?: boolean;
}

test('an allowance that is used up has its own line with the time of its return', () => {
  const info = { status: 'rejected', resetsAt: NOW / 1000 + 60, rateLimitType: 'five_hour' };
  const limit = JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info });
  const turn = outcome([limit, result({ is_error: true, result: 'Too much.', api_error_status: 429 })]);
  expect(failureOf(turn)).toMatchObject({ class: 'quota', retryAfterMs: 60_000 });
});

test('the usage of a failed turn is reported', () => {
  const message = { id: 'm1', model: 'x', usage: { input_tokens: 7, output_tokens: 1 }, content: [] };
  const start = { type: 'stream_event', event: { type: 'message_start', message } };
  const delta = { type: 'stream_event', event: { type: 'message_delta', usage: { output_tokens: 5 } } };
  const reply = claudeReply(outcome([JSON.stringify(start), JSON.stringify(delta)]));
  expect(reply).toMatchObject({ kind: 'failed', spent: { usage: { inputTokens: 7, outputTokens: 5, calls: 1 } } });
});
