import { Fault } from '../../core/model/fault.ts';
import type { BytePath } from '../../workspace/byte-path.ts';
import type { Conflict } from '../../workspace/changes/conflict.ts';
import { changedPathText } from './change-view.ts';
import type { MergeTarget } from './merge-outcome.ts';

/** `--ours PATH` and `--theirs PATH`: whose version counts in a conflict. A folder stands for all in it, `.` for everything. */
export interface ChosenSides {
  readonly given: readonly { readonly path: string; readonly side: 'ours' | 'theirs' }[];
}

export interface GivenSides {
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** Whose version of which paths counts. */
export function chosenSides(given: GivenSides): ChosenSides {
  const all = SIDES.flatMap((side) => given[side].map((path) => ({ path: plainPath(path), side })));
  const empty = SIDES.find((side) => given[side].includes(''));
  if (empty !== undefined) {
    throw new Fault('USAGE', `--${empty} was given without a path.`, {
      hint: `Give a file or a folder, or everything with: --${empty} .`,
    });
  }
  const twice = all.find(({ path }, at) => all.findIndex((other) => other.path === path) !== at);
  if (twice === undefined) return { given: all };
  throw new Fault('USAGE', `Two options choose a version of ${twice.path}.`, {
    hint: 'Give each path once, with --ours or with --theirs.',
  });
}

const SIDES = ['ours', 'theirs'] as const;

const plainPath = (path: string): string => path.replace(/^(?:\.\/)+/, '').replace(/(?<=.)\/+$/, '') || '.';

/** The most specific choice counts: one for a file before one for its folder. */
export function sideOf({ given }: ChosenSides, path: BytePath): 'ours' | 'theirs' | null {
  const text = changedPathText(path);
  const meant = given.filter((one) => isAbout(one.path, text));
  return meant.toSorted((a, b) => b.path.length - a.path.length).at(0)?.side ?? null;
}

const isAbout = (named: string, path: string): boolean =>
  named === '.' || named === path || path.startsWith(`${named}/`);

/** Git merges branches itself. */
export function refuseSidesFor({ given }: ChosenSides, target: MergeTarget): void {
  if (given.length === 0 || target.kind !== 'branch') return;
  throw new Fault('USAGE', '--ours and --theirs are for --apply and --patch.', {
    hint: 'A branch is merged by git, which has its own: git merge -X ours, git checkout --theirs PATH',
  });
}

/** A misspelt path would silently settle nothing. */
export function refuseIdle({ given }: ChosenSides, conflicts: readonly Conflict[]): void {
  const paths = conflicts.map(({ path }) => changedPathText(path));
  const idle = given.find(({ path }) => path !== '.' && !paths.some((one) => isAbout(path, one)));
  if (idle === undefined) return;
  throw new Fault('NOT_IN_CONFLICT', `${idle.path} is not in conflict.`, {
    hint:
      paths.length === 0 ? `Nothing is: leave out --${idle.side}.` : `In conflict: ${paths.slice(0, 10).join(', ')}`,
    facts: { path: idle.path },
  });
}
