import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { display, listDiscarded } from './overlay.ts';

function newLayer() {
  const place = mkdtempSync(join(tmpdir(), 'discarded-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const [folder, upper] = [join(place, 'folder'), join(place, 'upper')];
  for (const each of [folder, upper]) mkdirSync(each);
  return { folder, upper };
}

test('[PH3] made and changed files are named, folders only when they are new or look different', async () => {
  const layer = newLayer();
  for (const name of ['old', 'closed']) for (const side of [layer.folder, layer.upper]) mkdirSync(join(side, name));
  chmodSync(join(layer.upper, 'closed'), 0o700);
  mkdirSync(join(layer.upper, 'new'));
  writeFileSync(join(layer.upper, 'old', 'file'), '');
  symlinkSync('/', join(layer.upper, 'new', 'link'));
  const { discarded } = await listDiscarded([layer]);
  expect(discarded).toEqual(['closed', 'new', 'new/link', 'old/file'].map((name) => join(layer.folder, name)));
});

test('[PH3] a folder that its owner may not enter is still searched', async () => {
  const layer = newLayer();
  mkdirSync(join(layer.upper, 'shut'));
  writeFileSync(join(layer.upper, 'shut', 'file'), '');
  chmodSync(join(layer.upper, 'shut'), 0);
  expect((await listDiscarded([layer])).discarded).toContain(join(layer.folder, 'shut/file'));
});

test('[PH3] after a thousand paths the rest is counted', async () => {
  const layer = newLayer();
  for (let index = 0; index < 1010; index += 1) writeFileSync(join(layer.upper, String(index)), '');
  const { discarded, discardedMore } = await listDiscarded([layer]);
  expect([discarded.length, discardedMore]).toEqual([1000, 10]);
});

test('[C35] names are shown escaped', () => {
  expect(display(Buffer.from('/a\nb\u{1b}[31m\u{202e}\\é'))).toBe('/a\\u{a}b\\u{1b}[31m\\u{202e}\\u{5c}é');
  expect(display(Buffer.from([0x2f, 0xff, 0x41, 0x0a]))).toBe('/\\xffA\\x0a');
});
