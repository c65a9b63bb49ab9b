import type { Actor, CallFailure, CallReply, CallRequest } from '../../../actors/port.ts';
import { shortCount } from '../../../core/look/amount-text.ts';
import type { RequestSize } from '../../../core/record/compaction-fact.ts';
import { reliefFor } from '../../../core/step/turn/compaction.ts';
import type { Summarising } from '../../../core/fold/turn-state.ts';
import { CONTEXT_OVERFLOW } from '../../../core/model/outcome.ts';
import type { SentRequest } from '../../../core/record/sent-request.ts';
import type { SeenMessage } from '../../../core/look/view.ts';
import { BYTES_A_TOKEN } from '../../../tools/bound-result.ts';
import type { ModelWindow } from '../../../core/model/model-window.ts';
import type { EffectContext } from '../../world.ts';
import type { Speaker } from '../turn/who-speaks.ts';
import { bytesOf, roomIn, sizeAfterOverflow, sizeOfRequest, summaryTokens, type MeasuredCall } from './request-size.ts';
import { sendCall, type SentCall } from './sent-call.ts';
import { summaryPart, withinBytes, type SummaryPartOrder } from './summary-part.ts';

/** A call to a model whose conversation the engine keeps. */
export interface ModelCall {
  readonly actor: Actor;
  readonly speaker: Speaker;
  readonly request: CallRequest;
}

export type ModelReply =
  | (SentCall & { readonly size?: RequestSize })
  /** Not sent: it nears the window. */
  | { readonly kind: 'full'; readonly size: RequestSize }
  | (Omit<SentCall, 'kind'> & { readonly kind: 'summary'; readonly left: number; readonly size?: RequestSize });

/** Measures a request before it leaves (A6). A model without a known window is called directly. */
export function callModel(context: EffectContext, call: ModelCall): Promise<ModelReply> {
  const { actor, speaker, request } = call;
  const { window } = actor;
  return window === undefined
    ? sendCall(context, { actor, speaker, request, size: () => unmeasured(request) })
    : callMeasured(context, call, window);
}

async function callMeasured(context: EffectContext, call: ModelCall, window: ModelWindow): Promise<ModelReply> {
  const { actor, speaker, request } = call;
  const measured: MeasuredCall = { window, request, speaker, snapshot: context.snapshot };
  if (speaker.turn.summary !== undefined) return await summarise(context, { actor, measured }, speaker.turn.summary);
  const size = sizeOfRequest(measured);
  if (reliefFor(size, speaker.turn).kind !== 'none') return { kind: 'full', size };
  const sent = await sendCall(context, { ...call, size: () => size });
  return { ...sent, ...sizeKnown(sent.reply, measured) };
}

/** A model whose window is not watched. */
const unmeasured = (request: CallRequest): Pick<SentRequest, 'tokens' | 'window'> => ({
  tokens: Math.ceil(bytesOf({ request }) / BYTES_A_TOKEN),
  window: null,
});

/** One part of a summary. Only its text counts: tool calls in it are not run. */
async function summarise(
  context: EffectContext,
  { actor, measured }: Pick<ModelCall, 'actor'> & { readonly measured: MeasuredCall },
  summary: Summarising,
): Promise<ModelReply> {
  const asked = summaryRequest(measured, summary);
  if (asked === null) return { kind: 'replied', reply: noRoom(sizeOfRequest(measured)) };
  const { part: order, request } = asked;
  const { speaker, window, snapshot } = measured;
  const size = () => ({ tokens: summaryTokens(measured, request), window: roomIn(window, snapshot).window });
  const sent = await sendCall(context, { actor, speaker, request, size });
  const { reply } = sent;
  const part = { ...sent, kind: 'summary', left: order.left } as const;
  if (reply.kind === 'failed') return { ...part, ...sizeKnown(reply, { ...measured, request }) };
  const content = withinBytes(reply.content.trim(), order.most).toWellFormed();
  if (content === '') return { ...sent, reply: noText(reply) };
  const { meta: _thinking, malformed: _calls, ...rest } = reply;
  return { ...part, reply: { ...rest, content, toolCalls: [] } };
}

export interface SummaryRequest {
  readonly part: SummaryPartOrder;
  readonly request: CallRequest;
}

/** The request for one part of a summary; null if nothing fits besides the orders. */
export function summaryRequest(measured: MeasuredCall, summary: Summarising): SummaryRequest | null {
  const part = summaryPart(measured, summary);
  return part === null ? null : { part, request: askingWith(measured.request, part.messages) };
}

/** The same request with other messages. An owed reply may force its tool, but a summary is text. */
function askingWith(
  { owed: _none, introduction, ...request }: CallRequest,
  messages: readonly SeenMessage[],
): CallRequest {
  // Without messages of the agent it would come last: the agent would be asked to begin, not for a summary.
  const isBehindOrder = introduction !== undefined && messages.some(({ role }) => role === 'assistant');
  const idempotencyKey = `${request.idempotencyKey}/summary`;
  return { ...request, ...(isBehindOrder ? { introduction } : {}), messages, idempotencyKey };
}

function sizeKnown(reply: CallReply, measured: MeasuredCall): { readonly size?: RequestSize } {
  if (reply.kind !== 'failed' || reply.failure.code !== CONTEXT_OVERFLOW) return {};
  return { size: sizeAfterOverflow(measured, reply.failure.overflow ?? {}) };
}

function noRoom({ model, window, fixed }: RequestSize): CallFailure {
  return {
    kind: 'failed',
    failure: {
      code: 'WINDOW_TOO_SMALL',
      message: `The agent's instructions, tools and order need about ${shortCount(fixed)} tokens, and nothing else fits into the window of model ${model} (${shortCount(window)} tokens).`,
      class: 'config',
      hint: `Set \`window\` of model ${model} if it takes more, give the agent a model with a larger window, or shorten the order.`,
    },
  };
}

function noText({ usage, costUsd, model }: Extract<CallReply, { kind: 'answered' }>): CallFailure {
  const message = `Model ${model} was asked for a summary and answered without text.`;
  return {
    kind: 'failed',
    failure: { code: 'REPLY_EMPTY', message, class: 'bad-reply', hint: NO_TEXT_HINT },
    spent: { usage, costUsd, model },
  };
}

const NO_TEXT_HINT =
  'Resume the run to ask again. If that fails too, give the agent another model, or a smaller order that needs no summary.';
