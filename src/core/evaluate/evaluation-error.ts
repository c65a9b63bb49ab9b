/** An expression could not be evaluated. The interpreter turns it into a failure of class `script`; it never means "false" (L3). */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
  readonly code: EvaluationCode;

  constructor(message: string, options: { readonly code?: EvaluationCode; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? 'EXPRESSION_FAILED';
  }
}

/** `EXPRESSION_FAILED`: JavaScript would have thrown. `VALUE_TOO_LARGE`, `VALUE_NOT_JSON`: the result cannot be kept. */
export type EvaluationCode = 'EXPRESSION_FAILED' | 'VALUE_TOO_LARGE' | 'VALUE_NOT_JSON';
