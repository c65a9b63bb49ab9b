import { z } from 'zod';
import type { Fault } from '../../core/model/fault.ts';
import { ACCESS_ROLES } from '../../protocol/operations/access.ts';
import { tokenName } from '../../protocol/operations/tokens.ts';

/** A token as it is kept: its SHA-256 in hex, never itself. */
export const keptTokenSchema = z
  .strictObject({
    name: tokenName,
    role: z.enum(ACCESS_ROLES),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    createdAt: z.number(),
    /** Null where it does not expire. */
    expiresAt: z.number().nullable(),
    perMinute: z.int().positive(),
    streams: z.int().positive(),
  })
  .readonly();

export type KeptToken = z.infer<typeof keptTokenSchema>;

/** Where tokens are kept: files of the home, and one day the database of a cluster. */
export interface TokenStore {
  /** By name. One that is damaged is left out and handed to `onDamaged`; without that it is thrown: TOKEN_DAMAGED. */
  list(onDamaged?: (fault: Fault) => void): Promise<readonly KeptToken[]>;
  /** TOKEN_EXISTS where the name is taken. */
  add(token: KeptToken): Promise<void>;
  /** False where there is none of this name. */
  remove(name: string): Promise<boolean>;
}
