/** How much a model takes in one request, as far as it is known before a call. Sizes are in tokens. */
export interface ModelWindow {
  /** The name it is configured by: what is learned about it is kept under this name. */
  readonly model: string;
  readonly tokens: number;
  /** Kept free for the reply. */
  readonly output: number;
  /** Set by the user; otherwise it is the family's window or a guess. */
  readonly isConfigured: boolean;
  /** Tokens for each token of the estimate, until a call has shown how many they really are. */
  readonly density: number;
  /** Old tool results may be replaced in the history: its earlier thinking is not bound to them. */
  readonly mayEdit: boolean;
}

/** Kept free for the reply where neither the configuration nor the family says how long it may be. */
export const usualOutput = (window: number): number => Math.floor(window / 5);
