import { existsSync, readdirSync } from 'node:fs';
import { undeclaredNames } from './host-folders.ts';
import { readProc } from './host-ids.ts';
import type { ProbeOrder, ProbeReport } from './probe.ts';

/** What a sandbox let happen: a sentence for each kind, or null. */
export interface Breaches {
  /** It could not be tried, or does not let a program do its work. */
  readonly broken: string | null;
  readonly writing: string | null;
  /** Modes of files outside. */
  readonly changing: string | null;
  readonly reading: string | null;
  readonly knobs: string | null;
  readonly powers: string | null;
  readonly boundingSet: string | null;
  readonly rootId: string | null;
  readonly namespaces: string | null;
  readonly network: string | null;
  readonly processes: string | null;
  readonly survivors: string | null;
}

export const NO_BREACH: Breaches = {
  broken: null,
  writing: null,
  changing: null,
  reading: null,
  knobs: null,
  powers: null,
  boundingSet: null,
  rootId: null,
  namespaces: null,
  network: null,
  processes: null,
  survivors: null,
};

export interface TriedSandbox {
  readonly report: ProbeReport;
  readonly order: ProbeOrder;
  readonly lent: readonly string[];
  /** Host ids of the test program. */
  readonly ids: readonly number[];
}

export function breaches({ report, order, lent, ids }: TriedSandbox): Breaches {
  // Inside, a file may come into being that is never seen outside. Only what is outside counts.
  const written = order.outside.filter((file) => existsSync(file));
  const { openedKnobs } = report;
  const isWorking = report.wroteInside && existsSync(order.inside);
  return {
    broken: when(!isWorking, 'a lent folder could not be written'),
    writing: when(written.length > 0, `${written.join(', ')} was written`),
    changing: when(report.changedOutside.length > 0, 'modes, owners and times of own files can be changed'),
    reading: readingBreach(report, lent),
    knobs: when(
      openedKnobs.length > 0,
      `${openedKnobs.length} settings of the kernel are open, such as ${openedKnobs[0]}`,
    ),
    powers: powersBreach(report.status),
    boundingSet: when(isHeld(report.status, 'CapBnd'), 'powers of root are within bounds (CapBnd)'),
    rootId: when(ids.length === 0 || ids.includes(0), "commands keep root's user id, without its powers"),
    namespaces: when(report.madeNamespace, 'user namespaces can be made inside'),
    network: when(report.reachedLoopback, 'TCP connections can be made'),
    processes: when(report.sawProcess || report.sawSecret, 'processes outside can be seen'),
    survivors: when(isRunning(order.orphan), 'a process outlived the command'),
  };
}

const when = (isBreached: boolean, sentence: string): string | null => (isBreached ? sentence : null);

function readingBreach({ readHidden, seen }: ProbeReport, lent: readonly string[]): string | null {
  if (readHidden.length > 0) return 'files that are not lent can be read';
  const more = undeclaredNames(seen, lent);
  return when(more.length > 0, `undeclared files can be seen, such as ${more.slice(0, 3).join(', ')}`);
}

const isHeld = (status: string, name: string): boolean => !new RegExp(`^${name}:\\s+0+$`, 'm').test(status);

function powersBreach(status: string): string | null {
  const held = ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].filter((name) => isHeld(status, name));
  if (held.length > 0) return `commands have powers of root (${held.join(', ')})`;
  return /^NoNewPrivs:\s+1$/m.test(status) ? null : 'commands can gain powers by programs that have them';
}

const isRunning = (mark: string): boolean =>
  readdirSync('/proc').some((pid) => readProc(pid, 'cmdline').includes(mark));
