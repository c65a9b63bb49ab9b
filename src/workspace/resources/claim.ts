import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import { isAlive, ownIdentity, type ProcessIdentity } from '../../lib/process-identity.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { parseObject } from '../../core/model/json.ts';
import { errorCode } from '../../lib/held-folder.ts';

/**
 * A file that says who has something. It appears whole or not at all, and one process at most can make it. One whose process
 * is dead is taken over by exactly one other.
 */
export async function claim(path: string, holder: Holder): Promise<Claimed> {
  makeFolder(dirname(path), 0o700);
  const draft = await writeDraft(dirname(path), holder);
  try {
    return await claimWith(path, draft, 0);
  } finally {
    await unlink(draft.path).catch(() => undefined);
  }
}

export type Claimed =
  | { readonly kind: 'ours'; readonly claim: Claim }
  /** Null when it cannot be said: it went away meanwhile, or cannot be read. */
  | { readonly kind: 'taken'; readonly by: ClaimText | null };

export interface Claim {
  release(): Promise<void>;
}

export interface ClaimText extends Holder {
  readonly token: string;
  readonly process: ProcessIdentity;
}

interface Draft {
  readonly path: string;
  readonly token: string;
}

async function writeDraft(folder: string, { root, workspace }: Holder): Promise<Draft> {
  const token = randomBytes(12).toString('hex');
  const path = join(folder, `.${token}${DRAFT_ENDING}`);
  const text: ClaimText = { root, workspace, token, process: ownIdentity() };
  await writeFile(path, JSON.stringify(text), { flag: 'wx', mode: 0o600 });
  return { path, token };
}

const DRAFT_ENDING = '.draft';

function isClaimName(name: string): boolean {
  return !name.startsWith('.');
}

/** Takeovers that were themselves cut short; more than a few in a row are no accident. */
const MAX_DEPTH = 5;

async function claimWith(path: string, draft: Draft, depth: number): Promise<Claimed> {
  if (await tryLink(draft.path, path)) return { kind: 'ours', claim: claimAt(path, draft.token) };
  const found = await readClaim(path);
  if (found === null || isAlive(found.process) || depth > MAX_DEPTH) return { kind: 'taken', by: found };
  return takeOver({ path, dead: found.token }, draft, depth);
}

/** The right to replace a dead claim is itself claimed, by the dead one's name; then it is looked at once more. */
async function takeOver(
  target: { readonly path: string; readonly dead: string },
  draft: Draft,
  depth: number,
): Promise<Claimed> {
  const right = await claimWith(join(dirname(target.path), `.over-${target.dead}`), draft, depth + 1);
  if (right.kind === 'taken') return right;
  try {
    const now = await readClaim(target.path);
    if (now?.token !== target.dead) return { kind: 'taken', by: now };
    const copy = `${draft.path}-${depth}`;
    await link(draft.path, copy);
    await rename(copy, target.path);
    return { kind: 'ours', claim: claimAt(target.path, draft.token) };
  } finally {
    await right.claim.release();
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function claimAt(path: string, token: string): Claim {
  return {
    release: async () => {
      const now = await readClaim(path);
      if (now?.token === token) await unlink(path).catch(() => undefined);
    },
  };
}

/** Null when it is gone, or cannot be read. */
async function readClaim(path: string): Promise<ClaimText | null> {
  const claim = parseObject(await readFile(path, 'utf8').catch(() => '')) as Partial<ClaimText> | null;
  return typeof claim?.token === 'string' && typeof claim.process?.pid === 'number' ? (claim as ClaimText) : null;
}

/**
 * Waits until it is free. Each waiter draws a ticket, and only the oldest living one tries: first come, first served,
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

export interface Holder {
  readonly root: string;
  readonly workspace: string;
}
