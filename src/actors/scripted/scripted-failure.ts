import { unreachable } from '../../core/fault.ts';
import type { Failure } from '../../core/outcome.ts';
import { failureOf, unreadable, type FailedCall } from '../model/call-failure.ts';
import { replyRefusal } from '../model/reply-refusal.ts';
import type { StreamedReply } from '../model/read-stream.ts';
import { openAiOverflow } from './openai-error.ts';
import type { ScriptedFault } from './rule.ts';
import type { ScriptedAnswer } from './scripted-answer.ts';

type EndingFault = Exclude<ScriptedFault, { kind: 'hang' }>;

/** The failure the API actor would make of the same fault, without the trip over a wire. */
export function faultFailure(fault: EndingFault, call: FailedCall): Failure {
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
export function answerFailure(answer: ScriptedAnswer, call: FailedCall): Failure | null {
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
