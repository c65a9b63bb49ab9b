/** The engine will not ask for this; `code` is for programs, the message for the agent. */
export class WebRefused extends Error {
  override readonly name = 'WebRefused';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
