import type { Parsed } from './parsed.ts';

/** Ends the parsing of one source at its first problem. Thrown and caught inside this folder only. */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** The boundary: problems become values, anything else is a defect and goes on as an exception. */
export function parsed<T>(parse: () => T): Parsed<T> {
  try {
    return { ok: true, value: parse() };
  } catch (error) {
    if (error instanceof SourceProblem) return { ok: false, message: error.message, offset: error.offset };
    throw error;
  }
}
