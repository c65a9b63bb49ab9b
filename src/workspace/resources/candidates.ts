import { createHash } from 'node:crypto';
import type { Holder, ResourceSetting } from './port.ts';

/** What a holder may get, in the order in which it is tried: what it had before, then from a place of its own onwards. */
export function candidatesFor(setting: Countable, wish: Wish): readonly string[] {
  const all = valuesOf(setting);
  const start = all.length === 0 ? 0 : placeOf(wish) % all.length;
  const inOrder = [...all.slice(start), ...all.slice(0, start)];
  const before = wish.before;
  if (before === undefined || !all.includes(before)) return inOrder;
  return [before, ...inOrder.filter((value) => value !== before)];
}

/** How many holders can have one at the same time. */
export const candidateCount = (setting: Countable): number => valuesOf(setting).length;

export type Countable = Extract<ResourceSetting, { kind: 'port' | 'name' }>;

export interface Wish extends Holder {
  readonly name: string;
  readonly before?: string | undefined;
}

const valuesOf = (setting: Countable): readonly string[] => (setting.kind === 'port' ? ports(setting) : names(setting));

/** Below what systems give out by themselves. */
export const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;
const HIGHEST_PORT = 65_535;

function ports({ from = FIRST_PORT, to }: Extract<Countable, { kind: 'port' }>): readonly string[] {
  const last = to ?? Math.min(HIGHEST_PORT, Math.max(LAST_PORT, from + 999));
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, at) => String(from + at));
}

function names({ pattern, count }: Extract<Countable, { kind: 'name' }>): readonly string[] {
  return Array.from({ length: count }, (_, at) => pattern.replaceAll('{n}', String(at + 1)));
}

/** Parallel holders begin at different places, and one that comes again at its own. */
function placeOf({ root, workspace, name }: Wish): number {
  return createHash('sha256')
    .update(JSON.stringify([root, workspace, name]))
    .digest()
    .readUInt32BE(0);
}
