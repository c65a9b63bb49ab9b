import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import type { LeaveOut } from '../store/port.ts';
import { createIgnoreRules } from './ignore-rules.ts';
import { wildmatch } from './wildmatch.ts';

/**
 * What is left out when some ignored files come along all the same. Patterns are written as in a `.gitignore` and count from
 * the project's folder. One that is a name alone does not reach into an ignored folder: nobody who asks for `.env.test`
 * wants to have all installed packages searched for it.
 */
export function withBrought(isIgnored: LeaveOut, bring: 'skip' | 'copy' | readonly string[]): LeaveOut {
  if (bring === 'copy') return () => false;
  if (bring === 'skip' || bring.length === 0) return isIgnored;
  const patterns = bring.map((pattern) => Buffer.from(pattern).toString('latin1'));
  const paths = patterns.filter((pattern) => pattern.replace(/\/$/, '').includes('/'));
  const ways = paths.filter((pattern) => !pattern.startsWith('!')).map(namesOf);
  const all = createIgnoreRules([{ base: '', text: patterns.join('\n') }]);
  const deep = createIgnoreRules([{ base: '', text: paths.join('\n') }]);

  function isBrought(path: BytePath, isFolder: boolean): boolean {
    const folder = folderOf(path);
    if (folder === '' || !isIgnored(folder, true)) return all.isIgnored(path, isFolder);
    return isBrought(folder, true) || deep.isIgnored(path, isFolder);
  }

  return (path, isFolder) =>
    isIgnored(path, isFolder) &&
    !isBrought(path, isFolder) &&
    !(isFolder && ways.some((names) => leadsThrough(names, path)));
}

function namesOf(pattern: string): readonly string[] {
  return pattern.replace(/^\//, '').replace(/\/$/, '').split('/');
}

/** Whether something below the folder could match. */
function leadsThrough(names: readonly string[], folder: BytePath): boolean {
  const own = folder.split('/');
  for (const [at, name] of own.entries()) {
    const pattern = names[at];
    if (pattern === '**') return true;
    if (pattern === undefined || !wildmatch(pattern, name)) return false;
  }
  return own.length < names.length;
}
