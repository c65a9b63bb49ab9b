import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultCode } from '../testing/test-workspaces.ts';
import { openFolderStore } from './folder-store.ts';
import { PIECE_BYTES } from './port.ts';
import { storedName, sharedStoreContract } from './shared-store.contract.ts';
import type { IdentityKeeper } from './store-identity.ts';
import { temporaryFolder } from '../testing/test-project.ts';

sharedStoreContract('in a folder', async () => {
  const folder = temporaryFolder();
  return () => openFolderStore(folder);
});

function keeper(): IdentityKeeper {
  let kept: string | null = null;
  return { claim: async (id) => (kept ??= id) };
}

test('[U8] a folder that is not shared after all is refused, with both ids', async () => {
  const [shared, other] = [temporaryFolder(), temporaryFolder()];
  const identity = keeper();
  await openFolderStore(shared, { identity });
  await openFolderStore(shared, { identity });
  const refusal: unknown = await openFolderStore(other, { identity }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: 'STORE_NOT_SHARED',
    message: `${other} is not the folder that the other workers share.`,
    facts: { folder: other, id: idIn(other), expected: idIn(shared) },
  });
});

test('[U8] workers that begin at the same moment agree on one id', async () => {
  const folder = temporaryFolder();
  const identity = keeper();
  await Promise.all(Array.from({ length: 8 }, () => openFolderStore(folder, { identity })));
  expect(await identity.claim('another')).toBe(idIn(folder));
  expect(readdirSync(folder).sort()).toEqual(['bodies', 'packs', 'troupe-store.json']);
});

test.each([
  [0o700, 0o400, 0o700],
  [0o755, 0o400, 0o700],
  [0o2770, 0o440, 0o2770],
  [0o777, 0o444, 0o777],
])('[U8] users who may write in a folder of mode %o may read its files, and no others', async (mode, file, folder) => {
  const shared = temporaryFolder();
  chmodSync(shared, mode);
  const store = await openFolderStore(shared);
  const bodies = Array.from({ length: 20 }, (_, index) => ({
    name: storedName(`${index}`),
    content: Buffer.from('x'),
  }));
  await store.put(bodies.slice(0, 1));
  await store.put([{ name: storedName('large'), content: randomBytes(2 * PIECE_BYTES) }]);
  await store.put(bodies);
  const entries = readdirSync(shared, { recursive: true, withFileTypes: true }).filter(
    ({ name }) => name !== 'troupe-store.json',
  );
  const modes = (isFolder: boolean): ReadonlySet<number> =>
    new Set(
      entries
        .filter((entry) => entry.isDirectory() === isFolder)
        .map((entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o7777),
    );
  expect([...modes(false)]).toEqual([file]);
  expect([...modes(true)]).toEqual([folder]);
});

test('[U8] a folder that is not there, or not ours, is refused', async () => {
  const folder = temporaryFolder();
  expect(await faultCode(openFolderStore(join(folder, 'nowhere')))).toBe('STORE_UNREACHABLE');
  for (const text of ['{"format":2,"id":"x"}', 'no json', '']) {
    const newer = join(folder, `store-${text.length}`);
    mkdirSync(newer);
    writeFileSync(join(newer, 'troupe-store.json'), text);
    expect(await faultCode(openFolderStore(newer))).toBe('STORE_NEWER');
  }
});

const idIn = (folder: string): unknown =>
  (JSON.parse(readFileSync(join(folder, 'troupe-store.json'), 'utf8')) as { id: unknown }).id;
