import { existsSync } from 'node:fs';
import type { BranchesPage, BranchLine } from '../../protocol/web/changes-page.ts';
import { userBranches, type UserBranch } from '../../workspace/changes/user-refs.ts';

/** What a run can be compared with by name. */
export async function branchList(project: string): Promise<BranchesPage> {
  const branches = existsSync(project) ? await userBranches(project) : null;
  return { isGit: branches !== null, branches: (branches ?? []).map(branchLine) };
}

const branchLine = ({ name, commit, at, isCurrent, isRemote }: UserBranch): BranchLine => ({
  name,
  commit,
  at,
  ...(isCurrent ? { isCurrent: true } : {}),
  ...(isRemote ? { isRemote: true } : {}),
});
