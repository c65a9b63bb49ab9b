import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Fault } from '../../core/fault.ts';
import { shownPath } from '../../lib/confined-path.ts';
import { errorCode } from '../../lib/held-folder.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import type { TreeStore } from '../store/port.ts';
import { withStoreFaults } from '../store/store-fault.ts';
import { diffTrees } from './diff-trees.ts';
import type { TreeDiff, TreePair } from './diff-trees.ts';

/** Writes the patch from one tree to another into a file, whole or not at all. A file that is there stays, unless told otherwise. */
export async function writePatch(store: TreeStore, options: PatchOptions): Promise<TreeDiff> {
  const diff = await diffTrees(store, options);
  await withStoreFaults(options.file, () => writeWhole(options, Buffer.concat([headOf(options), diff.patch])));
  return diff;
}

/** No line of it can be taken for one of the patch. */
function headOf({ head = [] }: PatchOptions): Buffer {
  const lines = head.flatMap((text) => text.split(/[\r\n]+/)).map((line) => `# ${line}\n`);
  return Buffer.from(lines.join(''));
}

export interface PatchOptions extends TreePair {
  readonly file: string;
  readonly overwrite?: boolean;
  /** Lines that stand before the first file, where programs that apply patches skip them. */
  readonly head?: readonly string[];
}

async function writeWhole({ file, overwrite }: PatchOptions, bytes: Buffer): Promise<void> {
  if (overwrite !== true && existsSync(file)) {
    // An earlier process wrote it and died before it could say so.
    if (bytes.equals(await readFile(file))) return;
    throw isThere(file);
  }
  // Node's own way of making several folders at once never returns below /proc.
  makeFolder(dirname(file));
  const partial = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomBytes(6).toString('hex')}.partial~`);
  try {
    const handle = await open(partial, 'wx', 0o666);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (overwrite === true) await rename(partial, file);
    else await link(partial, file);
  } catch (error) {
    throw errorCode(error) === 'EEXIST' ? isThere(file) : error;
  } finally {
    await unlink(partial).catch(() => undefined);
  }
}

function isThere(file: string): Fault {
  return new Fault('FILE_EXISTS', `${shownPath(file)} is there already.`, {
    hint: 'Give the patch another name, or remove that file first.',
    facts: { file },
  });
}
