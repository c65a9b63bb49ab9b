import type { Failure } from '../../../core/outcome.ts';
import { quote } from '../../model/error-signs.ts';
import { endpointFailure, usedUp, type ClientName, type ClientSigns } from '../client-failure.ts';
import { objectIn, parseObject, stringIn } from '../read-json.ts';

/** What the client gives as the reason has no code, only words; they are what tells the classes apart. */
export function excuseFailure(name: ClientName, excuse: string, { now, zone }: FailureMoment): Failure {
  const words = withZone(excuse, zone);
  if (QUOTA_WORDS.test(words)) return usedUp(name, quote(words, name.secrets), undefined);
  const known = endpointFailure(name, signsOf(words), now);
  if (known !== null) return known;
  return NETWORK_WORDS.test(words) ? unreachable(name, words) : gaveUp(name, words);
}

export interface FailureMoment {
  readonly now: number;
  /** In which the client tells the time of day. */
  readonly zone: string;
}

/** `try again at 6:13 AM`: of a clock that stands where the client runs. */
const withZone = (words: string, zone: string): string =>
  words.replace(/(\btry again at [^()]*?\d ?[AP]M)\b/i, `$1 (${zone})`);

const QUOTA_WORDS = /^Quota exceeded\b|\bupgrade to (Plus|Pro|a paid plan)\b(?!.*try again)/i;

function signsOf(words: string): ClientSigns {
  const body = objectIn(parseObject(words)?.['error']);
  const message = stringIn(body['message']) || words;
  const type = stringIn(body['type']);
  const status = type === '' ? statusOf(words) : 400;
  return { ...(status === undefined ? {} : { status }), ...(type === '' ? {} : { type }), message };
}

/** Told as a number in most cases, in some by set phrases only. */
function statusOf(words: string): number | undefined {
  const told = /\b(?:unexpected|last) status:? (\d{3})\b/.exec(words)?.[1];
  if (told !== undefined) return Number(told);
  return PHRASES.find(([, phrase]) => phrase.test(words))?.[0];
}

const PHRASES: readonly (readonly [number, RegExp])[] = [
  [401, /^Missing environment variable|not logged in|log ?in again|sign ?in again|token (has )?expired|refresh token/i],
  [529, /at capacity|overloaded/i],
  [500, /experiencing high demand|internal server error/i],
  [429, /^rate limit|too many requests/i],
  [400, /context window|model .* (is not supported|does not exist|not found)/i],
];

const NETWORK_WORDS =
  /^stream disconnected|^Connection failed|error sending request|failed to lookup|connection (closed|reset|refused)|timed? ?out/i;

function unreachable(name: ClientName, words: string): Failure {
  const isCut = /^stream disconnected/i.test(words) && !/lookup/.test(words);
  const said = quote(words, name.secrets);
  if (isCut) {
    return {
      class: 'network',
      code: 'STREAM_CUT',
      message: `The reply of ${name.host} to ${name.title} broke off: ${said}`,
    };
  }
  return {
    class: 'network',
    code: 'ENDPOINT_UNREACHABLE',
    message: `${name.title} cannot reach ${name.host}: ${said}`,
    hint: 'Check the base URL of the client, and that something listens there.',
  };
}

const gaveUp = ({ title, secrets }: ClientName, words: string): Failure => ({
  class: 'crash',
  code: 'CLIENT_FAILED',
  message: `${title} gave up: ${quote(words, secrets)}`,
});
