import type { TakenBranch } from '../../core/result-state.ts';
import { gitOutput } from './git-plumbing.ts';

/**
 * The branches that hold nothing that the project's checked-out commit does not: merged by hand, with the same files, or deleted.
 * The others wait, and so do all if git cannot be asked. Three git calls, however many branches there are.
 */
export async function takenBranches(
  project: string,
  branches: readonly string[],
): Promise<ReadonlyMap<string, TakenBranch>> {
  try {
    const ask = async (...args: string[]): Promise<string> =>
      (await gitOutput(args, { cwd: project, config: 'user' })).toString('utf8');
    // Git compares every ref with every name that it is asked for.
    const refs = branches.length > MOST_NAMED ? [REFS] : branches.map((branch) => REFS + branch);
    const [head, all, open] = await Promise.all([
      ask('rev-parse', '--verify', 'HEAD^{tree}'),
      ask('for-each-ref', FORMAT, ...refs),
      ask('for-each-ref', '--no-merged=HEAD', FORMAT, ...refs),
    ]);
    const [there, waiting] = [namesIn(all), namesIn(open, head.trim())];
    const taken = branches.filter((branch) => !waiting.has(branch));
    return new Map(taken.map((branch) => [branch, there.has(branch) ? 'merged' : 'branch-gone']));
  } catch {
    return new Map();
  }
}

const MOST_NAMED = 50;
const REFS = 'refs/heads/';
const FORMAT = '--format=%(tree) %(refname)';

/** Without those that hold the files of `head`. */
function namesIn(listed: string, head = ' '): ReadonlySet<string> {
  const lines = listed.split('\n').filter((line) => line !== '' && !line.startsWith(head));
  return new Set(lines.map((line) => line.slice(line.indexOf(' ') + 1 + REFS.length)));
}
