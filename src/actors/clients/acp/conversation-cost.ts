import { createHash } from 'node:crypto';
import type { CostUsd } from '../../../core/usage.ts';
import { readHeldFile, writeHeldFile } from '../../../lib/held-file.ts';
import { withBooks } from '../beside-home.ts';

/**
 * What a conversation had cost when it was last heard of. Agents tell what all of it cost, and of one that is gone on with
 * nobody else knows what was new. Kept where no agent can write.
 */
export async function costSoFar(home: string, session: string): Promise<CostUsd> {
  try {
    const words = await withBooks(home, (folder) => readHeldFile(folder, nameOf(session), { maxBytes: 64 }));
    const cost = Number.parseFloat(words.toString('utf8'));
    return Number.isFinite(cost) && cost >= 0 ? cost : null;
  } catch {
    return null;
  }
}

export async function noteCost(home: string, session: string, cost: number): Promise<void> {
  const content = `${cost}\n`;
  await withBooks(home, (folder) => writeHeldFile(folder, nameOf(session), { content, mode: 0o600 }));
}

/** An agent may call its conversations whatever it likes. */
const nameOf = (session: string): string => createHash('sha256').update(session).digest('hex').slice(0, 32);
