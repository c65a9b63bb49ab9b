import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TreeId } from '../../core/model/ids.ts';
import { KnownSecrets } from '../../secrets/known-secrets.ts';
import type { TreeEntry, TreeStore } from '../store/port.ts';
import { openTreeStore } from '../store/tree-store.ts';
import { redactTree } from './redact-tree.ts';

const KEY = 'sk-9fK2mQ7xW4bT8vR1cL6nD3hJ5gS0';

async function treeOf(store: TreeStore, files: Readonly<Record<string, string>>): Promise<TreeId> {
  const entries = new Map<string, TreeEntry>();
  for (const [path, text] of Object.entries(files)) {
    entries.set(path, { kind: 'file', mode: 0o644, blob: await store.addBlob(Buffer.from(text, 'latin1')) });
  }
  return await store.write(entries);
}

async function filesOf(store: TreeStore, tree: TreeId): Promise<Readonly<Record<string, string>>> {
  const files = [...(await store.entries(tree))].flatMap(([path, entry]) =>
    entry.kind === 'file' ? [[path, entry.blob] as const] : [],
  );
  return Object.fromEntries(
    await Promise.all(files.map(async ([path, blob]) => [path, (await store.read(blob)).toString('latin1')] as const)),
  );
}

async function bench() {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-redact-'));
  const store = await openTreeStore(join(folder, 'git'));
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const secrets = new KnownSecrets();
  secrets.add('OPENAI_API_KEY', KEY);
  return { store, secrets };
}

test('[P8] a secret that the work wrote is taken out of file and name, and reported with its line', async () => {
  const { store, secrets } = await bench();
  const base = await treeOf(store, { 'kept.txt': 'kept' });
  const tree = await treeOf(store, {
    'kept.txt': 'kept',
    'a.txt': `one\ntwo ${KEY}\n${Buffer.from(KEY).toString('base64')}\n`,
    'b.bin': `\0${KEY}\0`,
    [`${KEY}.txt`]: 'named like it',
  });
  const clean = await redactTree(store, secrets, { tree, since: base, base });
  expect(clean?.files).toEqual([
    { path: 'a.txt', line: 2, secret: 'OPENAI_API_KEY' },
    { path: 'b.bin', line: 1, secret: 'OPENAI_API_KEY' },
    { path: '[redacted].txt', line: null, secret: 'OPENAI_API_KEY' },
  ]);
  expect(await filesOf(store, clean?.tree ?? base)).toEqual({
    'kept.txt': 'kept',
    'a.txt': 'one\ntwo [redacted]\n[redacted]\n',
    'b.bin': `\0${'*'.repeat(KEY.length)}\0`,
    '[redacted].txt': 'named like it',
  });
});

test('[P8] a secret that stood in the same file before the work stays there, and only there', async () => {
  const { store, secrets } = await bench();
  const base = await treeOf(store, { '.env': `KEY=${KEY}\n` });
  const same = await treeOf(store, { '.env': `KEY=${KEY}\nMORE=1\n` });
  expect(await redactTree(store, secrets, { tree: same, since: base, base })).toBeNull();
  const copied = await treeOf(store, { '.env': `KEY=${KEY}\n`, 'copy.txt': KEY });
  const clean = await redactTree(store, secrets, { tree: copied, since: base, base });
  expect(await filesOf(store, clean?.tree ?? base)).toEqual({ '.env': `KEY=${KEY}\n`, 'copy.txt': '[redacted]' });
});

/** The same store, in which these blobs are too large to be read whole. */
function withLarge(store: TreeStore, isLarge: (text: string) => boolean): TreeStore {
  const largeBlobs = new Set<string>();
  const large = (blob: string) => (largeBlobs.has(blob) ? pieces(store, blob) : null);
  return new Proxy(store, {
    get(target, name) {
      if (name === 'large') return large;
      if (name === 'addBlob')
        return async (bytes: Buffer) => {
          const blob = await target.addBlob(bytes);
          if (isLarge(bytes.toString('latin1'))) largeBlobs.add(blob);
          return blob;
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function* pieces(store: TreeStore, blob: string): AsyncIterable<Buffer> {
  const bytes = await store.read(blob);
  for (let at = 0; at < bytes.length; at += 10) yield bytes.subarray(at, at + 10);
}

test('[P8] a large file of the user is not deleted: it stays as it was, or as the work left it where the secret was there before', async () => {
  const { store: small, secrets } = await bench();
  const store = withLarge(small, (text) => text.startsWith('large'));
  const base = await treeOf(store, {
    'fresh.sql': 'large, plain',
    'own.sql': `large ${KEY}`,
    'shrunk.txt': `large ${KEY}`,
  });
  const tree = await treeOf(store, {
    'fresh.sql': `large, now with ${KEY}`,
    'own.sql': `large ${KEY}, changed`,
    'shrunk.txt': `small ${KEY}`,
    'new.sql': `large and new: ${KEY}`,
  });
  const clean = await redactTree(store, secrets, { tree, since: base, base });
  expect(clean?.files).toEqual([
    { path: 'fresh.sql', line: null, secret: 'OPENAI_API_KEY', isLeftOut: true },
    { path: 'new.sql', line: null, secret: 'OPENAI_API_KEY', isLeftOut: true },
  ]);
  expect(await filesOf(store, clean?.tree ?? base)).toEqual({
    'fresh.sql': 'large, plain',
    'own.sql': `large ${KEY}, changed`,
    'shrunk.txt': `small ${KEY}`,
  });
});
