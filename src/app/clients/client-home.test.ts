import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { booksOf } from '../../actors/clients/client-home.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import { runId, type RunId } from '../../core/model/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { ClientHomes } from './client-home.ts';

/** Runs by name, with the run each was forked from. */
function bench(forks: Readonly<Record<string, string | null>>) {
  const home = mkdtempSync(join(tmpdir(), 'troupe-homes-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const record = (from: string): JournalRecord => ({
    seq: 1,
    at: 1,
    fact: { kind: 'run.forked', from: { run: runId(from), seq: 1 }, input: {}, by: 'ann' },
  });
  const read = async (run: RunId): Promise<readonly JournalRecord[]> => {
    const from = forks[run] ?? null;
    return from === null ? [] : [record('long-ago'), record(from)];
  };
  const run = async (name: RunId) => (Object.hasOwn(forks, name) ? { run: name } : undefined);
  const homes = new ClientHomes(home, { read, run } as unknown as Pick<Journal, 'read' | 'run'>);
  const of = (run: string, { kind = 'codex', agent = 'coder' } = {}) => homes.of({ run: runId(run), agent, kind });
  return { home, of };
}

test('[Q4] each kind of client has its own folder, closed to other users', async () => {
  const { home, of } = bench({ one: null });
  const [codex, acp] = [await of('one'), await of('one', { kind: 'acp:gemini' })];
  expect(dirname(codex)).toBe(join(home, 'agents/one/codex'));
  expect(dirname(acp)).toBe(join(home, 'agents/one/acp-gemini'));
  expect(statSync(codex).mode & 0o777).toBe(0o700);
  expect(await of('one')).toBe(codex);
});

test('[L8] no two agents of a run have one folder, and neither is inside of the other', async () => {
  const { of } = bench({ one: null });
  const folders = await Promise.all([
    of('one', { agent: 'coder' }),
    of('one', { agent: 'reviewer' }),
    of('one', { agent: 'co/der' }),
    of('one', { agent: 'co-der' }),
    of('one/t3', { agent: 'coder' }),
    of('one/t3/t4', { agent: 'coder' }),
  ]);
  expect(new Set(folders).size).toBe(folders.length);
  expect(new Set(folders.map((folder) => dirname(folder))).size).toBe(1);
});

test('[Q4] the folder of a fork begins as a copy: sessions come along, what is for a moment does not', async () => {
  const { of } = bench({ 'one/t3': null, two: 'one/t3', three: 'two' });
  const one = await of('one/t3');
  mkdirSync(join(one, 'sessions'));
  writeFileSync(join(one, 'sessions/a.jsonl'), 'said');
  utimesSync(join(one, 'sessions/a.jsonl'), 1000, 1000);
  mkdirSync(join(one, 'tmp'));
  symlinkSync('/etc/passwd', join(one, 'link'));
  execFileSync('mkfifo', [join(one, 'pipe')]);
  // The second was never driven: its home is made from what the first has.
  const three = await of('three');
  expect(readFileSync(join(three, 'sessions/a.jsonl'), 'utf8')).toBe('said');
  expect(statSync(join(three, 'sessions/a.jsonl')).mtimeMs).toBe(1_000_000);
  expect(readdirSync(three).toSorted()).toEqual(['link', 'sessions']);
  expect(readdirSync(await of('three', { agent: 'reviewer' }))).toEqual([]);
  writeFileSync(join(three, 'sessions/a.jsonl'), 'said more');
  expect(readFileSync(join(one, 'sessions/a.jsonl'), 'utf8')).toBe('said');
  writeFileSync(join(one, 'sessions/b.jsonl'), 'later');
  expect(readdirSync(join(await of('three'), 'sessions'))).toEqual(['a.jsonl']);
});

test('[Q4] indexes that know sessions by their old places are left behind', async () => {
  const { of } = bench({ one: null, two: 'one' });
  const one = await of('one');
  mkdirSync(join(one, '.codex/sessions'), { recursive: true });
  for (const name of ['state_5.sqlite', 'state_5.sqlite-wal', 'config.toml', 'sessions/a.jsonl']) {
    writeFileSync(join(one, '.codex', name), '');
  }
  const two = await of('two');
  expect(readdirSync(join(two, '.codex')).toSorted()).toEqual(['config.toml', 'sessions']);
});

test('[U4] what the engine noted of the sessions comes along too', async () => {
  const { of } = bench({ one: null, two: 'one' });
  const one = await of('one');
  mkdirSync(booksOf(one));
  writeFileSync(join(booksOf(one), 'a.json'), '{}');
  expect(readdirSync(booksOf(await of('two')))).toEqual(['a.json']);
});

test('[Q4] a fork whose origin is gone begins with an empty folder', async () => {
  const { of } = bench({ two: 'gone' });
  expect(readdirSync(await of('two'))).toEqual([]);
});

test('[L8] no name of a run leads out of the folder', async () => {
  const { of } = bench({});
  await expect(async () => await of('../out')).rejects.toThrow('cannot be the id of a run');
});
