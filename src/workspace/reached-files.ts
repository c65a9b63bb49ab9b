import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The files that a piece of code consists of: itself first, then the modules it names by a path, those that they name, and so
 * on. Packages do not count: who agrees to code agrees to what is installed.
 */
export function reachedFiles(start: string): readonly string[] {
  const found = new Set([realpathSync(start)]);
  for (const file of found) {
    if (!MODULE.test(file)) continue;
    for (const path of namedIn(readFileSync(file, 'utf8'), dirname(file))) found.add(realpathSync(path));
  }
  return [...found];
}

/** One hash over all that a piece of code consists of; of a single file it is the hash of its content. */
export function codeHash(start: string): CodeHash {
  const [first = start, ...others] = reachedFiles(start);
  const own = hashOf(readFileSync(first));
  if (others.length === 0) return { hash: own, others: 0 };
  const all = others.map((file) => [relative(dirname(first), file), hashOf(readFileSync(file))]);
  return {
    hash: hashOf(JSON.stringify([own, all.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))])),
    others: others.length,
  };
}

export interface CodeHash {
  readonly hash: string;
  /** How many files it reaches besides the first one. */
  readonly others: number;
}

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

const MODULE = /\.[cm]?[jt]sx?$/i;
/** Files that a module can load; other named files may be outputs. */
const LOADABLE = /\.(?:[cm]?[jt]sx?|json|node|wasm)$/i;
const ENDINGS: readonly string[] = ['', '.js', '.cjs', '.mjs', '.ts', '.json', '/index.js', '/index.ts'];
const QUOTED_PATH = /(['"`])((?:\.{1,2}\/|\/|file:)[^'"`\n]*)\1/g;

/** Every path in quotes: one too many is better than an import in a form that is not recognised. */
function namedIn(text: string, folder: string): readonly string[] {
  return [...text.matchAll(QUOTED_PATH)].flatMap(([, , named = '']) => {
    const path = pathOf(named, folder);
    const endings = path === null || LOADABLE.test(extname(path)) ? [''] : ENDINGS;
    const files = path === null ? [] : endings.map((ending) => `${path}${ending}`);
    return files.filter((file) => LOADABLE.test(file) && isFile(file)).slice(0, 1);
  });
}

function pathOf(named: string, folder: string): string | null {
  try {
    const bare = named.replace(/[?#].*$/, '');
    return bare.startsWith('file:') ? fileURLToPath(bare) : resolve(folder, decodeURIComponent(bare));
  } catch {
    return null;
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
