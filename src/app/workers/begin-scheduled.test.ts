import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { KnownSecrets } from '../../secrets/known-secrets.ts';
import { scheduledBeginning } from './begin-scheduled.ts';

test('[U8] a schedule of a folder that the worker does not have says which one is missing', async () => {
  const root = mkdtempSync(join(tmpdir(), 'troupe-begin-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, '.troupe'));
  const caller = { folder: root, environment: {}, secrets: new KnownSecrets() };
  const asking = { caller, version: '0', by: 'ada', via: 'script', wishes: {}, tell: () => undefined } as const;
  const begin = scheduledBeginning(asking, { entry: join(root, 'none.js'), home: join(root, 'home') });
  const firing = { name: 'nightly', at: 1, project: 'name:shop', folder: 'packages/gone', by: 'ann', order: {} };
  await expect(begin(firing)).rejects.toMatchObject({
    code: 'FOLDER_MISSING',
    message: `There is no folder packages/gone in the project at ${root}.`,
  });
});
