/** Ends the reading of a text at the first place where it cannot go on; `read-document` turns it into a problem. */
export class SourceError extends Error {
  readonly code: string;
  readonly offset: number;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: { readonly offset: number; readonly hint?: string }) {
    super(message);
    this.code = code;
    this.offset = options.offset;
    this.hint = options.hint;
  }
}
