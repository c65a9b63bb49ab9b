import { CONTEXT_OVERFLOW, type Failure, type FailureClass, type Overflow } from '../../core/outcome.ts';

/** Which model at which host: what every failure's sentence names. */
export interface CallTarget {
  readonly model: string;
  readonly host: string;
}

/** What an endpoint said about why it did not answer. */
export interface ErrorSigns {
  readonly status?: number;
  readonly type?: string;
  readonly code?: string;
  /** The endpoint's own words, already freed of secrets. */
  readonly message?: string;
  readonly retryAfterMs?: number;
  /** It said that the request is larger than the model's window. */
  readonly overflow?: Overflow;
}

interface Verdict {
  readonly class: FailureClass;
  readonly code: string;
  readonly sentence: (target: CallTarget) => string;
  readonly hint?: string;
}

const QUOTA: Verdict = {
  class: 'quota',
  code: 'QUOTA_EXCEEDED',
  sentence: ({ model, host }) => `The account at ${host} has no quota left for model ${model}`,
  hint: 'Add credit or raise the limit of the account, then resume the run.',
};
const AUTH: Verdict = {
  class: 'auth',
  code: 'AUTH_FAILED',
  sentence: ({ model, host }) => `The endpoint ${host} refused the credentials for model ${model}`,
  hint: 'Check the API key configured for this model.',
};
const OVERLOAD: Verdict = {
  class: 'overload',
  code: 'ENDPOINT_OVERLOADED',
  sentence: ({ model, host }) => `The endpoint ${host} is overloaded and did not serve model ${model}`,
};
const RATE: Verdict = {
  class: 'rate',
  code: 'RATE_LIMITED',
  sentence: ({ model, host }) => `The endpoint ${host} limits the rate of calls to model ${model}`,
};
const TIMEOUT: Verdict = {
  class: 'timeout',
  code: 'CALL_TIMEOUT',
  sentence: ({ model, host }) => `The endpoint ${host} gave up waiting for model ${model}`,
};
const SERVER: Verdict = {
  class: 'server',
  code: 'ENDPOINT_FAILED',
  sentence: ({ model, host }) => `The endpoint ${host} failed while it served model ${model}`,
};
const MOVED: Verdict = {
  class: 'config',
  code: 'ENDPOINT_MOVED',
  sentence: ({ model, host }) => `The endpoint ${host} of model ${model} sends calls to another address`,
  hint: 'Put that address into the base URL of the model: keys do not follow redirects.',
};
const REFUSED: Verdict = {
  class: 'bad-request',
  code: 'REQUEST_REFUSED',
  sentence: ({ model, host }) => `The endpoint ${host} refused the request to model ${model}`,
  hint: 'Check that the endpoint has this model and that it takes tools.',
};

/** The engine makes the conversation shorter and tries once more; the hint is for what cannot be made shorter. */
const OVERFLOW: Verdict = {
  class: 'bad-request',
  code: CONTEXT_OVERFLOW,
  sentence: ({ model, host }) => `The request was larger than the window of model ${model} at ${host}`,
  hint: 'Set `window` of this model to the number of tokens that its endpoint takes, or choose a model with a larger window.',
};

/** The order counts: a 429 may be a spent account, a 503 an overload, a 400 an empty purse. */
const TESTS: readonly (readonly [Verdict, (status: number, words: string) => boolean])[] = [
  [MOVED, (status) => status >= 300 && status < 400],
  [QUOTA, (status, words) => status === 402 || QUOTA_WORDS.test(words)],
  [AUTH, (status, words) => status === 401 || status === 403 || AUTH_WORDS.test(words)],
  [OVERLOAD, (status, words) => status === 529 || (status !== 400 && /overloaded/i.test(words))],
  [RATE, (status, words) => status === 429 || /\brate_limit/i.test(words)],
  [TIMEOUT, (status) => status === 408],
  [SERVER, (status, words) => status >= 500 || /\b(api_error|server_error|internal_error)\b/i.test(words)],
  [
    REFUSED,
    (status, words) => status >= 400 || /\b(invalid_request_error|not_found_error|invalid_prompt)\b/i.test(words),
  ],
];

const QUOTA_WORDS =
  /insufficient_(quota|credits|balance)|billing_(error|hard_limit_reached|not_active)|quota_exceeded|credit balance is too low|insufficient (credits|balance|funds)/i;
const AUTH_WORDS = /\b(authentication_error|permission_error|invalid_api_key)\b/i;

/** Null when the signs fit no known kind of failure. */
export function failureFromSigns(signs: ErrorSigns, target: CallTarget): Failure | null {
  const words = [signs.type, signs.code, signs.message].filter((word) => word !== undefined).join(' ');
  const verdict = isOverflow(signs) ? OVERFLOW : TESTS.find(([, fits]) => fits(signs.status ?? 0, words))?.[0];
  if (verdict === undefined) return null;
  return {
    ...(verdict === OVERFLOW ? { overflow: signs.overflow ?? {} } : {}),
    class: verdict.class,
    code: verdict.code,
    message: `${verdict.sentence(target)}${detail(signs, verdict)}`,
    ...(signs.retryAfterMs === undefined ? {} : { retryAfterMs: signs.retryAfterMs }),
    ...(verdict.hint === undefined ? {} : { hint: verdict.hint }),
  };
}

/** Limits on tokens a minute (429) are told in similar words; a body that the server does not even read (413) has no words. */
function isOverflow({ status, overflow }: ErrorSigns): boolean {
  if (status === 413) return true;
  return overflow !== undefined && ![401, 402, 403, 429].includes(status ?? 0);
}

/** Endpoints like to quote the key, half masked, when they refuse it: their words are then left out. */
function detail(signs: ErrorSigns, verdict: Verdict): string {
  const status = signs.status === undefined ? '' : ` (HTTP ${signs.status})`;
  const said = verdict === AUTH || !signs.message ? '.' : `: ${signs.message}`;
  return `${status}${said}`;
}
