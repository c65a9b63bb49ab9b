import type { Fault } from '../../core/model/fault.ts';
import type { AccessRole } from '../../protocol/operations/access.ts';

/** A token as it is kept: its hash, never itself. */
export interface KeptToken {
  readonly name: string;
  readonly role: AccessRole;
  /** SHA-256 of the token, in hex. */
  readonly hash: string;
  readonly createdAt: number;
  /** Null where it does not expire. */
  readonly expiresAt: number | null;
  readonly perMinute: number;
  readonly streams: number;
}

/** Where tokens are kept: files of the home, and one day the database of a cluster. */
export interface TokenStore {
  /** By name. One that is damaged is left out and handed to `onDamaged`; without that it is thrown: TOKEN_DAMAGED. */
  list(onDamaged?: (fault: Fault) => void): Promise<readonly KeptToken[]>;
  /** TOKEN_EXISTS where the name is taken. */
  add(token: KeptToken): Promise<void>;
  /** False where there is none of this name. */
  remove(name: string): Promise<boolean>;
}
