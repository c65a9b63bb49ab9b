import { existsSync } from 'node:fs';
import type { RunInfo } from '../../journal/port.ts';
import type { Shown } from '../../protocol/operations/views.ts';
import { whole } from '../../protocol/whole-list.ts';
import type { BranchLine } from '../../protocol/web/changes-page.ts';
import { userBranches, type UserBranch } from '../../workspace/changes/user-refs.ts';

/** What a run can be compared with by name: the branch that is checked out first, then by their newest commit. */
export async function branchList({ run, project }: RunInfo): Promise<Shown<'branches'>> {
  const branches = existsSync(project) ? await userBranches(project) : null;
  return { kind: 'branches', run, isGit: branches !== null, ...whole((branches ?? []).map(branchLine)) };
}

const branchLine = ({ name, commit, at, isCurrent, isRemote }: UserBranch): BranchLine => ({
  name,
  commit,
  at,
  ...(isCurrent ? { isCurrent: true } : {}),
  ...(isRemote ? { isRemote: true } : {}),
});
