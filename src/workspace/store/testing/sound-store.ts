import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** For tests: git finds nothing wrong with any object or pack. What it thinks of files it would obey elsewhere does not count. */
export function expectSoundStore(gitDir: string): void {
  const words = OPINIONS.flatMap((name) => ['-c', `fsck.${name}=ignore`]);
  const git = (...more: readonly string[]): string =>
    execFileSync('git', [...words, '--git-dir', gitDir, ...more], { stdio: 'pipe', encoding: 'utf8' });
  git('fsck', '--full', '--strict');
  const packs = join(gitDir, 'objects/pack');
  for (const name of readdirSync(packs)) if (name.endsWith('.idx')) git('verify-pack', join(packs, name));
}

const OPINIONS = [
  'gitattributesBlob',
  'gitattributesLineLength',
  'gitattributesSymlink',
  'gitignoreSymlink',
  'gitmodulesBlob',
  'gitmodulesSymlink',
  'gitmodulesParse',
];
