import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/test-project.ts';

const MOUNT_AND_RUN = 'mount -t tmpfs -o size=8m tmpfs "$1" || exit 77; shift; exec "$@"';

test('[I83] [L3] a full disk stops a record or a restore with a fault, harms nothing, and the same again works', (context) => {
  const base = temporaryFolder();
  const [disk, elsewhere] = [join(base, 'disk'), join(base, 'elsewhere')];
  mkdirSync(disk);
  mkdirSync(elsewhere);
  const job = fileURLToPath(new URL('testing/full-disk-job.ts', import.meta.url));
  const words = ['unshare', '-Urm', 'sh', '-c', MOUNT_AND_RUN, 'sh', disk, process.execPath, job, disk, elsewhere];
  const { status, stdout, stderr, error } = spawnSync('/usr/bin/env', words, { encoding: 'utf8' });
  const isImpossible = error !== undefined || status === 77 || /unshare/.test(stderr);
  if (isImpossible) context.skip('a small disk cannot be mounted here');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    recording: { full: 'DISK_FULL', left: [], before: true, after: true },
    restoring: { full: 'DISK_FULL', left: [], again: 'done', isExact: true },
  });
});
