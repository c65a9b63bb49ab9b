import { hash } from 'node:crypto';

/** A hash over the parts of a row. No part but the last may hold a line break, so that no two rows read the same. */
export const rowHash = (...parts: readonly (string | number | null)[]): string =>
  hash('sha256', parts.join('\n'), 'base64url');
