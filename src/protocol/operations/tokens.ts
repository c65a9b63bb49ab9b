import { z } from 'zod';
import { ACCESS_ROLES } from './access.ts';
import { listAnswer, plainName } from './parts.ts';

// Tokens of a team's server. They are managed on its own machine only, so no other face has these operations.

/** It names who acted in every journal, and a file. */
export const tokenName = plainName;

const about = {
  name: z.string(),
  role: z.enum(ACCESS_ROLES),
  createdAt: z.number(),
  expiresAt: z.number().nullable().describe('null: it does not expire'),
  perMinute: z.number().describe('Requests that it may make in a minute'),
  streams: z.number().describe('Streams that it may have open'),
};

export const TOKENS = {
  tokenNew: {
    request: z.strictObject({
      name: tokenName,
      role: z.enum(ACCESS_ROLES),
      expiresMs: z.number().positive().exactOptional().describe('From now; it does not expire where this is left out'),
      perMinute: z.int().positive().default(600).describe('Requests that it may make in a minute'),
      streams: z.int().positive().default(16).describe('Streams that it may have open'),
    }),
    answer: z.object({ kind: z.literal('token.new'), ...about, token: z.string().describe('Shown this once') }),
  },
  tokenList: {
    request: z.strictObject({}),
    answer: listAnswer('tokens', z.object({ ...about, isExpired: z.boolean() })),
  },
  tokenRevoke: {
    request: z.strictObject({ name: tokenName }),
    answer: z.object({ kind: z.literal('token.revoked'), name: z.string() }),
  },
} as const;

export type TokenRequest = Readonly<z.output<(typeof TOKENS)['tokenNew']['request']>>;
