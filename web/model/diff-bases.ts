import { stepName } from './fork-points.ts';
import type { RunState } from './run-tree.ts';
import type { Selection } from './selection.ts';
import { visitsOf, type Visit } from './visits.ts';

/** What changes are compared with. */
export interface DiffBase {
  /** As the address has it: `start`, `step`, `project`, or the number of the record with which a step began. */
  readonly value: string;
  readonly label: string;
}

/** What is asked of the server: `troupe diff` with the same words. */
export interface DiffRange {
  readonly from?: string;
  readonly to?: string;
  /** Against the user's own files as they are now. */
  readonly project?: true;
}

export interface DiffBases {
  readonly bases: readonly DiffBase[];
  /** The one that counts. */
  readonly base: DiffBase;
  readonly range: DiffRange;
  /** In words, for where nothing is different. */
  readonly words: string;
}

/**
 * The ways to look at what a workspace holds. `step` is what one step did: the one that is selected, else the last one that
 * changed anything there.
 */
export function diffBases(
  run: RunState,
  selection: Pick<Selection, 'state' | 'visit' | 'base'>,
  workspace: string,
): DiffBases {
  const { list, counting } = visitsOf(run);
  const step = selectedVisit(counting, selection) ?? lastChange(run, counting, workspace);
  const bases: DiffBase[] = [
    { value: 'start', label: 'since the run began' },
    ...(step === null ? [] : [{ value: 'step', label: `only in ${stepName(step, list)}` }]),
    { value: 'project', label: 'against your files now' },
    ...counting.toReversed().map((one) => ({ value: String(one.seq), label: `since ${stepName(one, list)}` })),
  ];
  const chosen = bases.find(({ value }) => value === selection.base) ?? START;
  return { bases, base: chosen, range: rangeOf(chosen.value, { step, counting }), words: chosen.label };
}

const START: DiffBase = { value: 'start', label: 'since the run began' };

function rangeOf(
  base: string,
  { step, counting }: { readonly step: Visit | null; readonly counting: readonly Visit[] },
): DiffRange {
  if (base === 'start') return {};
  if (base === 'project') return { project: true };
  if (base !== 'step' || step === null) return { from: base };
  const next = counting.find(({ seq }) => seq > step.seq);
  return { from: String(step.seq), ...(next === undefined ? {} : { to: String(next.seq) }) };
}

function selectedVisit(visits: readonly Visit[], { state, visit }: Pick<Selection, 'state' | 'visit'>): Visit | null {
  if (state === undefined) return null;
  return visits.findLast((one) => one.state === state && (visit === undefined || one.visit === visit)) ?? null;
}

function lastChange({ lines, count }: RunState, visits: readonly Visit[], workspace: string): Visit | null {
  const last = lines
    .slice(0, count)
    .findLast(({ record: { fact } }) => fact.kind === 'files.changed' && fact.workspace === workspace);
  if (last === undefined) return null;
  return visits.findLast(({ seq }) => seq <= last.record.seq) ?? null;
}

/** The same in a terminal. */
export function diffWords(run: string, workspace: string, { from, to, project }: DiffRange): string {
  const words = [
    ['--workspace', workspace],
    from === undefined ? [] : ['--from', from],
    to === undefined ? [] : ['--to', to],
    project === undefined ? [] : ['--project'],
  ].flat();
  return ['troupe', 'diff', run, ...words].map(quoted).join(' ');
}

const quoted = (word: string): string => (/^[\w@%+=:,./#-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
