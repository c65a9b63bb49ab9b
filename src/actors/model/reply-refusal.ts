import type { Failure } from '../../core/outcome.ts';
import { cutStream, failureOf, type FailedCall } from './call-failure.ts';
import type { StreamedReply } from './read-stream.ts';

/** Why a stream that was read to its end is still no answer; null when it is one. */
export function replyRefusal(reply: StreamedReply, call: FailedCall): Failure | null {
  if (reply.error !== null) return errorEvent(reply.error.cause, call);
  const failure = ignoredSettings(reply, call) ?? finishFailure(reply.finish, call);
  if (failure !== null) return failure;
  return isEmpty(reply) ? emptyReply(call) : null;
}

/** A setting without effect is refused: the user would believe that it has one. */
function ignoredSettings({ ignored }: StreamedReply, call: FailedCall): Failure | null {
  if (ignored.length === 0) return null;
  return {
    class: 'config',
    code: 'SETTING_UNSUPPORTED',
    message: `Model ${call.model} at ${call.host} does not take one of its settings: ${ignored.join('; ')}.`,
    hint: 'Take the setting out of the model in the configuration.',
  };
}

function finishFailure(finish: StreamedReply['finish'], call: FailedCall): Failure | null {
  switch (finish) {
    case null:
    case 'interrupted':
      return cutStream(call);
    case 'length':
      return {
        class: 'bad-reply',
        code: 'REPLY_TRUNCATED',
        message: `Model ${call.model} at ${call.host} ran out of room before its reply was complete.`,
        hint: 'Raise maxOutputTokens of the model, or let the role ask for less at once.',
      };
    case 'overflow':
      return failureOf({ message: 'model_context_window_exceeded' }, call);
    case 'content-filter':
      return {
        class: 'bad-request',
        code: 'REPLY_FILTERED',
        message: `The endpoint ${call.host} withheld the reply of model ${call.model} because of its content policy.`,
      };
    case 'error':
      return {
        class: 'server',
        code: 'ENDPOINT_FAILED',
        message: `The endpoint ${call.host} ended the reply of model ${call.model} with an error it did not explain.`,
      };
    default:
      return null;
  }
}

function errorEvent(cause: unknown, call: FailedCall): Failure {
  // The SDK's way to say that the last event never came.
  const isUnfinished = cause instanceof Error && cause.message.includes('without a finish reason');
  return isUnfinished ? cutStream(call) : failureOf(cause, call);
}

function isEmpty(reply: StreamedReply): boolean {
  return reply.calls.length === 0 && !reply.parts.some((part) => part.kind === 'text' && part.text.trim() !== '');
}

function emptyReply(call: FailedCall): Failure {
  return {
    class: 'bad-reply',
    code: 'EMPTY_REPLY',
    message: `Model ${call.model} at ${call.host} said nothing and called no tool.`,
  };
}
