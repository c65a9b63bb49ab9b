import type { KnownSecrets } from '../secrets/known-secrets.ts';

/** The caller of an operation: the folder that paths count from, the environment, and the secrets to keep out. */
export interface Caller {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Grows with the settings that are read. */
  readonly secrets: KnownSecrets;
  /** Hears what happens beside the answer, such as a server that is waited for. */
  readonly note?: (sentence: string) => void;
}
