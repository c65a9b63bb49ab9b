import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every object of a store, unpacked, as one text of bytes. */
export function storeContent(gitDir: string): string {
  const words = ['--git-dir', gitDir, 'cat-file', '--batch-all-objects', '--batch', '--buffer'];
  return execFileSync('git', words, { encoding: 'latin1', maxBuffer: 1024 ** 3 });
}

/** The stores of all projects below a home. */
export const storesIn = (home: string): readonly string[] =>
  readdirSync(join(home, 'stores')).map((name) => join(home, 'stores', name, 'git'));

/** The files below a folder in whose bytes or names the text stands; links are not followed. */
export function filesHolding(folder: string, text: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const holds = path.includes(text) || (entry.isFile() && readFileSync(path, 'latin1').includes(text));
    return holds ? [path] : [];
  });
}
