import type { ApiError } from '../../src/protocol/web/api-error.ts';

/** The server refused, in its own words. Status 0: it could not be reached. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly problems: readonly unknown[];

  constructor(status: number, { code, message, hint, problems = [] }: ApiError['error']) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.problems = problems;
  }

  get isUnreachable(): boolean {
    return this.status === 0;
  }
}

export const unreachableServer = (): ApiProblem =>
  new ApiProblem(0, {
    code: 'SERVER_UNREACHABLE',
    message: 'The server does not answer.',
    hint: 'It may have been stopped: start it again with "troupe serve".',
  });

/** What an answer that is no success says; something sensible where it says nothing. */
export function problemOf(status: number, body: unknown): ApiProblem {
  const error = (body as Partial<ApiError> | null)?.error;
  if (typeof error?.code === 'string' && typeof error.message === 'string') return new ApiProblem(status, error);
  return new ApiProblem(status, { code: `HTTP_${status}`, message: `The server answered with status ${status}.` });
}
