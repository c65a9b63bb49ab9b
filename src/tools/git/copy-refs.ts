import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readHeldFileNow } from '../../lib/held-file.ts';
import type { HeldFolder } from '../../lib/held-folder.ts';
import { walkFolder } from '../../lib/walk-folder.ts';
import { joined } from '../walk-files.ts';
import { readIfThere } from './read-if-there.ts';

/** Where the repository stands and its branches and tags: lines that hold an id or the name of another, and nothing else. */
export async function copyRefs(source: HeldFolder, directory: string, signal: AbortSignal): Promise<void> {
  const head = (await readIfThere(source, ['HEAD'], MAX_REF)).toString('latin1');
  if (!REF.test(head)) throw new Error('The repository is damaged: its HEAD names no branch and no commit.');
  await writeFile(join(directory, 'HEAD'), head, 'latin1');
  const packed = (await readIfThere(source, ['packed-refs'], MAX_PACKED)).toString('latin1').split('\n');
  const kept = packed.filter((line) => PACKED.test(line)).map((line) => `${line}\n`);
  await writeFile(join(directory, 'packed-refs'), kept.join(''), 'latin1');
  if ((await source.look('refs'))?.isDirectory() !== true) return;
  const refs = await source.child('refs');
  try {
    await copyLooseRefs(refs, join(directory, 'refs'), signal);
  } finally {
    await refs.close();
  }
}

const MAX_REF = 4096;
const MAX_PACKED = 16 * 1024 * 1024;
const MAX_COUNT = 20_000;
const REF = /^(?:ref: refs\/[^\s\\~^:?*[]+|[0-9a-f]{40}|[0-9a-f]{64})\s*$/;
const PACKED = /^(?:[0-9a-f]{40}|[0-9a-f]{64}) refs\/[^\s\\~^:?*[]+$/;

async function copyLooseRefs(refs: HeldFolder, target: string, signal: AbortSignal): Promise<void> {
  let count = 0;
  for await (const { folder, name, names, kind } of walkFolder(refs, { signal, tolerant: true })) {
    if (kind !== 'file') continue;
    count += 1;
    if (count > MAX_COUNT) throw new Error(`The repository has more than ${MAX_COUNT} loose branches and tags.`);
    const bytes = readHeldFileNow(folder, name, { maxBytes: MAX_REF });
    if (bytes === null || !REF.test(bytes.toString('latin1'))) continue;
    const path = Buffer.concat([Buffer.from(`${target}/`), joined(names)]);
    await mkdir(join(target, dirname(joined(names).toString('utf8'))), { recursive: true });
    await writeFile(path, bytes).catch(() => undefined);
  }
}
