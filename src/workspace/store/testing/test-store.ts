import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RecordOptions, TreeStore } from '../port.ts';
import { openTreeStore } from '../tree-store.ts';
import { temporaryFolder } from '../../testing/test-project.ts';

/** For tests: a folder, a store for it, and how both are used. */
export async function testStore(base = temporaryFolder()): Promise<TestStore> {
  const [folder, gitDir] = [join(base, 'folder'), join(base, 'store')];
  mkdirSync(folder, { recursive: true });
  const store = await openTreeStore(gitDir);
  onTestFinished(() => store.close());
  return { base, folder, gitDir, store, options: { index: join(base, 'index'), leaveOut: () => false } };
}

export interface TestStore {
  readonly base: string;
  readonly folder: string;
  readonly gitDir: string;
  readonly store: TreeStore;
  readonly options: RecordOptions;
}
