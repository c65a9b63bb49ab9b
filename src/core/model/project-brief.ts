import type { BodyHash } from './ids.ts';

/** Facts about the project that all agents of a run read, as they were when the run began (A2). */
export interface ProjectBrief {
  /** The commands by which the project is tested; empty where none is known. */
  readonly tests: readonly string[];
  /** The commands by which this run checks what its agents made; absent where there are none. */
  readonly checks?: readonly string[];
  /** The command that makes each new workspace ready. */
  readonly setup?: string;
  readonly missing?: MissingPackages;
  /** The only hosts whose pages agents may read; absent where that is not limited. */
  readonly webHosts?: readonly string[];
  /** The text of its notes, in the journal's store. */
  readonly notes?: BodyHash;
}

/** Packages that no workspace has: they are ignored by git, and no setup command is configured. */
export interface MissingPackages {
  /** The folder they would be in. */
  readonly folder: string;
  /** The file that names them. */
  readonly lock: string;
  /** The command that would install them. */
  readonly setup: string;
}
