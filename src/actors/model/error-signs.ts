import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Overflow } from '../../core/outcome.ts';
import { withoutValues } from '../../secrets/without-values.ts';
import type { ErrorSigns } from './http-failure.ts';
import { overflowIn } from './overflow.ts';
import { retryAfterMs } from './retry-after.ts';

const LONGEST_QUOTE = 300;

/**
 * Reads whatever shape an error came in: a thrown error of the SDK, an error event of a stream, a body.
 * `secrets` never come through.
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

/** llama.cpp sends the two sizes as fields of their own. */
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
  const body = fieldsOrNull(outer['data']) ?? parsed(text(outer['responseBody']));
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

function parsed(body: string | undefined): JsonObject | null {
  if (body === undefined) return null;
  try {
    const value = JSON.parse(body) as Json;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOrNull(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

const record = (value: unknown): Fields => fieldsOrNull(value) ?? {};
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const optional = <Name extends string>(name: Name, value: string | undefined): { readonly [key in Name]?: string } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: string };
