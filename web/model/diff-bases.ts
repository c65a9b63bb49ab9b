import { historyOf } from './run-history.ts';
import type { BranchLine } from '../../src/protocol/web/changes-page.ts';
import { stepName } from './fork-points.ts';
import type { RunNode } from './run-tree.ts';
import type { Selection } from './selection.ts';
import type { Visit } from '../../src/protocol/history/visits.ts';

/** What changes are compared with. */
export interface DiffBase {
  /** As the address has it: `start`, `step`, `project`, `ref:NAME`, or the number of the record with which a step began. */
  readonly value: string;
  readonly label: string;
  readonly group?: string;
}

/** The request to the server, equal to the options of `troupe diff`. */
export interface DiffRange {
  readonly from?: string;
  readonly to?: string;
  /** Against the user's own files as they are now. */
  readonly project?: true;
  /** Against a branch, tag or commit of the user's repository. */
  readonly against?: string;
}

export interface DiffBases {
  readonly bases: readonly DiffBase[];
  /** The one that counts. */
  readonly base: DiffBase;
  readonly range: DiffRange;
  /** In words, for where nothing is different. */
  readonly words: string;
}

export interface BasesOf {
  readonly workspace: string;
  /** Of the project's repository; empty where it is in none. */
  readonly branches: readonly BranchLine[];
}

/**
 * The ways to look at what a workspace holds. `step` is what one step did: the one that is selected, else the last one that
 * changed anything there.
 */
export function diffBases(
  run: RunNode,
  selection: Pick<Selection, 'state' | 'visit' | 'base'>,
  { workspace, branches }: BasesOf,
): DiffBases {
  const { list, counting } = historyOf(run).visits;
  const step = selectedVisit(counting, selection) ?? lastChange(run, counting, workspace);
  const bases: DiffBase[] = [
    START,
    ...(step === null ? [] : [{ value: 'step', label: `only in ${stepName(step, list)}` }]),
    { value: 'project', label: 'against your files now' },
    ...branchBases(branches, selection.base),
    ...counting.toReversed().map((one) => ({
      value: String(one.seq),
      label: `since ${stepName(one, list)}`,
      group: 'Steps',
    })),
  ];
  const chosen = bases.find(({ value }) => value === selection.base) ?? START;
  return { bases, base: chosen, range: rangeOf(chosen.value, { step, counting }), words: chosen.label };
}

const START: DiffBase = { value: 'start', label: 'since the run began' };

const REF = 'ref:';

/** As the address has it. */
export const refBase = (ref: string): string => `${REF}${ref}`;

/** More than these are found by their name. */
const MOST_BRANCHES = 20;

/** The nearest of them, and whatever was chosen: any name that git knows will do. */
function branchBases(branches: readonly BranchLine[], chosen = ''): readonly DiffBase[] {
  const near = branches.slice(0, MOST_BRANCHES).map(({ name, isCurrent }) => baseOf(name, isCurrent));
  const isNear = near.some(({ value }) => value === chosen);
  return isNear || !chosen.startsWith(REF) || chosen === REF ? near : [...near, baseOf(chosen.slice(REF.length))];
}

const baseOf = (ref: string, isCurrent?: boolean): DiffBase => ({
  value: refBase(ref),
  label: isCurrent === true ? `against ${ref} (checked out)` : `against ${ref}`,
  group: 'Branches',
});

function rangeOf(
  base: string,
  { step, counting }: { readonly step: Visit | null; readonly counting: readonly Visit[] },
): DiffRange {
  if (base === 'start') return {};
  if (base === 'project') return { project: true };
  if (base.startsWith(REF)) return { against: base.slice(REF.length) };
  if (base !== 'step' || step === null) return { from: base };
  const next = counting.find(({ seq }) => seq > step.seq);
  return { from: String(step.seq), ...(next === undefined ? {} : { to: String(next.seq) }) };
}

function selectedVisit(visits: readonly Visit[], { state, visit }: Pick<Selection, 'state' | 'visit'>): Visit | null {
  if (state === undefined) return null;
  return visits.findLast((one) => one.state === state && (visit === undefined || one.visit === visit)) ?? null;
}

function lastChange({ lines, count }: RunNode, visits: readonly Visit[], workspace: string): Visit | null {
  const last = lines
    .slice(0, count)
    .findLast(({ record: { fact } }) => fact.kind === 'files.changed' && fact.workspace === workspace);
  if (last === undefined) return null;
  return visits.findLast(({ seq }) => seq <= last.record.seq) ?? null;
}

/** The same in a terminal. */
export function diffWords(run: string, workspace: string, { from, to, project, against }: DiffRange): string {
  const words = [
    ['--workspace', workspace],
    from === undefined ? [] : ['--from', from],
    to === undefined ? [] : ['--to', to],
    project === undefined ? [] : ['--project'],
    against === undefined ? [] : against.startsWith('-') ? [`--against=${against}`] : ['--against', against],
  ].flat();
  return ['troupe', 'diff', run, ...words].map(quoted).join(' ');
}

const quoted = (word: string): string => (/^[\w@%+=:,./#-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
