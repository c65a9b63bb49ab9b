import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFault } from '../../../core/model/fault.ts';
import { openTreeStore } from '../tree-store.ts';
import { describeFolder } from './describe-folder.ts';
import { expectSoundStore } from './sound-store.ts';

/** For tests: what happens on a disk of a few megabytes, mounted at the first argument. Tells it as JSON. */
const [disk = '', elsewhere = ''] = process.argv.slice(2);
const noise = (bytes: number, seed: number): Buffer => {
  let state = seed;
  return Buffer.from(
    Uint8Array.from({ length: bytes }, () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 24),
  );
};
const ballast = join(disk, 'ballast');
/** Leaves this many bytes free. */
const fill = (free: number): void => {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - free), 1));
};
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (isFault(error) ? error.code : String(error)),
  );
const options = (name: string) => ({ index: join(elsewhere, `${name}.index`), leaveOut: () => false });

async function recording(): Promise<object> {
  const folder = join(elsewhere, 'recorded');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.txt'), 'a');
  const gitDir = join(disk, 'store');
  const store = await openTreeStore(gitDir);
  const first = await store.record(folder, options('recorded'));
  writeFileSync(join(folder, 'big.bin'), noise(1_000_000, 1));
  writeFileSync(join(folder, 'large.bin'), noise(5_000_000, 2));
  fill(300_000);
  const full = await codeOf(store.record(folder, options('recorded')));
  const left = readdirSync(join(gitDir, 'objects/pack')).filter((name) => name.startsWith('tmp_'));
  const before = await store.has(first.tree);
  rmSync(ballast);
  const second = await store.record(folder, options('recorded'));
  const after = await store.has(second.tree);
  expectSoundStore(gitDir);
  await store.close();
  rmSync(gitDir, { recursive: true });
  return { full, left, before, after };
}

async function restoring(): Promise<object> {
  const folder = join(disk, 'restored');
  mkdirSync(folder);
  for (let at = 0; at < 20; at += 1) writeFileSync(join(folder, `f${at}`), noise(100_000, at));
  const store = await openTreeStore(join(elsewhere, 'store'));
  const { tree } = await store.record(folder, options('restored'));
  const described = describeFolder(folder);
  for (let at = 0; at < 20; at += 1) writeFileSync(join(folder, `f${at}`), 'small');
  fill(600_000);
  const full = await codeOf(store.restore(tree, folder, options('restored')));
  const left = readdirSync(folder).filter((name) => name.endsWith('.partial~'));
  rmSync(ballast);
  const again = await codeOf(store.restore(tree, folder, options('restored')));
  const isExact = JSON.stringify(describeFolder(folder)) === JSON.stringify(described);
  await store.close();
  return { full, left, again, isExact };
}

process.stdout.write(JSON.stringify({ recording: await recording(), restoring: await restoring() }));
