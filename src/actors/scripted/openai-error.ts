import type { JsonObject } from '../../core/json.ts';
import type { WireError } from './wire-format.ts';

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** The error object both OpenAI formats share. */
export function openAiError(error: WireError): JsonObject {
  const type = error.error ?? TYPES[error.status] ?? (error.status >= 500 ? 'server_error' : 'invalid_request_error');
  return { error: { message: error.message, type, param: null, code: error.error } };
}

export const OPENAI_OVERLOADED: WireError = {
  status: 503,
  error: 'server_is_overloaded',
  message: 'The engine is currently overloaded, please try again later',
};

export const openAiOverflow = (tokens: number, window: number): WireError => ({
  status: 400,
  error: 'context_length_exceeded',
  message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
});
