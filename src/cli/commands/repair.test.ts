import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openSqliteJournal } from '../../journal/sqlite/sqlite-journal.ts';
import { everythingIn, sampleBatch, sampleRun } from '../../journal/sqlite/testing/sample.ts';
import { temporaryHome } from '../../journal/sqlite/testing/temporary-home.ts';
import { KnownSecrets } from '../../secrets/known-secrets.ts';
import { buildProgram } from '../program.ts';
import { DEFAULT_MODE } from '../terminal/terminal.ts';
import { examineJournal } from '../../app/doctor/examine-sandbox.ts';

let home: string;
let dispose: () => void;
let head: string;

beforeEach(async () => {
  ({ home, dispose } = temporaryHome());
  head = join(home, 'journal.head');
  const journal = await openSqliteJournal({ home });
  for (const name of ['a', 'b']) await journal.create(sampleRun(name), 'host', sampleBatch(name, 1, 5));
  await journal.close();
});
afterEach(() => dispose());

test('[U1] doctor names a half-written head in plain words, checks the records and points to the repair', async () => {
  writeFileSync(head, readFileSync(head).subarray(0, 37));
  const texts = (await examineJournal(home)).map((finding) => finding.text);
  expect(texts).toEqual([
    expect.stringContaining('is half written: 37 of 96 bytes.'),
    expect.stringMatching(/^2 of 2 runs can be read whole\. .*troupe doctor --repair$/),
  ]);
});

test('[U1] [J4] repair shows what it will do, writes nothing without a yes, and with one loses nothing', async () => {
  const [before, whole] = [await everything(), readFileSync(head)];
  const zeros = Buffer.alloc(whole.length);
  writeFileSync(head, zeros);
  const asked = repair('--no-input');
  await expect(asked).rejects.toMatchObject({ code: 'CONFIRM_NEEDED', hint: expect.stringContaining('--yes') });
  expect(readFileSync(head)).toEqual(zeros);
  const { code, stdout, stderr } = await repair('--yes');
  expect(stderr).toContain('holds nothing but zeros');
  expect(stderr).toContain('2 runs with 10 records, each checked. It ends with commit 2.');
  expect(stderr).toContain('keeps the present file as journal.head.damaged-');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'journal.head names commit 2 again.\n' });
  expect(readFileSync(head)).toEqual(whole);
  const kept = readdirSync(home).find((name) => name.startsWith('journal.head.damaged-')) ?? '';
  expect(readFileSync(join(home, kept))).toEqual(zeros);
  expect(await everything()).toEqual(before);
  expect(await repair()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to repair') });
});

test('[U1] a home of an older format is named as such, with what to do, and is not taken for a damaged one', async () => {
  const database = new DatabaseSync(join(home, 'journal.db'));
  database.exec("UPDATE meta SET value = '4' WHERE key = 'format'");
  database.close();
  const sentence = `The journal in ${home} was written by an older Troupe (format 4).`;
  const texts = (await examineJournal(home)).map((finding) => finding.text);
  expect(texts).toEqual([
    expect.stringMatching(/^JOURNAL_OLDER .*TROUPE_HOME, or move journal\.db and journal\.head away/),
  ]);
  expect(texts[0]).toContain(sentence);
  const { code, stdout } = await repair('--yes');
  expect(code).toBe(1);
  expect(stdout.split('\n')).toEqual([
    expect.stringContaining(sentence),
    'Nothing was changed: the journal is not damaged.',
    '',
  ]);
});

test('[U1] [J4] repair of a broken chain says from which record on, what can be read and what to do', async () => {
  const database = new DatabaseSync(join(home, 'journal.db'));
  database.exec('UPDATE records SET at = 5 WHERE place = (SELECT place FROM records ORDER BY place LIMIT 1 OFFSET 2)');
  database.close();
  writeFileSync(head, 'nonsense');
  const { code, stdout } = await repair('--yes');
  expect(code).toBe(1);
  expect(stdout).toContain('was written by something else than Troupe.');
  expect(stdout).toContain('Record 3 of run a is damaged. (Its records before 3 are as they were written; it has 5.)');
  expect(stdout).toContain('1 of 2 runs can be read whole.\nNothing was changed');
  expect(stdout).toContain(`Copy the folder ${home} before`);
  expect(readFileSync(head, 'utf8')).toBe('nonsense');
  expect(JSON.parse((await repair('--json')).stdout)).toMatchObject({ isDone: false, plan: { kind: 'refused' } });
});

async function everything(): Promise<unknown> {
  const journal = await openSqliteJournal({ home });
  const all = await everythingIn(journal);
  await journal.close();
  return all;
}

test('[U8] a journal in a database is not repaired, and the file in the home is not meant instead', async () => {
  writeFileSync(head, readFileSync(head).subarray(0, 37));
  await expect(repair('--yes', '--journal', 'postgres://anna:secret@127.0.0.1:1/troupe')).rejects.toMatchObject({
    code: 'REPAIR_SHARED',
    message: 'The journal is in the database postgres://anna@127.0.0.1:1/troupe, not in a file.',
    hint: expect.stringContaining('--journal local'),
  });
  expect(readFileSync(head)).toHaveLength(37);
  expect(await repair('--yes', '--journal', 'local')).toMatchObject({ code: 0 });
});

async function repair(...options: readonly string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const environment = { HOME: home, TROUPE_HOME: home };
  const terminal = {
    stdin,
    stdout,
    stderr,
    environment,
    folder: home,
    secrets: new KnownSecrets(),
    mode: DEFAULT_MODE,
  };
  const words = ['doctor', '--repair', ...options];
  let code = 0;
  const program = await buildProgram({ terminal, version: '0.0.0', words, done: (result) => (code = result) });
  await program.parseAsync(words, { from: 'user' });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}
