import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { systemProgram } from '../../lib/process-tree.ts';

/**
 * The host id that root's commands run with: no user, no service and no container has it. Systemd leaves the numbers from
 * 1879048192 to 2147483647 unused.
 */
export const HOST_ID = 1_879_050_000;

/**
 * A user namespace that says how owners of files are shown through a mapped mount: root's belong to `HOST_ID`, all others to
 * whom they belong. This process holds it open, so no other process is needed. Null where the kernel refuses.
 */
export function ownerMap(): Promise<string | null> {
  opened ??= openMap().catch(() => null);
  return opened;
}

let opened: Promise<string | null> | null = null;

const LAST_ID = 4_294_967_294;

async function openMap(): Promise<string | null> {
  const unshare = systemProgram('unshare');
  if (process.getuid?.() !== 0 || unshare === '' || systemProgram('perl') === '') return null;
  const child = spawn(unshare, ['--user', '--', '/bin/sh', '-c', 'echo up; read -r end'], {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  try {
    const isUp = await Promise.race([
      once(child.stdout, 'data').then(() => true),
      once(child, 'close').then(() => false),
    ]);
    if (!isUp) return null;
    const lines = [`0 ${HOST_ID} 1`, `1 1 ${HOST_ID - 1}`, `${HOST_ID + 1} ${HOST_ID + 1} ${LAST_ID - HOST_ID}`];
    for (const file of ['uid_map', 'gid_map']) writeFileSync(`/proc/${child.pid}/${file}`, lines.join('\n'));
    return `/proc/${process.pid}/fd/${openSync(`/proc/${child.pid}/ns/user`, 'r')}`;
  } finally {
    child.stdin.destroy();
  }
}
