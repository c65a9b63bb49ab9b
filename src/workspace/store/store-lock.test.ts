import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StoreLock } from './store-lock.ts';

function testPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'lock.db');
}

test('[L6] opening while somebody removes is a fault with a way out, not what the database says', async () => {
  const path = testPath();
  const remover = await StoreLock.open(path);
  onTestFinished(() => remover.close());
  await remover.alone(async () => {
    const busy = { code: 'STORE_BUSY', hint: expect.stringContaining('Try again') };
    await expect(StoreLock.open(path, { waitMs: 0 })).rejects.toMatchObject(busy);
  });
});

test('[L6] opening waits a little for somebody who removes', async () => {
  const path = testPath();
  const remover = await StoreLock.open(path);
  let opening: Promise<StoreLock> | null = null;
  await remover.alone(async () => {
    opening = StoreLock.open(path, { waitMs: 60_000 });
  });
  const opened = await (opening as unknown as Promise<StoreLock>);
  expect(await opened.shared(async () => 'in')).toBe('in');
  for (const lock of [opened, remover]) lock.close();
});
