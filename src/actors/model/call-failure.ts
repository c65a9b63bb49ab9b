import type { Failure } from '../../core/model/outcome.ts';
import { type CallTarget, failureFromSigns, quote, signsOf } from './endpoint-error.ts';
import type { StreamedReply } from './wire.ts';

/** The context of a failed call. */
export interface FailedCall extends CallTarget {
  readonly secrets: readonly string[];
  /** The head of the response, once received. */
  readonly response: { readonly contentType: string } | null;
}

/** Turns anything thrown or streamed as an error into a failure with a class, a code and a sentence. */
export function failureOf(error: unknown, call: FailedCall): Failure {
  const network = networkCode(error);
  const signs = signsOf(error, call.secrets);
  const isAnswered = signs.status !== undefined && signs.status >= 400;
  if (network !== undefined && !isAnswered) return networkFailure(network, call);
  const known = failureFromSigns(signs, call);
  if (known !== null) return known;
  // The endpoint did answer, so its answer was unreadable.
  if (call.response !== null || isUnreadable(error)) return unreadable(call, signs.message);
  return {
    class: 'logic',
    code: 'CALL_FAILED',
    message: `The call to model ${call.model} at ${call.host} failed: ${signs.message ?? 'no reason was given'}`,
  };
}

/** The stream was over before the model said that it was done. */
function cutStream(call: FailedCall): Failure {
  // A proxy's page or a plain document also ends without a last event, but nothing was cut there.
  const isStream = call.response === null || /event-stream/i.test(call.response.contentType);
  if (!isStream) return unreadable(call, `the content type is ${call.response?.contentType || 'missing'}`);
  return {
    class: 'network',
    code: 'STREAM_CUT',
    message: `The reply of model ${call.model} from ${call.host} broke off in the middle.`,
  };
}

export function cancelled(target: CallTarget): Failure {
  return { class: 'cancelled', code: 'CALL_CANCELLED', message: `The call to model ${target.model} was cancelled.` };
}

export function timedOut(target: CallTarget, timeoutMs: number): Failure {
  return {
    class: 'timeout',
    code: 'CALL_TIMEOUT',
    message: `Model ${target.model} at ${target.host} did not finish its reply within ${timeoutMs} ms.`,
  };
}

export function unreadable(call: FailedCall, why: string | undefined): Failure {
  const reason = why === undefined ? '.' : `: ${quote(why, call.secrets)}`;
  return {
    class: 'bad-reply',
    code: 'REPLY_MALFORMED',
    message: `The reply of model ${call.model} from ${call.host} could not be read${reason}`,
  };
}

const TIMEOUT_CODES: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const NETWORK_CODE =
  /^(E[A-Z]{3,}|UND_ERR_\w+|CERT_\w+|ERR_(TLS|SSL)_\w+|\w+_(CERT|CERTIFICATE|CERT_IN_CHAIN|SIGNATURE))$/;

function networkFailure(code: string, call: FailedCall): Failure {
  if (TIMEOUT_CODES.has(code)) {
    return {
      class: 'timeout',
      code: 'CALL_TIMEOUT',
      message: `Model ${call.model} at ${call.host} went silent for too long (${code}).`,
    };
  }
  if (code === BAD_PORT) return badPort(call);
  if (call.response !== null) return cutStream({ ...call, response: null });
  return {
    class: 'network',
    code: 'ENDPOINT_UNREACHABLE',
    message: `The endpoint ${call.host} of model ${call.model} cannot be reached (${code}).`,
    hint: 'Check the base URL of the model, and that something listens there.',
  };
}

/** The whole message of `fetch`. */
const BAD_PORT = 'bad port';

/** Ports of other protocols, such as 6000 and 6667, are refused before anything is sent. */
function badPort(call: FailedCall): Failure {
  return {
    class: 'config',
    code: 'PORT_FORBIDDEN',
    message: `The endpoint ${call.host} of model ${call.model} has a port that web requests may not use.`,
    hint: 'It belongs to another protocol, and no fetch calls it. Let the server listen on another port, such as 8080.',
  };
}

/** The system's or the socket's code, wherever in the chain of causes it sits. */
function networkCode(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    const code = (current as { code?: unknown }).code;
    if (typeof code === 'string' && NETWORK_CODE.test(code)) return code;
    if (current instanceof TypeError && current.message === 'terminated') return 'ECONNRESET';
    if (current.message === BAD_PORT) return BAD_PORT;
    current = current.cause;
  }
  return undefined;
}

const UNREADABLE_NAMES = /JSONParseError|TypeValidationError|InvalidResponseDataError|EmptyResponseBodyError/;

function isUnreadable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isBrokenBody = 'statusCode' in error && error.statusCode === 200;
  return isBrokenBody || UNREADABLE_NAMES.test(error.name) || isUnreadable(error.cause);
}

/** Why a stream that was read to its end is still no answer; null when it is one. */
export function replyRefusal(reply: StreamedReply, call: FailedCall): Failure | null {
  if (reply.error !== null) return failureOf(reply.error.cause, call);
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

function isEmpty(reply: StreamedReply): boolean {
  return reply.calls.length === 0 && !reply.parts.some((part) => part.kind === 'text' && part.text.trim() !== '');
}

function emptyReply(call: FailedCall): Failure {
  return {
    class: 'bad-reply',
    code: 'REPLY_EMPTY',
    message: `Model ${call.model} at ${call.host} returned no text and called no tool.`,
  };
}
