/** Every answer that is no success has this body. */
export interface ApiError {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly problems?: readonly unknown[];
  };
}
