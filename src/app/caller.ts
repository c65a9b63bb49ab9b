import type { KnownSecrets } from '../secrets/known-secrets.ts';

/** Who asks for something: the folder their words are meant from, their environment, and what must not be written down. */
export interface Caller {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Grows with the settings that are read. */
  readonly secrets: KnownSecrets;
  /** Hears what happens beside the answer, such as a server that is waited for. */
  readonly note?: (sentence: string) => void;
}
