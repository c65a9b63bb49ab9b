import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../lib/held-folder.ts';
import { makeFolder } from '../../lib/make-folder.ts';

/** The few files that make a folder a repository without a work tree. Made by hand, so that no template gets a say. */
export function makeGitDir(gitDir: string): void {
  makeFolder(gitDir, 0o700);
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'refs/trees', 'info']) {
    mkdirSync(join(gitDir, folder), { recursive: true });
  }
  writeOnce(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  writeOnce(join(gitDir, 'config'), CONFIG);
  writeOnce(generationPath(gitDir), newGeneration());
}

/** No loose end may be cleared away by git itself: what is needed is known here alone. */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
`;

/** Another one after each time something was removed: what a process remembers of the store may be untrue then. */
export function readGeneration(gitDir: string): string {
  return readFileSync(generationPath(gitDir), 'latin1');
}

/** In place: also on a full disk, which is when somebody prunes. */
export function changeGeneration(gitDir: string): void {
  const file = openSync(generationPath(gitDir), 'r+');
  try {
    writeSync(file, newGeneration(), 0);
  } finally {
    closeSync(file);
  }
}

const generationPath = (gitDir: string): string => join(gitDir, 'generation');
const newGeneration = (): string => randomBytes(16).toString('hex');

function writeOnce(path: string, content: string): void {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
