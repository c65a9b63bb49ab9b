import type { IncomingHttpHeaders } from 'node:http';
import type { LanguageModelV4Message } from '@ai-sdk/provider';
import type { ToolSpec } from '../../core/model/role.ts';
import type { SeenMessage } from '../../core/look/view.ts';
import { promptFor } from '../model/prompt.ts';
import type { CallRequest } from '../port.ts';
import { argumentsText, type ScriptedCall, type ScriptedUsage } from './rule.ts';
import type { WireRequest } from './wire-format.ts';
import { orElse } from '../../lib/or-else.ts';

/** A model call as the script sees it, over either wire. Undefined fields were not sent by the client. */
export interface ScriptedRequest {
  readonly model: string;
  readonly run?: string;
  readonly role?: string;
  readonly agent?: string;
  readonly state?: string;
  readonly visit?: number;
  readonly call?: number;
  readonly attempt?: number;
  readonly messages: readonly SeenMessage[];
  readonly tools: readonly ToolSpec[];
  /** Names of the tools whose call is the answer. */
  readonly parsingTools: readonly string[];
  /** Characters of all that is sent, the instructions included: tokens are counted from them. */
  readonly size: number;
  /** Same call, same key: ids in the answer are made from it. */
  readonly key: string;
}

export function newestText(request: ScriptedRequest): string {
  return request.messages.at(-1)?.content ?? '';
}

export function newestUserText(request: ScriptedRequest): string {
  return request.messages.findLast((message) => message.role === 'user')?.content ?? '';
}

/** How often tools have answered since the user last spoke. Results of parallel calls are one round. */
export function toolRounds(request: ScriptedRequest): number {
  let rounds = 0;
  let isInRound = false;
  for (let index = request.messages.length - 1; index >= 0; index -= 1) {
    const role = request.messages[index]?.role;
    if (role === 'user') break;
    if (role === 'tool' && !isInRound) rounds += 1;
    isInRound = role === 'tool';
  }
  return rounds;
}

/** The id of the agent's step, from its prompts and refusals: the newest counts. */
export function stepIdIn({ messages }: ScriptedRequest): string | undefined {
  for (const { role, content } of messages.toReversed()) {
    const patterns = role === 'user' ? IN_PROMPTS : role === 'tool' ? IN_REFUSALS : [];
    for (const pattern of patterns) {
      const found = pattern.exec(content)?.[1];
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** From the clearest words to the least clear: a prompt may quote other steps as well. */
const IN_PROMPTS = [
  /\byour (?:own )?step is "([^"\n]+)"/i,
  /\bthe step(?: to test)? is "([^"\n]+)"/i,
  /\bstep "([^"\n]+)"/i,
];
const IN_REFUSALS = [/\bYour step is ([^\s,]+), not /];

/** Sixteen hexadecimal digits out of a text, the same on every machine: two FNV-1a hashes with different seeds. */
export function stableId(text: string): string {
  return hash(text, 0x811c9dc5) + hash(text, 0x01234567);
}

function hash(text: string, seed: number): string {
  let value = seed;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, '0');
}

const CHARACTERS_A_TOKEN = 4;

/** A made-up count that is the same every time and grows with the conversation, as a real one does. */
export function countTokens(
  { size }: Pick<ScriptedRequest, 'size'>,
  text: string,
  calls: readonly ScriptedCall[],
): ScriptedUsage {
  let said = text.length;
  for (const call of calls) said += call.name.length + argumentsText(call).length;
  return { input: tokensOfLength(size), output: tokensOfLength(said), cacheRead: 0, cacheWrite: 0 };
}

export const tokensOfLength = (characters: number): number => Math.ceil(characters / CHARACTERS_A_TOKEN);

/** Characters of a whole request: instructions, conversation, calls and tools, as an endpoint would count them. */
function requestSize(messages: readonly SeenMessage[], tools: readonly ToolSpec[]): number {
  const sizes = messages.flatMap(({ content, toolCalls = [] }) => [
    content.length,
    ...toolCalls.map((call) => callSize(call.name, call.arguments)),
  ]);
  return total(sizes) + toolsSize(tools);
}

/** The same for a request within this process: the size of its messages for an `openai-compatible` endpoint. */
export function unsentSize(request: CallRequest, model: string): number {
  const { system, messages } = promptFor(request, { provider: 'openai-compatible', model });
  return total([...system, ...messages].map(messageSize)) + toolsSize(request.tools);
}

type Part = Exclude<LanguageModelV4Message['content'], string>[number];

const messageSize = ({ content }: LanguageModelV4Message): number =>
  typeof content === 'string' ? content.length : total(content.map(partSize));

function partSize(part: Part): number {
  if (part.type === 'text') return part.text.length;
  if (part.type === 'tool-call') return callSize(part.toolName, part.input);
  const output = part.type === 'tool-result' ? part.output : null;
  return output?.type === 'text' || output?.type === 'error-text' ? output.value.length : 0;
}

const callSize = (name: string, given: unknown): number => name.length + JSON.stringify(given).length;

const toolsSize = (tools: readonly ToolSpec[]): number =>
  total(tools.map(({ name, description, parameters }) => description.length + callSize(name, parameters)));

const total = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

/** Reads the caller from headers: the engine sends them on loopback, other clients can be configured to. */
export function fromWire(request: WireRequest, headers: IncomingHttpHeaders): ScriptedRequest {
  const caller = {
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
    ...(Object.fromEntries(Object.entries(caller).filter(([, value]) => value !== undefined)) as Caller),
    model: request.model,
    messages: request.messages,
    tools: request.tools,
    size: requestSize(request.messages, request.tools),
    parsingTools: parsing.split(',').filter((name) => name !== ''),
    // A client that retries without a key sends the same conversation, and gets the same ids.
    key: word(headers['idempotency-key']) ?? stableId(JSON.stringify(request.messages)),
  };
}

type Caller = Pick<ScriptedRequest, 'run' | 'role' | 'agent' | 'state' | 'visit' | 'call' | 'attempt'>;

function word(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return orElse(() => decodeURIComponent(value), value);
}

function count(value: string | readonly string[] | undefined): number | undefined {
  const number = Number(word(value));
  return Number.isInteger(number) ? number : undefined;
}
