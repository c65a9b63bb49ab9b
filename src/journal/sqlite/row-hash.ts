import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

type Part = string | number | null;

/** For chains, which prove a whole history. No part but the last may hold a line break, so that no two rows read the same. */
export const rowHash = (...parts: readonly Part[]): string => hash('sha256', parts.join('\n'), 'base64url');

/** For single rows that change, where only accidents are to be noticed: short and cheap. */
export const rowSum = (...parts: readonly Part[]): number => crc32(parts.join('\n'));
