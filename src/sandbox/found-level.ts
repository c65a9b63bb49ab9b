import type { Containment } from '../lib/process-tree.ts';
import type { ProcessLimit } from './limits/box-limits.ts';
import type { SandboxLevel } from './port.ts';

/** The findings of the self-test about one level. Plain data, so that it can be kept. */
export interface FoundLevel {
  readonly level: SandboxLevel;
  /** Why it cannot be used; empty when it works. */
  readonly failures: readonly string[];
  /** Protections that are missing here. */
  readonly gaps: readonly string[];
  readonly hasOverlay: boolean;
  readonly processLimit: ProcessLimit;
  /** What holds the process tree together, besides the level itself. */
  readonly containment: Containment;
  /** The host id of commands: the user's own, or for root one that owns nothing. */
  readonly identity: 'own' | 'mapped';
  /** Bubblewrap's program, and what its version can do. */
  readonly program: string;
  readonly canForbidNamespaces: boolean;
  readonly canLimitScratch: boolean;
}

/** All levels, the strongest first. */
export interface FoundSandboxes {
  readonly levels: readonly FoundLevel[];
  readonly scratch: string;
}
