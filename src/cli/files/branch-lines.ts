import { plainText } from '../../protocol/plain-text.ts';
import type { BranchesPage } from '../../protocol/web/changes-page.ts';

/** A line for each, and a sentence where there is none. */
export function branchLines({ branches }: BranchesPage): string {
  return branches.map(({ name, isCurrent }) => `${isCurrent === true ? '*' : ' '} ${plainText(name)}\n`).join('');
}

export function noBranchesText({ isGit }: BranchesPage): string {
  return isGit
    ? 'The repository has no branch yet: nothing was committed.\n'
    : 'The project is in no git repository, so there is no branch to compare with. See: troupe diff RUN --project\n';
}
