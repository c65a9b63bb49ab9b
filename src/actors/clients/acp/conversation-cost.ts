import { createHash } from 'node:crypto';
import type { CostUsd } from '../../../core/usage.ts';
import { readHeldFile, writeHeldFile } from '../../../lib/held-file.ts';
import { withFolder } from '../../../lib/held-folder.ts';

/**
 * What a conversation had cost when it was last heard of. Agents tell what all of it cost, and of one that is gone on with
 * nobody else knows what was new. Kept where the agent itself can write: no link is followed, and the worst it can do is to
 * be wrong about its own cost, as it can be anyway.
 */
export async function costSoFar(home: string, session: string): Promise<CostUsd> {
  try {
    const walk = { root: home, names: [FOLDER] };
    const words = await withFolder(walk, (folder) => readHeldFile(folder, nameOf(session), { maxBytes: 64 }));
    const cost = Number.parseFloat(words.toString('utf8'));
    return Number.isFinite(cost) && cost >= 0 ? cost : null;
  } catch {
    return null;
  }
}

export async function noteCost(home: string, session: string, cost: number): Promise<void> {
  const walk = { root: home, names: [FOLDER], create: true };
  const content = `${cost}\n`;
  await withFolder(walk, (folder) => writeHeldFile(folder, nameOf(session), { content, mode: 0o600 }));
}

const FOLDER = '.troupe-costs';

/** An agent may call its conversations whatever it likes. */
const nameOf = (session: string): string => createHash('sha256').update(session).digest('hex').slice(0, 32);
