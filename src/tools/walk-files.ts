import { isPartialName } from '../lib/held-file.ts';
import type { HeldFolder } from '../lib/held-folder.ts';
import { walkFolder } from '../lib/walk-folder.ts';
import type { WalkedEntry } from '../lib/walk-folder.ts';
import { QUIET_FOLDERS } from './folder-access.ts';

/** The regular files below a folder that an agent would search. */
export async function* walkFiles(start: HeldFolder, signal: AbortSignal): AsyncGenerator<WalkedEntry> {
  const skip = (bytes: Buffer) => {
    const name = bytes.toString('utf8');
    return QUIET_FOLDERS.includes(name) || isPartialName(name);
  };
  for await (const entry of walkFolder(start, { skip, signal, tolerant: true })) {
    if (entry.kind === 'file') yield entry;
  }
}

/** Joined by slashes; bytes, since a name need not be text. */
export function joined(names: readonly Buffer[]): Buffer {
  return Buffer.concat(names.flatMap((name, at) => (at === 0 ? [name] : [SLASH, name])));
}

const SLASH = Buffer.from('/');
