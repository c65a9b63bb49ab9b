import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BytePath } from '../byte-path.ts';
import { isEngineName } from '../ignore/frozen-rules.ts';
import type { LeaveOut } from '../store/port.ts';

/** The topmost paths that snapshots leave out, such as installed packages; none of the engine's own names. */
export async function leftOutPaths(folder: string, leaveOut: LeaveOut): Promise<readonly BytePath[]> {
  const found: BytePath[] = [];
  const walk = async (below: BytePath): Promise<void> => {
    const entries = await readdir(wholePath(folder, below), { withFileTypes: true, encoding: 'buffer' });
    for (const entry of entries) {
      const name = entry.name.toString('latin1');
      const path = below === '' ? name : `${below}/${name}`;
      if (isEngineName(path)) continue;
      const isFolder = entry.isDirectory();
      if (leaveOut(path, isFolder)) found.push(path);
      else if (isFolder) await walk(path);
    }
  };
  await walk('');
  return found.filter(isText);
}

/** Packages with names that are not text cannot be named to other programs; they are made again. */
function isText(path: BytePath): boolean {
  const bytes = Buffer.from(path, 'latin1');
  return Buffer.from(bytes.toString('utf8')).equals(bytes);
}

function wholePath(folder: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

export function textPath(folder: string, path: BytePath): string {
  return join(folder, Buffer.from(path, 'latin1').toString('utf8'));
}
