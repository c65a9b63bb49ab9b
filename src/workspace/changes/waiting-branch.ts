import { gitOutput } from './git-plumbing.ts';

/**
 * The branches that still hold something that the project's checked-out commit does not: not those that were merged by hand, that
 * have the same files, or that are gone. If git cannot be asked, all of them wait. Two git calls, however many branches there are.
 */
export async function waitingBranches(project: string, branches: readonly string[]): Promise<ReadonlySet<string>> {
  try {
    const ask = async (...args: string[]): Promise<string> =>
      (await gitOutput(args, { cwd: project, config: 'user' })).toString('utf8');
    // Git compares every ref with every name that it is asked for.
    const refs = branches.length > MOST_NAMED ? [REFS] : branches.map((branch) => REFS + branch);
    const [head, open] = await Promise.all([
      ask('rev-parse', '--verify', 'HEAD^{tree}'),
      ask('for-each-ref', '--no-merged=HEAD', '--format=%(tree) %(refname)', ...refs),
    ]);
    const waiting = open.split('\n').filter((line) => line !== '' && !line.startsWith(head.trim()));
    const names = new Set(waiting.map((line) => line.slice(line.indexOf(' ') + 1 + REFS.length)));
    return new Set(branches.filter((branch) => names.has(branch)));
  } catch {
    return new Set(branches);
  }
}

const MOST_NAMED = 50;
const REFS = 'refs/heads/';
