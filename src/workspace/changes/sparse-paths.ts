import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import { matchesPattern, readPatterns } from '../ignore/ignore-file.ts';
import { gitFacts } from '../private-git/git-facts.ts';
import { readPlain } from '../private-git/read-plain.ts';

/**
 * Whether the user has a path of the repository checked out at all: of a sparse checkout only some are, and what is missing of
 * the others nobody deleted. Paths count from the top of the repository.
 */
export async function checkedOutPaths(project: string): Promise<(path: BytePath) => boolean> {
  const facts = await gitFacts(project);
  const isSparse = /^(?:true|yes|on|1)$/i.test(facts?.settings['core.sparsecheckout'] ?? '');
  const text = facts !== null && isSparse ? await readPlain(facts.sparse) : null;
  if (text === null) return () => true;
  const patterns = readPatterns(text.toString('latin1'));
  return (path) => {
    // The nearest word counts: on the path itself, else on the folder around it.
    for (let [at, isFolder] = [path, false]; at !== ''; [at, isFolder] = [folderOf(at), true]) {
      const found = patterns.find((pattern) => matchesPattern(pattern, at, isFolder));
      if (found !== undefined) return !found.isNegated;
    }
    return false;
  };
}
