import type { BytePath } from '../byte-path.ts';
import { runGit } from './git-plumbing.ts';
import { zeroEnded } from './zero-ended.ts';

/** Which of these paths the user's project ignores at present. What git knows already is never ignored. */
export async function ignoredBy(project: string, paths: readonly BytePath[]): Promise<ReadonlySet<BytePath>> {
  if (paths.length === 0) return new Set();
  // A name may look like an instruction; behind a dot and a slash it is a name.
  const input = zeroEnded(paths.map((path) => `./${path}`));
  const answer = await runGit(['check-ignore', '-z', '--stdin'], { cwd: project, config: 'user', input });
  if (answer.exitCode !== 0 && answer.exitCode !== 1) return ignoredByHalves(project, paths);
  const found = answer.output.toString('latin1').split('\0').filter(Boolean);
  return new Set(found.map((path) => path.slice(2)));
}

/** One path that git will not talk about, such as one behind a link, must not hide the answer for the others. */
async function ignoredByHalves(project: string, paths: readonly BytePath[]): Promise<ReadonlySet<BytePath>> {
  if (paths.length === 1) return new Set();
  const middle = Math.ceil(paths.length / 2);
  const first = await ignoredBy(project, paths.slice(0, middle));
  return new Set([...first, ...(await ignoredBy(project, paths.slice(middle)))]);
}
