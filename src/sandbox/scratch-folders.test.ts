import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from './scratch-folders.ts';

/** A process that makes both kinds, says so, and waits for the end of its input. */
function startMaker(scratch: string) {
  const module = pathToFileURL(join(import.meta.dirname, 'scratch-folders.ts')).href;
  const source = `import { scratchFolder } from ${JSON.stringify(module)};
    for (const kind of ['etc', 'overlay']) scratchFolder(${JSON.stringify(scratch)}, kind);
    console.log('made');
    process.stdin.resume().on('end', () => process.exit(0));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, made: once(child.stdout, 'data'), ended: once(child, 'exit') };
}

function newScratch(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'scratch-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  return scratch;
}

const kindsIn = (scratch: string): readonly string[] =>
  readdirSync(scratch)
    .map((name) => name.split('-')[0] ?? '')
    .sort();

test.runIf(process.platform === 'linux')('[E64] a process that ends leaves no scratch folder behind', async () => {
  const scratch = newScratch();
  const { child, made, ended } = startMaker(scratch);
  await made;
  expect(kindsIn(scratch)).toEqual(['etc', 'overlay']);
  child.stdin.end();
  await ended;
  expect(kindsIn(scratch)).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  '[E64] the next process removes the folders of a killed one, and nothing of a live one or of others',
  async () => {
    const scratch = newScratch();
    mkdirSync(join(scratch, 'etc-of-someone-else'));
    const [killed, living] = [startMaker(scratch), startMaker(scratch)];
    await Promise.all([killed.made, living.made]);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const own = scratchFolder(scratch, 'etc');
    await expect.poll(() => kindsIn(scratch)).toEqual(['etc', 'etc', 'etc', 'overlay']);
    expect(readdirSync(scratch)).toEqual(expect.arrayContaining(['etc-of-someone-else']));
    rmSync(own, { recursive: true });
  },
);
