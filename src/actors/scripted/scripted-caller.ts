import type { IncomingHttpHeaders } from 'node:http';
import { requestSize } from './request-size.ts';
import type { ScriptedRequest } from './scripted-request.ts';
import { stableId } from './stable-id.ts';
import type { WireRequest } from './wire-format.ts';

/** Who calls: the engine says it in headers on loopback, other clients may be told to send the same ones. */
export function fromWire(request: WireRequest, headers: IncomingHttpHeaders): ScriptedRequest {
  const told = {
    run: word(headers['x-troupe-run']),
    role: word(headers['x-troupe-role']),
    agent: word(headers['x-troupe-agent']),
    state: word(headers['x-troupe-state']),
    visit: count(headers['x-troupe-visit']),
    call: count(headers['x-troupe-call']),
    attempt: count(headers['x-troupe-attempt']),
  };
  const parsing = word(headers['x-troupe-parsing-tools']) ?? '';
  return {
    ...(Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)) as Told),
    model: request.model,
    messages: request.messages,
    tools: request.tools,
    size: requestSize(request.messages, request.tools),
    parsingTools: parsing.split(',').filter((name) => name !== ''),
    // A client that retries without a key sends the same conversation, and gets the same ids.
    key: word(headers['idempotency-key']) ?? stableId(JSON.stringify(request.messages)),
  };
}

type Told = Pick<ScriptedRequest, 'run' | 'role' | 'agent' | 'state' | 'visit' | 'call' | 'attempt'>;

function word(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function count(value: string | readonly string[] | undefined): number | undefined {
  const number = Number(word(value));
  return Number.isInteger(number) ? number : undefined;
}
