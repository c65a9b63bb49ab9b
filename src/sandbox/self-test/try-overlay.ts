import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import type { Sandbox } from '../port.ts';

/** Whether a folder of the user's own can be lent so that what is written on it is thrown away, and told. */
export async function overlayWorks(sandbox: Sandbox, scratch: string): Promise<boolean> {
  makeFolder(scratch, 0o700);
  const folder = await mkdtemp(join(scratch, 'test-'));
  try {
    await Promise.all(['changed', 'removed'].map((name) => writeFile(join(folder, name), 'before')));
    const script = 'echo after > changed && rm removed && echo new > made && [ "$(cat changed)" = after ]';
    const result = await sandbox.run(['/bin/sh', '-c', script], {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin' },
      folders: [{ path: folder, access: 'throwaway' }],
      hidden: [],
      network: false,
      timeoutMs: 10_000,
    });
    const isUntouched =
      (await readdir(folder)).sort().join() === 'changed,removed' &&
      (await readFile(join(folder, 'changed'), 'utf8')) === 'before';
    return result.exitCode === 0 && isUntouched && result.discarded.length === 3;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
