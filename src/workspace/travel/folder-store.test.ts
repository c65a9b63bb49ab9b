import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../store/testing/test-store.ts';
import { faultCode } from '../testing/test-workspaces.ts';
import { openFolderStore } from './folder-store.ts';
import { sharedStoreContract } from './shared-store.contract.ts';
import type { IdentityKeeper } from './store-identity.ts';

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
