import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Breakers } from '../../host/perform/turn/breakers.ts';
import { breakerFile } from './client-services.ts';

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-breakers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const usedUp = { code: 'QUOTA_USED_UP', message: 'Used up.', class: 'quota', retryAfterMs: 1000 } as const;

test('[Q5] a quota that is used up is known to the next process, until it is there again', () => {
  const folder = home();
  new Breakers(() => 5000, breakerFile(folder)).failed('anthropic', usedUp);
  const next = new Breakers(() => 5400, breakerFile(folder));
  expect(next.refusal('anthropic')).toMatchObject({ class: 'quota', retryAfterMs: 600 });
  expect(next.refusal('openai')).toBeNull();
  expect(new Breakers(() => 6000, breakerFile(folder)).refusal('anthropic')).toBeNull();
  expect(readdirSync(folder)).toEqual(['breakers.json']);
});

test('[Q5] two processes do not forget what the other one found out', () => {
  const folder = home();
  let now = 1000;
  const [one, two] = [new Breakers(() => now, breakerFile(folder)), new Breakers(() => 1000, breakerFile(folder))];
  one.failed('anthropic', usedUp);
  two.failed('openai', usedUp);
  now = 2000;
  expect(one.refusal('anthropic')).toBeNull();
  expect(JSON.parse(readFileSync(join(folder, 'breakers.json'), 'utf8'))).toEqual({ openai: 2000 });
});

test.each(['', '{', '[1]', '{"anthropic":"soon"}', 'null'])('a file that says %j says nothing', (text) => {
  const folder = home();
  writeFileSync(join(folder, 'breakers.json'), text);
  expect(new Breakers(() => 1, breakerFile(folder)).refusal('anthropic')).toBeNull();
});

test('a place where nothing can be written ends nothing', () => {
  const folder = home();
  writeFileSync(join(folder, 'file'), '');
  const breakers = new Breakers(() => 1, breakerFile(join(folder, 'file')));
  breakers.failed('anthropic', usedUp);
  expect(breakers.refusal('anthropic')).toMatchObject({ class: 'quota' });
});
