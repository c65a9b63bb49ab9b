import { join, resolve } from 'node:path';
import { Fault } from '../../core/fault.ts';
import { MAIN_WORKSPACE } from '../../core/workspace-name.ts';
import { runPlace } from '../../workspace/run-place.ts';
import type { Invocation } from '../command-spec.ts';
import { flag, textOption } from '../invocation.ts';
import type { MergeTarget } from './merge-outcome.ts';
import type { RunResult } from './run-result.ts';

/** What the user named; at most one of the three. */
export function targetOption(invocation: Invocation): MergeTarget | null {
  const [branch, patch] = [textOption(invocation, 'branch'), textOption(invocation, 'patch')];
  const given: readonly (MergeTarget | null)[] = [
    branch === undefined ? null : { kind: 'branch', name: branch },
    patch === undefined ? null : { kind: 'patch', file: resolve(invocation.terminal.folder, patch), isOwn: false },
    flag(invocation, 'apply') ? { kind: 'apply' } : null,
  ];
  const [one, another] = given.filter((target) => target !== null);
  if (another === undefined) return one ?? null;
  throw new Fault('USAGE', 'Only one of --branch, --patch and --apply can be had at a time.', {
    hint: 'Give one of them, or none for a branch (in git) or a patch (elsewhere).',
  });
}

/** The only ref that Troupe ever makes by itself. */
export const ownBranch = ({ run, workspace }: Pick<RunResult, 'run' | 'workspace'>): string =>
  `troupe/${workspace === MAIN_WORKSPACE ? run : `${run}-${workspace}`}`;

/** In git a branch of Troupe's own; elsewhere a patch beside the run's files. */
export function defaultTarget(result: RunResult, home: string): MergeTarget {
  const { run, workspace, isGit } = result;
  if (isGit) return { kind: 'branch', name: ownBranch(result) };
  const file = workspace === MAIN_WORKSPACE ? 'result.patch' : `result-${workspace}.patch`;
  return { kind: 'patch', file: join(runPlace(home, run).base, file), isOwn: true };
}
