import { existsSync } from 'node:fs';
import type { BranchesPage, BranchLine } from '../../protocol/web/changes-page.ts';
import { userBranches, type UserBranch } from '../../workspace/changes/user-refs.ts';
import { plainText } from '../../protocol/plain-text.ts';

/** `troupe diff RUN --branches`: what the run can be compared with by name. */
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

/** A line for each, and a sentence where there is none. */
export function branchLines({ branches }: BranchesPage): string {
  return branches.map(({ name, isCurrent }) => `${isCurrent === true ? '*' : ' '} ${plainText(name)}\n`).join('');
}

export function noBranchesText({ isGit }: BranchesPage): string {
  return isGit
    ? 'The repository has no branch yet: nothing was committed.\n'
    : 'The project is in no git repository, so there is no branch to compare with. See: troupe diff RUN --project\n';
}
