import { isFault } from '../../core/fault.ts';
import { findBranch, isTroupesName, updateBranch, type NamedBranch } from './branch-ref.ts';
import { openUserRepository } from './user-repository.ts';

/** Removes a branch of Troupe's own that holds only what its owner put there. A branch that a person named or worked on stays. */
export async function removeBranch(project: string, named: NamedBranch): Promise<'removed' | 'kept' | 'absent'> {
  try {
    const user = await openUserRepository(project);
    const branch = await findBranch(user, named);
    if (branch.present === null) return 'absent';
    if (!isTroupesName(named.name)) return 'kept';
    await updateBranch(user, branch, null);
    return 'removed';
  } catch (error) {
    if (!isFault(error)) throw error;
    return 'kept';
  }
}
