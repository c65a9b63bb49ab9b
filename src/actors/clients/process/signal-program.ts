import { readFile } from 'node:fs/promises';
import type { ContainedStart } from '../../../lib/process-tree.ts';

/** Carries the mark by which a program is told from what was put around it. */
export const MARK_VARIABLE = 'TROUPE_CLIENT';

/**
 * Sends a signal to the program itself, not to the sandbox around it: that one would end it without a word. Answers whether
 * there was a program to send it to.
 */
export async function signalProgram(target: SignalTarget, signal: NodeJS.Signals): Promise<boolean> {
  const pid = target.start.level === 'group' ? target.pid : await findProgram(target.pid, target.mark);
  if (pid === null) return false;
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

export interface SignalTarget {
  /** What was started. */
  readonly pid: number;
  readonly start: Pick<ContainedStart, 'level'>;
  readonly mark: string;
}

/** The first one below that has the mark in its environment: those around it know the value by another name. */
async function findProgram(pid: number, mark: string): Promise<number | null> {
  let generation = [pid];
  for (let depth = 0; depth < DEEPEST && generation.length > 0; depth += 1) {
    for (const each of generation) if (await hasMark(each, mark)) return each;
    generation = (await Promise.all(generation.map(childrenOf))).flat();
  }
  return null;
}

const DEEPEST = 8;

async function hasMark(pid: number, mark: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return environment.split('\0').includes(`${MARK_VARIABLE}=${mark}`);
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map(Number);
}
