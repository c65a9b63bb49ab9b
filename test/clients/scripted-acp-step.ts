/** One thing that the scripted ACP agent does when an order tells it to. */
export type ScriptedStep =
  | { readonly say: string }
  /** An update as it is. */
  | { readonly update: Readonly<Record<string, unknown>> }
  /** Says all orders of the conversation so far. */
  | { readonly recall: true }
  /** Says the names of its variables. */
  | { readonly environment: true }
  | { readonly write: string }
  /** Asks whether it may, and says which answer it got. */
  | { readonly ask: { readonly toolCallId: string } & Readonly<Record<string, unknown>> }
  /** Calls the first tool of its server, and says what it heard. */
  | { readonly signal: Record<string, unknown> }
  /** Writes it on its output, whatever it is. */
  | { readonly line: string }
  /** Starts a program that would outlive it. */
  | { readonly child: true }
  | { readonly crash: number }
  | { readonly hang: true }
  | { readonly fail: { readonly code: number; readonly message: string; readonly data?: unknown } }
  /** Ends the turn with this answer. */
  | { readonly end: Readonly<Record<string, unknown>> };

/** An order with steps for it. */
export const orderOf = (words: string, steps: readonly ScriptedStep[]): string =>
  `${words}\n\`\`\`acp\n${JSON.stringify(steps)}\n\`\`\``;
