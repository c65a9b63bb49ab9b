import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CallRequest } from '../../src/actors/port.ts';
import { git } from '../../src/workspace/testing/test-project.ts';
import { writeBranch } from '../../src/workspace/changes/write-branch.ts';
import { CAREFUL, carefulImplementer, lineOfBug, PLAIN, PLANTED } from './implementer-mind.ts';
import * as careful from './implementations/careful.ts';
import * as plain from './implementations/plain.ts';
import * as poor from './implementations/poor.ts';
import { ReviewBench } from './review-bench.ts';
import { reviewStateIn } from '../../src/formats/review/views/review-state-in.ts';

test('the material is what it is said to be', () => {
  const all = [careful, plain, poor];
  expect(all.map(({ decode }) => decode('A12UEL5L')?.prefix)).toEqual(['a', 'a', 'a']);
  expect(all.map(({ decode }) => decode('A12uEL5L') === null)).toEqual([true, true, false]);
  expect(all.map(({ encode }) => encode('a', []) === 'a12uel5l')).toEqual([true, true, false]);
  expect(PLANTED.split('\n').length).toBe(CAREFUL.split('\n').length);
  expect(lineOfBug(PLANTED)).toBeGreaterThan(1);
  expect(lineOfBug(CAREFUL)).toBe(0);
});

const userWords = ({ messages }: CallRequest): string =>
  messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
    .join('\n');

describe('three implement bech32, two review, and the bug of one is found, fixed and merged', () => {
  test('[PD1] [PD3] [PD6] [PD7] with real files, real tests and a real merge', async () => {
    const bench = new ReviewBench();
    const { project } = bench.bench;
    git(project, 'init');
    git(project, 'add', '-A');
    git(project, 'commit', '-m', 'The task');
    const rest = await bench.start();
    expect(rest).toMatchObject({
      outcome: 'ok',
      output: {
        winner: 'impl_1',
        decision: 'APPROVE',
        isSynthesis: false,
        dissent: [],
        revisions: 2,
        lost: [],
        evidence: {
          impl_1: { isGreen: true, passed: 23, failed: 0, tampered: [] },
          impl_2: { isGreen: false },
          impl_3: { isGreen: true, passed: 20 },
        },
      },
    });

    // The bug that no test of the user's finds is cited by its file and line, and the place was looked up.
    const ledger = await bench.ledger();
    expect(ledger.findings[0]).toMatchObject({
      id: 'F1',
      by: 'rev_1',
      implementation: 'impl_1',
      file: 'src/bech32.ts',
      line: lineOfBug(PLANTED),
      isVerified: true,
      isTouched: true,
      closed: { how: 'fixed', debate: 2 },
    });
    expect(ledger.outcome).toMatchObject({ kind: 'consensus', verdict: 'APPROVE' });
    // Each began with another best one, and what the other showed changed the mind of both.
    expect(ledger.positions.slice(0, 4).map(({ verdict, ranking }) => [verdict, ranking[0]])).toEqual([
      ['APPROVE', 'impl_3'],
      ['APPROVE', 'impl_1'],
      ['REVISE_BEST', 'impl_1'],
      ['REVISE_BEST', 'impl_1'],
    ]);

    // What is merged was verified, and is offered as a branch; the user's own files are as they were.
    expect(bench.file('src/bech32.ts')).toBe(CAREFUL);
    expect(bench.file('test/mixed.test.ts')).toContain('mixed case is refused');
    expect(readFileSync(join(project, 'src/bech32.ts'), 'utf8')).toContain('Not written yet');
    expect(git(project, 'status', '--porcelain')).toBe('');
    const { workspaces } = await bench.host.snapshot(bench.run);
    const { tree, base } = workspaces['main'] ?? {};
    if (tree === undefined || base === undefined) throw new Error('The run has no files.');
    const written = await writeBranch(await bench.world.workspaces.store(project), {
      project,
      base,
      tree,
      start: null,
      message: 'bech32',
      name: 'troupe/bech32',
      owner: bench.run,
    });
    expect(written).toMatchObject({ kind: 'written' });
    expect(git(project, 'show', 'troupe/bech32:src/bech32.ts')).toBe(CAREFUL);
    git(project, 'checkout', '-q', 'troupe/bech32');
    expect(spawnSync(process.execPath, ['--test', 'test/*.test.ts'], { cwd: project }).status).toBe(0);
  }, 120_000);

  test('[PD2] [PD3] [PD6] each agent sees exactly what it may', async () => {
    const bench = new ReviewBench();
    await bench.start();
    // Real diffs and the engine's own results, to both of them, before either has said anything.
    const [first = '', second = ''] = ['rev_1', 'rev_2'].map((agent) => bench.promptsOf(agent)[0]);
    expect(second).toBe(first);
    expect(first).toContain(`+${PLANTED.split('\n')[lineOfBug(PLANTED) - 1] ?? ''}`);
    expect(first).toContain('is green (exit code 0, 22 tests passed, 0 failed)');
    expect(first).toContain('is RED');
    for (const line of PLAIN.split('\n').filter((text) => text.includes('checksum'))) expect(first).toContain(line);
    // In a round the first speaker's verdict is hidden from the other: only those of the first reviews are known.
    const [, debated = ''] = bench.promptsOf('rev_2');
    expect(debated).toContain('rev_1, first review: APPROVE');
    expect(debated).not.toContain('REVISE_BEST;');
    expect(debated).toContain(`F1 [critical, priority 1] impl_1 src/bech32.ts:${lineOfBug(PLANTED)}`);
    // An author that revises gets the findings on its work, in the conversation in which it made it.
    const revision = bench.calls.find(({ agent, state }) => agent === 'impl_1' && state === 'revise');
    expect(revision?.messages.some(({ toolCalls = [] }) => toolCalls.some(({ name }) => name === 'write_file'))).toBe(
      true,
    );
    expect(bench.promptsOf('impl_1')[1]).toContain('F1 [critical');
    expect(bench.promptsOf('impl_1')[1]).not.toMatch(/impl_[23]|F[2-4] /);
    expect(bench.calls.some(({ agent, state }) => state === 'revise' && agent !== 'impl_1')).toBe(false);
    // After a revision: what changed, and the files themselves.
    const final = bench.promptsOf('rev_1').find((text) => text.includes('final review')) ?? '';
    expect(final).toContain('-  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return decode(');
    expect(final).not.toContain('ALPHABET = ');
    const looked = bench.calls.find(({ agent, call, state }) => agent === 'rev_1' && state === 'debate' && call === 2);
    expect(looked?.messages.findLast(({ role }) => role === 'tool')?.content).toContain('toUpperCase()) return null;');
    // No word of the reviewers among themselves goes to an implementer that was not chosen.
    for (const request of bench.calls.filter(({ agent }) => agent === 'impl_3'))
      expect(userWords(request)).not.toContain('finding');
  }, 120_000);

  test('[PD3] the place follows the bug', async () => {
    const moved = `// One.\n// Two.\n// Three.\n${PLANTED}`;
    const bench = new ReviewBench({ impl_1: (request) => carefulImplementer(request, moved) });
    await bench.start();
    expect((await bench.ledger()).findings[0]).toMatchObject({ line: lineOfBug(PLANTED) + 3, isVerified: true });
  }, 120_000);

  test('[PD4] without the bug the verdict differs', async () => {
    const bench = new ReviewBench({ impl_1: (request) => carefulImplementer(request, CAREFUL) });
    const rest = await bench.start();
    expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1', decision: 'APPROVE', revisions: 0 } });
    const { findings, positions } = await bench.ledger();
    expect(findings.filter(({ implementation }) => implementation === 'impl_1')).toEqual([]);
    expect(new Set(positions.map(({ verdict }) => verdict))).toEqual(new Set(['APPROVE']));
    expect(await bench.way()).not.toContain('revise');
    expect(bench.file('src/bech32.ts')).toBe(CAREFUL);
  }, 120_000);

  test('[L6] the journal alone gives the same ledger', async () => {
    const bench = new ReviewBench();
    await bench.start();
    const driven = await bench.ledger();
    const { host } = bench.bench.host();
    const read = await host.snapshot(bench.run);
    expect(reviewStateIn(read.data)?.ledger).toEqual(driven);
    expect(driven.findings.length).toBe(5);
  }, 120_000);
});
