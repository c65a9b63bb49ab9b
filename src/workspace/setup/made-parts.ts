import type { BytePath } from '../byte-path.ts';
import { isFolderAt, listedIn } from './foreign-paths.ts';

/** What a setup command made, in parts that are treated alike. */
export interface MadeParts {
  /** Files, and folders for dependencies with all that is ever in them. */
  readonly whole: readonly BytePath[];
  /** Other folders: what is put into them later is not setup's. */
  readonly open: readonly BytePath[];
}

export async function madeParts(folder: string, made: readonly BytePath[]): Promise<MadeParts> {
  const whole: BytePath[] = [];
  const open: BytePath[] = [];
  const sort = async (path: BytePath, isFolder: boolean): Promise<void> => {
    if (!isFolder || isForDependencies(path)) return void whole.push(path);
    open.push(path);
    for (const entry of await listedIn(folder, path)) await sort(entry.path, entry.isFolder);
  };
  for (const path of made) await sort(path, isFolderAt(folder, path));
  return { whole, open };
}

/** By the names that package managers and their caches have: nobody keeps work of their own in there. */
function isForDependencies(path: BytePath): boolean {
  return DEPENDENCIES.has(path.slice(path.lastIndexOf('/') + 1).toLowerCase());
}

const DEPENDENCIES: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  '.pnpm-store',
  '.yarn',
  '.venv',
  'venv',
  'site-packages',
  '__pycache__',
  '.tox',
  '.nox',
  '.eggs',
  'vendor',
  'target',
  '.cargo',
  '.gradle',
  '.m2',
  '.bundle',
  'pods',
  'carthage',
  '.stack-work',
  'dist-newstyle',
  '.dart_tool',
  '.terraform',
  '.cache',
]);
