import { hash } from 'node:crypto';

import { bodyHash, type BodyHash } from '../core/model/ids.ts';

/** A body is named by the SHA-256 of its JSON text [J5], the same in every journal. */
export const contentHash = (text: string): BodyHash => bodyHash(hash('sha256', text, 'hex'));
