import type { FaultCode } from '../../core/codes/codes.ts';
import { CONTEXT_OVERFLOW, type Failure, type FailureClass, type Overflow } from '../../core/model/outcome.ts';
import { withoutValues } from '../../secrets/without-values.ts';
import { parseObject } from '../../core/model/json.ts';

/** The model and the host, named by every failure message. */
export interface CallTarget {
  readonly model: string;
  readonly host: string;
}

/** An endpoint's reason for not answering. */
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
  readonly code: FaultCode;
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

/** The engine shortens the conversation and retries; the hint is for one that cannot be shortened. */
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

/** Rate limits on tokens (429) have similar messages; a body that the server does not read (413) has none. */
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

/** How endpoints describe a request larger than the model's window: a code, or a sentence with or without numbers. */
const SHAPES: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size_error|model_context_window_exceeded|request_too_large/i,
  // Anthropic
  /prompt is too long/i,
  /exceed context limit: (?<tokens>[\d,]+)/i,
  // OpenAI, xAI, vLLM, OpenRouter, Mistral
  /exceeds the (model's )?context window/i,
  /maximum (context|prompt) length/i,
  // Gemini
  /input token count.{0,20}exceeds the maximum/i,
  // llama.cpp, LM Studio, Ollama
  /exceeds? the available context size|greater than the context length/i,
  // Kimi, MiniMax, Bedrock, Groq
  /exceeded model token limit|context window exceeds limit|input is too long for|reduce the length of the messages/i,
];

/** The window, where the sentence names it. */
const WINDOWS: readonly RegExp[] = [
  /tokens > (?<window>[\d,]+) maximum/i,
  /exceed context limit: [\d,]+ \+ [\d,]+ > (?<window>[\d,]+)/i,
  /maximum (?:context|prompt) length (?:is|of) (?<window>[\d,]+)/i,
  /with (?<window>[\d,]+) maximum context length/i,
  /exceeds the maximum number of tokens allowed \(?(?<window>[\d,]+)/i,
  /available context size \((?<window>[\d,]+)/i,
  /context (?:window|length|limit) (?:of|is|:) ?(?<window>[\d,]+)/i,
  /token limit: (?<window>[\d,]+)/i,
];

/** How large the request was, where the sentence names it. */
const SIZES: readonly RegExp[] = [
  /prompt is too long: (?<tokens>[\d,]+)/i,
  /exceed context limit: (?<tokens>[\d,]+)/i,
  /(?:you requested|resulted in|request contains|prompt contains) (?:about |at least )?(?<tokens>[\d,]+)/i,
  /input token count \(?(?<tokens>[\d,]+)/i,
  /request \((?<tokens>[\d,]+) tokens\)/i,
];

/** Null if the text is about something else. Separate `window` and `tokens` fields, as llama.cpp sends them, win. */
export function overflowIn(words: string, fields: Overflow = {}): Overflow | null {
  if (!SHAPES.some((shape) => shape.test(words))) return null;
  return {
    ...named('window', fields.window ?? numberIn(words, WINDOWS)),
    ...named('tokens', fields.tokens ?? numberIn(words, SIZES)),
  };
}

function numberIn(words: string, shapes: readonly RegExp[]): number | undefined {
  for (const shape of shapes) {
    const found = Object.values(shape.exec(words)?.groups ?? {})[0];
    if (found !== undefined) return Number(found.replaceAll(',', ''));
  }
  return undefined;
}

function named(name: keyof Overflow, value: number | undefined): Overflow {
  return value !== undefined && Number.isSafeInteger(value) && value > 0 ? { [name]: value } : {};
}

/** How long the endpoint asked us to wait, in milliseconds. Undefined when it did not say, or said something senseless. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  const precise = Number.parseFloat(headers['retry-after-ms'] ?? '');
  const wishes = [precise, /^\d+(\.\d+)?$/.test(text) ? Number.parseFloat(text) * 1000 : untilDate(text, headers, now)];
  // Digits without end are a number too, but no time: it would be journaled as nothing.
  const wait = wishes.find((wish) => Number.isFinite(wish) && wish >= 0);
  return wait === undefined ? undefined : Math.ceil(wait);
}

function untilDate(text: string, headers: Readonly<Record<string, string>>, now: number): number {
  // The endpoint's own clock if it sends one: ours may be off by more than the wait.
  const there = Date.parse(headers['date'] ?? '');
  return Math.max(0, Date.parse(text) - (Number.isNaN(there) ? now : there));
}

const LONGEST_QUOTE = 300;

/**
 * Reads an error in any shape: an SDK error, an error event of a stream, a body. Removes the `secrets`.
 */
export function signsOf(error: unknown, secrets: readonly string[]): ErrorSigns {
  const outer = record(error);
  const inner = innerError(outer);
  const status = statusOf(outer, inner);
  const message = text(inner['message']) ?? text(outer['message']) ?? (typeof error === 'string' ? error : undefined);
  const wait = retryAfterMs(headersOf(outer), Date.now());
  const [type, code] = ['type', 'code'].map((name) => text(inner[name]) ?? text(outer[name]));
  const overflow = overflowIn([type, code, message].join(' '), numbersOf(inner));
  return {
    ...(status === undefined ? {} : { status }),
    ...optional('type', type),
    ...optional('code', code),
    ...optional('message', message === undefined ? undefined : quote(message, secrets)),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(overflow === null ? {} : { overflow }),
  };
}

/** llama.cpp sends the two sizes as separate fields. */
function numbersOf({ n_ctx: window, n_prompt_tokens: tokens }: Fields): Overflow {
  return {
    ...(typeof window === 'number' ? { window } : {}),
    ...(typeof tokens === 'number' ? { tokens } : {}),
  };
}

/** One line, not too long, with every secret blotted out. */
export function quote(message: string, secrets: readonly string[]): string {
  // Before it is cut: a part of a secret is not found any more.
  const line = withoutValues(message, secrets).replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}

/** The endpoint's own error object: parsed by the SDK, or still text in the body. */
function innerError(outer: Fields): Fields {
  const body = fieldsOrNull(outer['data']) ?? parseObject(text(outer['responseBody']) ?? '');
  if (body === null) return {};
  const response = fieldsOrNull(body['response']);
  return fieldsOrNull(body['error']) ?? (response && fieldsOrNull(response['error'])) ?? body;
}

function statusOf(outer: Fields, inner: Fields): number | undefined {
  const candidates = [outer['statusCode'], outer['status'], inner['status'], inner['code'], outer['code']];
  return candidates.map(Number).find((value) => Number.isInteger(value) && value >= 100 && value < 600);
}

function headersOf(outer: Fields): Readonly<Record<string, string>> {
  const headers = fieldsOrNull(outer['responseHeaders']) ?? {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOrNull(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

const record = (value: unknown): Fields => fieldsOrNull(value) ?? {};
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const optional = <Name extends string>(name: Name, value: string | undefined): { readonly [key in Name]?: string } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: string };
