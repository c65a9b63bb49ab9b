import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSandbox, withReadable } from './open-sandbox.ts';
import { knownSandbox } from './testing/known-sandbox.ts';

test.for(['bubblewrap', 'landlock'])(
  '[F64] a declared folder can be read and not written, others neither: %s',
  async (name, context) => {
    const place = mkdtempSync(join(tmpdir(), 'readable-'));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    for (const folder of ['shown', 'other']) {
      mkdirSync(join(place, folder));
      writeFileSync(join(place, folder, 'file'), folder);
    }
    const found = await knownSandbox(join(place, 'scratch'));
    const level = found.levels.find((each) => each.level === name && each.failures.length === 0);
    context.skip(level === undefined, `${name} does not work here`);
    const sandbox = withReadable(openSandbox(level ?? failed(), found.scratch), [join(place, 'shown')]);
    const script = `cat ${place}/shown/file ${place}/other/file; echo x > ${place}/shown/file`;
    const box = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, folders: [], hidden: [], network: false };
    const { output, exitCode } = await sandbox.run(['/bin/sh', '-c', script], box);
    expect([output, exitCode === 0]).toEqual(['shown', false]);
  },
);

function failed(): never {
  throw new Error('skipped');
}
