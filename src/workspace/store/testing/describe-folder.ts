import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** For tests: every entry of a folder as text, by means that have nothing in common with the store. `.git` is left out. */
export function describeFolder(folder: string): readonly string[] {
  const lines: string[] = [];
  const visit = (above: Buffer, shown: string): void => {
    const names = readdirSync(above, { encoding: 'buffer' }).sort((a, b) => a.compare(b));
    for (const name of names) {
      if (name.toString('latin1') === '.git') continue;
      const path = Buffer.concat([above, Buffer.from('/'), name]);
      const label = `${shown}/${name.toString('latin1')}`;
      const stats = lstatSync(path);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isSymbolicLink()) lines.push(`link ${label} ${readlinkSync(path, 'hex')}`);
      else if (stats.isDirectory()) {
        lines.push(`folder ${label} ${mode}`);
        visit(path, label);
      } else lines.push(`file ${label} ${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);
    }
  };
  visit(Buffer.from(folder), '');
  return lines;
}

/** All that is in a repository's own folder, byte for byte. */
export function describeGitDir(project: string): readonly string[] {
  return describeFolder(join(project, '.git'));
}
