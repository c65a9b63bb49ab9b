import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dropRoot } from '../bubblewrap/drop-root.ts';
import { settingsFolder } from './system-paths.ts';

test('[F64] a setting that not everybody may read is not copied for a box, although root can read it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const paths = (['open', 'secret'] as const).map((name) => {
    const real = join(folder, name);
    writeFileSync(real, name, { mode: name === 'open' ? 0o644 : 0o600 });
    return { path: `/etc/${name}`, real, link: null };
  });
  const made = settingsFolder(join(folder, 'scratch'), { uid: 1000, gid: 1000 }, paths);
  expect(readdirSync(made.folder).toSorted()).toEqual(['group', 'open', 'passwd']);
});

test('[F64] folders of settings are shown to commands of root with their owners, and lent folders with mapped ones', () => {
  const read = (path: string) => ({ kind: 'read', path, source: path }) as const;
  const { mounts } = dropRoot({ mounts: [read('/etc/ssl'), read('/usr'), read('/srv/data')], layers: [] }, 'map');
  expect(mounts.map(({ source }) => source)).toEqual(['/etc/ssl', '/usr', '/tmp/0']);
});
