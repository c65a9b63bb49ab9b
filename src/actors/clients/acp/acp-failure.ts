import type { Json } from '../../../core/model/json.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import { DESK_NAME } from '../../port.ts';
import { objectIn, stringIn } from '../../read-json.ts';
import {
  type ClientName,
  deskUnreachable,
  endpointFailure,
  endpointUnreachable,
  gaveUp,
  replyUnreadable,
  sessionLost,
} from '../client-failure.ts';
import type { Opening } from './acp-session.ts';
import type { RpcError } from './json-rpc-peer.ts';

export const AUTH_REQUIRED = -32_000;

/** Why a turn failed, from the one sentence an agent has for it: the protocol has no kinds of errors for this. */
export function acpRefusal(name: ClientName, error: RpcError): Failure {
  const text = wordsOf(error);
  // Many use the same code for whatever goes wrong with them.
  return textFailure(name, text) ?? (error.code === AUTH_REQUIRED ? loginNeeded(name) : gaveUp(name, text));
}

/** Classifies the text of an error answer or of the agent's last output. Null for an unknown kind. */
export function textFailure(name: ClientName, text: string): Failure | null {
  const status = statusOf(text);
  const failure = endpointFailure(name, { ...(status === null ? {} : { status }), message: text }, Date.now());
  if (status !== null || failure !== null) return failure;
  return SPOKEN.find(([pattern]) => pattern.test(text))?.[1](name, text) ?? null;
}

function statusOf(text: string): number | null {
  const match = STATUS.exec(text);
  if (match !== null) return Number(match.slice(1).find((digits) => digits !== undefined));
  return /\b(?:high demand|overloaded)\b/i.test(text) ? OVERLOADED : null;
}

const OVERLOADED = 529;
const STATUS =
  /\b(?:API Error|status(?: code)?|HTTP|error)\W{1,3}([45]\d\d)\b|\b([45]\d\d) (?:Bad Request|Unauthorized|Forbidden|Too Many|Internal|Service|\{)|\(([45]\d\d)\)/i;

/** Errors without a status, known by their text. */
const SPOKEN: readonly (readonly [RegExp, (name: ClientName, text: string) => Failure])[] = [
  [
    /connection_failed|connection (?:error|refused|to the API was lost)|unable to connect|fetch failed|error sending request|stream disconnected|ECONN|ENOTFOUND|EAI_AGAIN/i,
    endpointUnreachable,
  ],
  [
    /not logged in|please run \/login|log ?in required|(?:invalid|missing) api key|authentication (?:required|failed)/i,
    loginNeeded,
  ],
  [/JSON parse error|unexpected (?:end|token)|invalid JSON/i, replyUnreadable],
];

/** The message, and the details that some agents add. */
function wordsOf({ message, data }: RpcError): string {
  const detail = detailOf(data);
  const text = message.replace(VAGUE, '');
  if (text === '') return detail === '' ? message : detail;
  return detail === '' || text.includes(detail) ? text : `${text}: ${detail}`;
}

const VAGUE = /^(?:internal|unknown) error(?:: |\.?$)/i;

function detailOf(data: Json): string {
  if (typeof data === 'string') return data;
  const { details, message, error } = objectIn(data);
  return stringIn(details) || stringIn(message) || stringIn(error) || stringIn(objectIn(error)['message']);
}

/** For a request that opens a conversation: agents differ in how they refuse an unknown one. */
export function sessionRefusal(
  name: ClientName,
  error: RpcError,
  { opening, hasDesk }: { readonly opening: Opening; readonly hasDesk: boolean },
): Failure {
  if (error.code === AUTH_REQUIRED) return loginNeeded(name);
  if (opening.known !== null) return sessionLost(name, opening.known);
  if (hasDesk && isAboutDesk(wordsOf(error))) return deskUnreachable(name);
  return acpRefusal(name, error);
}

const isAboutDesk = (text: string): boolean => /\bMCP\b/i.test(text) && text.includes(DESK_NAME);

function loginNeeded({ title, loginHint }: ClientName): Failure {
  return { class: 'auth', code: 'AUTH_FAILED', message: `${title} is not logged in.`, hint: loginHint };
}

export function wrongVersion({ title }: ClientName, version: Json): Failure {
  return {
    class: 'config',
    code: 'ACP_VERSION',
    message: `${title} speaks version ${JSON.stringify(version)} of the Agent Client Protocol, not version 1.`,
    hint: 'Install another version of it.',
  };
}

export function conversationMissing(name: ClientName): Failure {
  return gaveUp(name, 'it began a conversation without a name.');
}

export function modelMissing({ title }: ClientName, model: string): Failure {
  return {
    class: 'config',
    code: 'MODEL_NOT_OFFERED',
    message: `${title} does not offer the model ${model}.`,
    hint: 'Leave the model of this agent out, or name one that it has.',
  };
}
