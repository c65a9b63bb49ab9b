import { plainText } from '../../protocol/plain-text.ts';
import type { Shown } from '../../protocol/operations/views.ts';

/** A line for each, and a sentence where there is none. */
export function branchLines({ items }: Shown<'branches'>): string {
  return items.map(({ name, isCurrent }) => `${isCurrent === true ? '*' : ' '} ${plainText(name)}\n`).join('');
}

export function noBranchesText({ isGit }: Shown<'branches'>): string {
  return isGit
    ? 'The repository has no branch yet: nothing was committed.\n'
    : 'The project is in no git repository, so there is no branch to compare with. See: troupe diff RUN --project\n';
}
