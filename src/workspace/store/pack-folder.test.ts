import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writePack } from './pack-folder.ts';

test('[C40] a pack that cannot be written leaves nothing behind, not even its index', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-packs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pack = { checksum: 'c0ffee', pack: join(folder, 'not-there'), index: Buffer.alloc(4_000_000) };
  await expect(writePack(folder, pack)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(readdirSync(folder)).toEqual([]);
});
