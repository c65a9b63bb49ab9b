import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../lib/process-identity.ts';
import { claim, isClaimName, readClaim } from './claim.ts';
import type { Claim } from './claim.ts';
import type { Holder } from './port.ts';

/**
 * Waits until nobody else has it. Who waits draws a ticket, and only the oldest living one tries: first come, first served,
 * as exactly as the clocks are. The claim alone decides, so a wrong clock costs fairness and nothing else.
 */
export async function holdMutex(folder: string, holder: Holder, signal?: AbortSignal): Promise<Claim> {
  signal?.throwIfAborted();
  const queue = join(folder, 'queue');
  const name = `${Date.now().toString(36).padStart(10, '0')}-${process.pid}-${(drawn += 1).toString(36)}`;
  const ticket = await claim(join(queue, name), holder);
  try {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
      const held = (await isNext(queue, name)) ? await claim(join(folder, 'held'), holder) : null;
      if (held?.kind === 'ours') return held.claim;
      await delay(waitMs, undefined, signal === undefined ? {} : { signal });
    }
  } finally {
    if (ticket.kind === 'ours') await ticket.claim.release();
  }
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 250;
let drawn = 0;

async function isNext(queue: string, own: string): Promise<boolean> {
  const names = await readdir(queue).catch(() => []);
  const earlier = names.filter((name) => isClaimName(name) && name < own);
  for (const name of earlier) {
    const waiting = await readClaim(join(queue, name));
    if (waiting !== null && isAlive(waiting.process)) return false;
    await unlink(join(queue, name)).catch(() => undefined);
  }
  return true;
}
