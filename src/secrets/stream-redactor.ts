/** The part of the known secrets that a stream needs; they may grow while it flows. */
export interface StreamSecrets {
  redact(text: string): string;
  /** How much of a text can be shown before more of it is known. */
  settledLength(text: string): number;
}

/** Redacts text that comes in pieces: what may be the beginning of a secret is held back until the next piece decides. */
export class StreamRedactor {
  readonly #secrets: StreamSecrets;
  #held = '';

  constructor(secrets: StreamSecrets) {
    this.#secrets = secrets;
  }

  /** The text that can be shown now; often all of it, sometimes nothing. */
  push(piece: string): string {
    const text = this.#held + piece;
    const settled = this.#secrets.settledLength(text);
    this.#held = text.slice(settled);
    return this.#secrets.redact(text.slice(0, settled));
  }

  /** The rest, when nothing more comes. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return this.#secrets.redact(rest);
  }
}
