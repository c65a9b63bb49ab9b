import { createHash } from 'node:crypto';
import type { BytePath } from '../byte-path.ts';
import type { TreeEntry } from '../store/port.ts';

/** Equal keys: the command would make the same again. Lock files count wherever they lie, with the path and every byte. */
export function setupKey(command: string, entries: ReadonlyMap<BytePath, TreeEntry>, scope: string): string {
  const hash = createHash('sha256');
  const machine = [process.platform, process.arch, process.version.split('.')[0] ?? ''];
  hash.update(JSON.stringify([FORMAT, scope, command, ...machine]));
  for (const [path, entry] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (entry.kind === 'file' && LOCK_FILES.test(name)) hash.update(JSON.stringify([path, entry.blob]));
  }
  return hash.digest('hex').slice(0, 40);
}

/** Grows whenever something else is kept than before. */
const FORMAT = 2;
const LOCK_FILES =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|requirements[^/]*\.txt|Gemfile\.lock|composer\.lock|go\.sum|mix\.lock)$/;
