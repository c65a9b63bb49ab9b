import { promptFor } from '../../src/actors/model/prompt.ts';
import type { CallRequest } from '../../src/actors/port.ts';
import { append, emptyList, type AppendList } from '../../src/core/model/append-list.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { Message } from '../../src/core/model/message.ts';
import { viewFor } from '../../src/core/look/view.ts';
import { report, settings } from '../harness/report.ts';
import { role } from './team.ts';

/**
 * The time to build one request from a long conversation: the agent's view of it, then the SDK's messages.
 * Alone: node bench/jobs/requests-build.ts '{"messages":2000}'
 */
const { messages } = settings() as { messages: number };
const ROUNDS = 400;
const TRIES = 5;

const said = (at: number): Message =>
  at % 3 === 0
    ? { author: 'workflow', role: 'user', content: `Order ${at}: ${'do it well. '.repeat(10)}` }
    : at % 3 === 1
      ? {
          author: 'coder',
          role: 'assistant',
          content: `Reading ${at}.`,
          toolCalls: [{ id: `call-${at}`, name: 'read_file', arguments: { path: `src/file-${at}.ts` } }],
        }
      : { author: 'coder', role: 'tool', content: 'const line = 1;\n'.repeat(20), toolCallId: `call-${at - 1}` };

const head: Omit<CallRequest, 'messages'> = {
  run: runId('run-1'),
  agent: 'coder',
  role: role('coder', []),
  state: 'coding',
  visit: 1,
  call: 1,
  attempt: 1,
  idempotencyKey: 'run-1/coding.1/1',
  shared: '',
  tools: [],
};

let context: AppendList<Message> = emptyList();
for (let at = 0; at < messages; at += 1) context = append(context, said(at));

/** The least of some tries: other programs of the machine take the processor away for longer than a request takes. */
function buildMs(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let one = 0; one < TRIES; one += 1) {
    const began = performance.now();
    const view = viewFor('coder', context, emptyList());
    const prompt = promptFor({ ...head, messages: view }, { provider: 'anthropic', model: 'any' });
    least = Math.min(least, performance.now() - began);
    if (prompt.messages.length < messages / 2) throw new Error('Messages are missing.');
  }
  return least;
}

const times: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  // As between two calls of a turn: the conversation has grown by one message.
  context = append(context, said(context.length));
  const ms = buildMs();
  if (round >= ROUNDS / 4) times.push(ms);
}
const sorted = times.toSorted((one, other) => one - other);
const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
report({ p50: at(0.5), p95: at(0.95) });
