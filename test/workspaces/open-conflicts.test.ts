import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import { end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { annAndBob, BOTH_EDIT, FilesBench, uses } from './bench.ts';

const FILES = { 'logo.bin': '\0logo', 'gone.txt': 'one\n', 'other.txt': 'same\n' };

/** Ann changes all; Bob changes the picture too and deletes a file, so that no marks can show what both did. */
const FIRST: Readonly<Record<string, string>> = {
  ann: String.raw`printf '\0by ann' > logo.bin; echo changed > gone.txt`,
  bob: String.raw`printf '\0by bob' > logo.bin; rm gone.txt`,
};

/** Each gives the same folder another mode, and works on its own files in it. */
const FOLDERS: Readonly<Record<string, string>> = {
  ann: 'chmod 700 src; echo by ann > src/a.txt; echo by ann > src/new.txt',
  bob: 'chmod 750 src; echo by bob > src/b.txt',
};

interface Play {
  /** What Bob does about the conflicts. */
  readonly settle: (request: CallRequest) => CallReply;
  readonly offered: Map<string, boolean>;
  /** What each does in the beginning. */
  readonly first: Readonly<Record<string, string>>;
}

const answering =
  ({ settle, offered, first }: Play) =>
  (request: CallRequest): CallReply => {
    const { agent, call, state, tools } = request;
    offered.set(
      `${state} ${call}`,
      tools.some(({ name }) => name === 'settle_conflict'),
    );
    if (state === 'settle') return settle(request);
    return call > 1 ? says('done') : uses('execute_terminal', { command: first[agent] ?? '' });
  };

/** The second merge is tried twice before Bob is asked: in between nothing was settled. */
const definition = annAndBob([
  work('start', BOTH_EDIT, [to('first')]),
  work('first', { kind: 'merge', agent: 'ann' }, [to('second')]),
  work('second', { kind: 'merge', agent: 'bob' }, [to('stop')], { on: { blocked: [to('hasty')] } }),
  work('hasty', { kind: 'merge', agent: 'bob' }, [to('stop')], {
    on: { blocked: [to('settle', { assign: 'this.common_data.advice = result.advice' })] },
  }),
  work('settle', turn('bob', 'common_data.advice'), [to('third')]),
  work('third', { kind: 'merge', agent: 'bob' }, [to('stop')]),
  end('stop'),
]);

async function play(settle: Play['settle'], first = FIRST, files: Readonly<Record<string, string>> = FILES) {
  const offered = new Map<string, boolean>();
  const bench = new FilesBench({ files, answer: answering({ settle, offered, first }) });
  const { host, world } = bench.host();
  const run = await host.start({ definition, input: {}, project: bench.project });
  const rest = await host.rest(run);
  return { rest, offered, facts: await bench.facts(run), main: world.workspaces.folderOf(run, 'main') };
}

const blocked = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (fact.kind === 'task.ended' && fact.outcome === 'blocked' ? [fact] : []));

const PATHS = [
  { path: 'gone.txt', kind: 'deleted-by-them', ours: { text: 'changed\n' }, theirs: null },
  { path: 'logo.bin', kind: 'binary' },
];

test('[PD1] a conflict that no marks can show keeps the next merge back until its author has settled it', async () => {
  const { rest, facts, offered, main } = await play(({ call }) => {
    if (call === 1) return uses('settle_conflict', { path: 'logo.bin', take: 'other' });
    if (call === 2) return uses('settle_conflict', { path: 'gone.txt', take: 'mine' }, 'second');
    return says('settled');
  });
  expect(rest).toMatchObject({ outcome: 'ok', failure: null });
  const tries = blocked(facts);
  expect(tries.map(({ failure }) => failure?.code)).toEqual(['MERGE_CONFLICT', 'MERGE_NOT_FIXED']);
  for (const { output } of tries) expect(output).toMatchObject({ conflicts: PATHS });
  const turns = facts.flatMap((fact) => (fact.kind === 'task.started' && fact.work.kind === 'turn' ? [fact.work] : []));
  expect(turns.at(-1)?.input).toContain('settle_conflict');
  expect(turns.at(-1)?.input).toContain('gone.txt: you deleted it, the other side changed it');
  // [A3] Bob's list of tools is the same in every call, whether there is something to settle or not.
  const calls = ['start 1', 'settle 1', 'settle 2', 'settle 3'];
  expect(calls.map((call) => offered.get(call))).toEqual([true, true, true, true]);
  expect(readFileSync(join(main, 'logo.bin'), 'utf8')).toBe('\0by ann');
  expect(existsSync(join(main, 'gone.txt'))).toBe(false);
});

test('[PD1] changing the path settles it; a decision about another path is refused with those that are open', async () => {
  const { rest, facts, main } = await play(({ call }) => {
    if (call === 1) return uses('settle_conflict', { path: 'other.txt', take: 'mine' });
    if (call === 2) {
      const command = String.raw`printf '\0by both' > logo.bin; echo again > gone.txt`;
      return uses('execute_terminal', { command }, 'second');
    }
    return says('settled');
  });
  expect(rest).toMatchObject({ outcome: 'ok', failure: null });
  const refused = facts.find((fact) => fact.kind === 'tool.finished' && fact.isError);
  expect(refused).toMatchObject({
    content: 'There is no open conflict at other.txt. Left: gone.txt, logo.bin.',
  });
  expect(readFileSync(join(main, 'logo.bin'), 'utf8')).toBe('\0by both');
  expect(readFileSync(join(main, 'gone.txt'), 'utf8')).toBe('again\n');
});

test('[L6] open conflicts are in every record of the files, so a host that starts again still refuses', async () => {
  const { facts, rest } = await play(() => says('nothing to do'));
  expect(rest).toMatchObject({ outcome: 'blocked', failure: { code: 'MERGE_NOT_FIXED' } });
  expect(blocked(facts)).toHaveLength(3);
  const last = facts.findLast((fact) => fact.kind === 'files.changed' && fact.workspace === 'bob');
  expect(last).toMatchObject({
    open: { paths: [{ path: 'gone.txt' }, { path: 'logo.bin', other: { kind: 'file' } }] },
  });
});

test.for([
  { take: 'other', mode: 0o700 },
  { take: 'mine', mode: 0o750 },
])('[PD1] the mode of a folder is settled as %o, and nothing of what is in it is lost', async ({ take, mode }) => {
  const { rest, facts, main } = await play(
    ({ call }) => {
      // Work in the folder says nothing about its mode.
      if (call === 1) return uses('execute_terminal', { command: 'echo and more >> src/b.txt' });
      return call === 2 ? uses('settle_conflict', { path: 'src', take }, 'second') : says('settled');
    },
    FOLDERS,
    { 'src/a.txt': 'a\n', 'src/b.txt': 'b\n' },
  );
  expect(rest).toMatchObject({ outcome: 'ok', failure: null });
  expect(blocked(facts).map(({ output }) => output)).toMatchObject([
    { conflicts: [{ path: 'src', kind: 'mode' }] },
    { conflicts: [{ path: 'src', kind: 'mode' }] },
  ]);
  expect(readdirSync(join(main, 'src')).sort()).toEqual(['a.txt', 'b.txt', 'new.txt']);
  expect(readFileSync(join(main, 'src/a.txt'), 'utf8')).toBe('by ann\n');
  expect(readFileSync(join(main, 'src/b.txt'), 'utf8')).toBe('by bob\nand more\n');
  expect(statSync(join(main, 'src')).mode & 0o777).toBe(mode);
});
