import { readFileSync } from 'node:fs';
import { orElse } from './or-else.ts';
import { errorCode } from './held-folder.ts';

/**
 * Identifies a process uniquely. The system reuses a pid sooner or later; together with the start time of the process and
 * the boot it never does.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks between boot and start, as reported by the kernel; null if unknown. */
  readonly startedAt: string | null;
  readonly bootId: string | null;
}

export function ownIdentity(): ProcessIdentity {
  own ??= { pid: process.pid, startedAt: statOf(process.pid)?.startedAt ?? null, bootId: bootId() };
  return own;
}

/** False only when the process is certainly gone. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (differ(identity.bootId, bootId())) return false;
  if (!answersSignals(identity.pid)) return false;
  const stat = statOf(identity.pid);
  return stat === null || (!stat.isDead && !differ(identity.startedAt, stat.startedAt));
}

export function isSameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.startedAt === b.startedAt && a.bootId === b.bootId;
}

let own: ProcessIdentity | undefined;

/** An unknown value proves nothing. */
const differ = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b;

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

interface ProcessStat {
  readonly startedAt: string;
  /** Killed, and only waiting for its parent to notice. */
  readonly isDead: boolean;
}

/** The name in second place may itself hold spaces and brackets, so fields are counted from the last bracket. */
function statOf(pid: number): ProcessStat | null {
  const text = readOrNull(`/proc/${pid}/stat`);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startedAt] = [fields[0], fields[19]];
  if (state === undefined || startedAt === undefined) return null;
  return { startedAt, isDead: state === 'Z' || state === 'X' };
}

const bootId = (): string | null => readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? null;

export function readOrNull(file: string): string | null {
  return orElse(() => readFileSync(file, 'utf8'), null);
}
