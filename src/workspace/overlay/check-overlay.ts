import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFault } from '../../core/fault.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { systemProgram } from '../../lib/process-tree.ts';
import { mountView } from './mount-view.ts';
import { overlayFault } from './overlay-fault.ts';

/** Tries an overlay out where the workspaces are to be; throws a fault that says what does not work. */
export async function checkOverlay(folder: string): Promise<void> {
  if (process.platform !== 'linux') throw overlayFault('they need Linux');
  if (process.getuid?.() === 0) throw overlayFault("commands of root would keep root's user id in them");
  if (systemProgram('nsenter') === '') throw overlayFault('nsenter is not installed');
  try {
    makeFolder(folder, 0o700);
    const probe = await mkdtemp(join(folder, 'probe-'));
    try {
      await tryOut(probe);
    } finally {
      await rm(probe, { recursive: true, force: true });
    }
  } catch (error) {
    throw isFault(error) ? error : overlayFault(error instanceof Error ? error.message : String(error), error);
  }
}

/** All that changes take: a copy from below, something that is no more, a folder that hides the one below. */
async function tryOut(probe: string): Promise<void> {
  await Promise.all(['lower/folder', 'upper'].map((path) => mkdir(join(probe, path), { recursive: true })));
  const before = ['changed', 'removed', 'folder/in'];
  await Promise.all(before.map((name) => writeFile(join(probe, 'lower', name), 'before')));
  const upper = { files: 'upper', work: 'work' };
  const view = await mountView({ cwd: probe, lower: ['lower'], upper, folder: join(probe, 'upper') });
  try {
    const at = (name: string): string => join(view.folder, name);
    await writeFile(at('changed'), 'after');
    await Promise.all(['removed', 'folder'].map((name) => rm(at(name), { recursive: true })));
    await mkdir(at('folder'));
    const [names, below] = await Promise.all([
      readdir(view.folder, { recursive: true }),
      readdir(join(probe, 'lower')),
    ]);
    const isRight = names.sort().join() === 'changed,folder' && below.sort().join() === 'changed,folder,removed';
    const [after, kept] = await Promise.all(
      [at('changed'), join(probe, 'lower/changed')].map((path) => readFile(path)),
    );
    if (!isRight || after?.toString() !== 'after' || kept?.toString() !== 'before')
      throw overlayFault('a test of one failed');
  } finally {
    view.close();
  }
}
