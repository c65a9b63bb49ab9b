import { type ModelWindow, usualOutput } from '../../core/model/model-window.ts';
import type { Usage } from '../../core/model/usage.ts';
import { unreachable } from '../../core/model/fault.ts';
import type { Failure } from '../../core/model/outcome.ts';
import { ReplyDraft } from '../model/reply-draft.ts';
import type { StreamedReply } from '../model/wire.ts';
import { repliesTaken } from '../model/request-settings.ts';
import { cancelled, type FailedCall, failureOf, replyRefusal, unreadable } from '../model/call-failure.ts';
import { carefulListener } from '../careful-listener.ts';
import { costOf, type Price } from '../model/model-config.ts';
import type { Actor, CallAnswer, CallOptions, CallReply, CallRequest } from '../port.ts';
import { createChooser } from './choose-reply.ts';
import { pieces } from './wire-format.ts';
import { type ScriptedRequest, unsentSize } from './scripted-request.ts';
import { argumentsText, type Scenario, type ScriptedAnswer, type ScriptedFault, type ScriptedUsage } from './rule.ts';
import { openAiOverflow } from './openai-chat.ts';

type EndingFault = Exclude<ScriptedFault, { kind: 'hang' }>;

/** The failure the API actor would make of the same fault, without the trip over a wire. */
function faultFailure(fault: EndingFault, call: FailedCall): Failure {
  switch (fault.kind) {
    case 'status':
      return failureOf(statusError(fault), call);
    case 'overloaded':
      return failureOf({ statusCode: 529, message: 'Overloaded' }, call);
    case 'overflow': {
      const { status, error, message } = openAiOverflow(fault.tokens, fault.window);
      return failureOf({ statusCode: status, code: error, message }, call);
    }
    case 'stream-error':
      return failureOf({ type: fault.error, message: fault.error }, call);
    case 'malformed':
      return unreadable(call, 'it is not JSON');
    case 'cut':
      return ended('interrupted', call);
    case 'empty':
      return ended('stop', call);
    default:
      return unreachable(fault);
  }
}

/** Why this answer is no answer: cut short, held back, or nothing at all. Null when it is one. */
function answerFailure(answer: ScriptedAnswer, call: FailedCall): Failure | null {
  if (answer.finish === 'length') return ended('length', call);
  if (answer.finish === 'filtered') return ended('content-filter', call);
  return answer.calls.length === 0 && answer.text.trim() === '' ? ended('stop', call) : null;
}

function statusError(fault: Extract<ScriptedFault, { kind: 'status' }>): unknown {
  return {
    statusCode: fault.status,
    ...(fault.error === null ? {} : { type: fault.error }),
    ...(fault.message === null ? {} : { message: fault.message }),
    ...(fault.retryAfter === null ? {} : { responseHeaders: { 'retry-after': String(fault.retryAfter) } }),
  };
}

const NOTHING: StreamedReply = {
  parts: [],
  calls: [],
  malformed: {},
  usage: null,
  model: null,
  finish: null,
  ignored: [],
  error: null,
};

function ended(finish: StreamedReply['finish'], call: FailedCall): Failure {
  return replyRefusal({ ...NOTHING, finish }, call) ?? unreadable(call, undefined);
}

export interface ScriptedActorOptions {
  /** The name it gives itself; scenarios can match on it. */
  readonly model?: string;
  /** Free where none is given. */
  readonly price?: Price;
}

/** The scripted model inside this process: same scenarios as the server, no wire, no waiting unless one is scripted. */
export function createScriptedActor(scenario: Scenario, options: ScriptedActorOptions = {}): Actor {
  const choose = createChooser(scenario);
  const self: Self = { model: options.model ?? 'scripted', price: options.price ?? FREE };
  return {
    kind: 'scripted',
    ...(scenario.window === undefined ? {} : { window: windowOf(self.model, scenario.window) }),
    call: async (request, callOptions) => {
      if (callOptions.signal.aborted) return stopped(self);
      const outcome = choose(asScripted(request, self.model));
      if (outcome.kind === 'answer') return await deliver(outcome, self, callOptions);
      if (outcome.fault.kind === 'hang') return await hang(self, callOptions.signal);
      return { kind: 'failed', failure: faultFailure(outcome.fault, failedCall(self)) };
    },
  };
}

const windowOf = (model: string, tokens: number): ModelWindow => ({
  model,
  tokens,
  output: usualOutput(tokens),
  isConfigured: true,
  density: 1,
  mayEdit: true,
});

interface Self {
  readonly model: string;
  readonly price: Price;
}

const FREE: Price = { input: 0, output: 0 };

function asScripted(request: CallRequest, model: string): ScriptedRequest {
  const { run, agent, state, visit, call, attempt, messages, tools, idempotencyKey: key } = request;
  const parsingTools = repliesTaken(request);
  return {
    model,
    run,
    role: request.role.name,
    agent,
    state,
    visit,
    call,
    attempt,
    messages,
    tools,
    parsingTools,
    size: unsentSize(request, model),
    key,
  };
}

async function deliver(answer: ScriptedAnswer, self: Self, options: CallOptions): Promise<CallReply> {
  if (answer.delayMs > 0) await pause(answer.delayMs, options.signal);
  if (options.signal.aborted) return stopped(self);
  await speak(answer, options);
  if (options.signal.aborted) return stopped(self);
  const failure = answerFailure(answer, failedCall(self));
  return failure === null ? answered(answer, self) : { kind: 'failed', failure, spent: spentOn(answer, self) };
}

/** The same that the HTTP actor books for the same answer, also for one that was cut off or held back. */
function spentOn(answer: ScriptedAnswer, { price, model }: Self): Pick<CallAnswer, 'usage' | 'costUsd' | 'model'> {
  const usage = usageOf(answer.usage);
  return { usage, costUsd: costOf(usage, price), model };
}

async function speak({ text, chunk, paceMs }: ScriptedAnswer, options: CallOptions): Promise<void> {
  const { onText, signal } = options;
  if (onText === undefined) return;
  const say = carefulListener(options.onText);
  for (const piece of pieces(text, chunk)) {
    if (signal.aborted) return;
    say(piece);
    if (paceMs > 0) await pause(paceMs, signal);
  }
}

function answered(answer: ScriptedAnswer, self: Self): CallReply {
  const draft = new ReplyDraft(() => undefined);
  for (const call of answer.calls) draft.call({ ...call, text: argumentsText(call) });
  return {
    kind: 'answered',
    content: answer.text,
    toolCalls: draft.calls,
    ...(Object.keys(draft.malformed).length === 0 ? {} : { malformed: draft.malformed }),
    ...spentOn(answer, self),
  };
}

function usageOf(usage: ScriptedUsage): Usage {
  return {
    inputTokens: usage.input,
    outputTokens: usage.output,
    cacheReadTokens: usage.cacheRead,
    cacheWriteTokens: usage.cacheWrite,
    calls: 1,
  };
}

/** Resolves after the time, or at once when the call is stopped. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const alarm = setTimeout(resolve, ms);
  const stop = (): void => resolve();
  signal.addEventListener('abort', stop, { once: true });
  await promise;
  clearTimeout(alarm);
  signal.removeEventListener('abort', stop);
}

async function hang(self: Self, signal: AbortSignal): Promise<CallReply> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  // A process with nothing else to wait for would end.
  const awake = setInterval(() => undefined, LONG_MS);
  await promise;
  clearInterval(awake);
  return stopped(self);
}

const LONG_MS = 3_600_000;

const stopped = (self: Self): CallReply => ({ kind: 'failed', failure: cancelled(failedCall(self)) });

const failedCall = (self: Self): FailedCall => ({
  model: self.model,
  host: 'this process',
  secrets: [],
  response: null,
});
