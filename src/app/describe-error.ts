import { isFault, type Problem } from '../core/model/fault.ts';
import { faultToFix } from '../workspace/store/store-fault.ts';

export interface ErrorLine {
  readonly kind: 'error';
  readonly code: string;
  readonly message: string;
  readonly problems: readonly Problem[];
  readonly hint?: string;
}

/** The same as data, for `--json`. An error that is no fault is a defect and says so. */
export function describeError(error: unknown): ErrorLine {
  const fault = isFault(error) ? error : faultToFix(error, placeOf(error));
  if (fault !== null) {
    const { code, message, problems, hint } = fault;
    return { kind: 'error', code, message, problems, ...(hint === undefined ? {} : { hint }) };
  }
  return {
    kind: 'error',
    code: 'INTERNAL',
    message: error instanceof Error ? error.message : String(error),
    problems: [],
    hint: 'This is a defect of Troupe. Set TROUPE_DEBUG=1 to see where it comes from.',
  };
}

/** In one line, for remarks beside the work. */
export function errorSentence(error: unknown): string {
  const { code, message, hint = '' } = describeError(error);
  return `${code}: ${message} ${hint}`.trimEnd();
}

const placeOf = (error: unknown): string =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : 'the disk';
