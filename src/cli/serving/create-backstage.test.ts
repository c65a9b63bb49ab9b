import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Backstage } from '../../server/backstage.ts';
import type { TurnstileOptions } from '../../server/turnstile.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { capturedTerminal } from './captured-terminal.ts';
import { createBackstage } from './create-backstage.ts';

/** A program that says which command it was given once the file `go` is there. */
const WAITING = `
import { existsSync } from 'node:fs';
const timer = setInterval(() => {
  if (!existsSync('go')) return;
  clearInterval(timer);
  console.log(JSON.stringify({ command: process.argv[3] }));
}, 10);
`;

function backstageOf(
  program: string,
  acts?: TurnstileOptions,
): { readonly backstage: Backstage; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-acts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const entry = join(folder, 'program.mjs');
  writeFileSync(entry, program);
  const backstage = createBackstage({
    store: { home: folder, journal: createMemoryJournal() },
    terminal: capturedTerminal({ environment: { PATH: process.env['PATH'] }, folder }),
    version: '0',
    entry,
    perform: () => Promise.resolve(0),
    ...(acts === undefined ? {} : { acts }),
  });
  return { backstage, folder };
}

test('[W15] only so many commands run at once: the next wait, and what comes then is refused and not done', async () => {
  const { backstage, folder } = backstageOf(WAITING, { atOnce: 1, waiting: 1 });
  const [first, second] = [backstage.act(['pause'], { folder }), backstage.act(['merge'], { folder })];
  await expect(backstage.act(['cancel'], { folder })).rejects.toMatchObject({ code: 'SERVER_BUSY' });
  writeFileSync(join(folder, 'go'), '');
  expect(await Promise.all([first, second])).toEqual([{ command: 'pause' }, { command: 'merge' }]);
});

/** Says who it is, and then more than anybody takes. */
const ENDLESS = `
process.stdout.write(process.pid + ' ');
const more = () => process.stdout.write('x'.repeat(65536), more);
more();
`;

test('[W8] what is poured comes as it is written, and its process ends with who takes it', async () => {
  const { backstage } = backstageOf(ENDLESS);
  let pid = 0;
  for await (const piece of backstage.pour(['artifacts'])) {
    pid = Number.parseInt(Buffer.from(piece).toString('latin1'), 10);
    break;
  }
  const isThere = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isThere, { timeout: 30_000 }).toBe(false);
});

test('[W8] a command that fails in the middle is no end of what it writes', async () => {
  const { backstage } = backstageOf("process.stdout.write('half of'); process.exitCode = 2;");
  let text = '';
  const reading = (async () => {
    for await (const piece of backstage.pour(['artifacts'])) text += Buffer.from(piece).toString();
  })();
  await expect(reading).rejects.toMatchObject({ code: 'INTERNAL', message: '`troupe artifacts` ended with 2.' });
  expect(text).toBe('half of');
});
