import { describe, expect, test } from 'vitest';
import { work } from '../../../protocol/workflow-state/testing/test-records.ts';
import type { CompareView } from './compare-view.ts';
import { foldCompare } from './fold-compare.ts';
import { finding, ReviewTale } from './testing/review-tale.ts';

const view = (tale: ReviewTale): CompareView => foldCompare(tale.records, { title: 'x', driven: false });

const SIZES = {
  impl_1: { files: 1, added: 3, removed: 1, binary: 0 },
  impl_2: { files: 2, added: 10, removed: 0, binary: 1 },
};

const EVIDENCE = {
  impl_1: { isGreen: true, exitCode: 0, passed: 4, failed: 0, output: 'fine', ms: 20, tampered: [] },
  impl_2: {
    isGreen: false,
    exitCode: 1,
    passed: 3,
    failed: 1,
    output: 'bad',
    tampered: [{ path: 't', how: 'deleted' }],
  },
};

function reviewed(): ReviewTale {
  const tale = new ReviewTale(['rev_1', 'rev_2'], ['impl_1', 'impl_2', 'impl_3'])
    .turn('impl_1', 'implement')
    .turn('impl_2', 'implement', { ms: 500, costUsd: 1 })
    .turn('impl_3', 'implement', { outcome: 'crashed' })
    .set({ lost: [{ id: 'impl_3', outcome: 'crashed', reason: 'It broke.' }], evidence: EVIDENCE })
    .set({ firstSizes: SIZES });
  const findings = [finding(), finding({ implementation: 'impl_2', severity: 'critical' })];
  return tale.review('rev_1', { findings }).review('rev_2', { ranking: ['impl_1', 'impl_2'] });
}

const decided = (tale: ReviewTale): ReviewTale => tale.decide({ synthesis: {} });

describe('[PD5] implementations side by side', () => {
  test('with evidence, size, findings, rank, cost and time of each', () => {
    const { implementations, verify } = view(reviewed());
    expect(verify).toBe('npm test');
    expect(implementations).toMatchObject([
      {
        id: 'impl_1',
        models: ['model of impl_1'],
        standing: 'judged',
        outcome: 'ok',
        lost: null,
        evidence: { isGreen: true, passed: 4, tampered: [] },
        diff: { files: 1, added: 3, removed: 1, binary: 0, of: 'first' },
        findings: { against: { critical: 0, major: 1 }, done: 0 },
        rank: 1,
        points: 2,
        revisions: 0,
        spending: { turns: 1, costUsd: 0.25, ms: 1000 },
      },
      {
        id: 'impl_2',
        evidence: { isGreen: false, failed: 1, tampered: [{ path: 't', how: 'deleted' }] },
        diff: { files: 2, added: 10, binary: 1 },
        findings: { against: { critical: 1 } },
        rank: 2,
        points: 0,
        spending: { costUsd: 1, ms: 500 },
      },
      {
        id: 'impl_3',
        standing: 'lost',
        lost: { outcome: 'crashed', reason: 'It broke.' },
        evidence: null,
        diff: null,
        rank: null,
        points: null,
      },
    ]);
  });

  test('sizes that were counted on the files go before those of the first pack', () => {
    const sizes = new Map([['impl_1', { files: 5, added: 1, removed: 1, binary: 0, of: 'now' as const }]]);
    const { implementations } = foldCompare(reviewed().records, { title: 'x', driven: false, sizes });
    expect(implementations.map(({ diff }) => diff?.of)).toEqual(['now', 'first', undefined]);
  });

  test('the best one is shown before it is merged, and the winner afterwards', () => {
    const tale = decided(reviewed());
    expect(view(tale)).toMatchObject({ winner: 'impl_1', isMerged: false, pick: 'ranking' });
    expect(view(tale).implementations.map(({ standing }) => standing)).toEqual(['best', 'judged', 'lost']);
    tale
      .add(work('m1', 'merge_impl_1', { kind: 'merge', agent: 'impl_1' }))
      .end('m1')
      .settle();
    expect(view(tale)).toMatchObject({ winner: 'impl_1', isMerged: true });
    expect(view(tale).implementations.map(({ standing }) => standing)).toEqual(['merged', 'aside', 'lost']);
  });

  test('ranks stay what they were when later reviews rank only the revised one', () => {
    const tale = decided(reviewed()).turn('impl_1', 'revise').reopen(['impl_1']);
    tale.position('rev_1', { ranking: ['impl_1'] }).position('rev_2', { ranking: ['impl_1'] });
    const { implementations, revisions } = view(tale);
    expect(revisions).toBe(1);
    expect(implementations.map(({ rank, points }) => [rank, points])).toEqual([
      [1, 2],
      [2, 0],
      [null, null],
    ]);
    expect(implementations[0]).toMatchObject({ revisions: 1, spending: { turns: 2 } });
    expect(implementations[1]?.standing).toBe('aside');
  });

  test('a hybrid is listed separately', () => {
    const tale = decided(reviewed())
      .add(work('m1', 'merge_hybrid', { kind: 'merge', agent: 'hybrid' }))
      .end('m1');
    const { implementations, winner } = view(tale);
    expect(winner).toBe('hybrid');
    expect(implementations.at(-1)).toMatchObject({ id: 'hybrid', standing: 'merged', findings: { done: 0 } });
  });

  test('an implementation that could not be merged is shown as such', () => {
    const tale = decided(reviewed()).add(work('m1', 'merge_hybrid', { kind: 'merge', agent: 'hybrid' }));
    expect(view(tale).implementations.at(-1)?.standing).toBe('best');
    tale.end('m1', 'failed').settle('failed');
    expect(view(tale)).toMatchObject({ winner: 'hybrid', isMerged: false });
    expect(view(tale).implementations.map(({ standing }) => standing)).toEqual([
      'judged',
      'judged',
      'lost',
      'unmerged',
    ]);
  });

  test('[PD7] an unsuitable hybrid is shown next to the one that was merged instead', () => {
    const tale = decided(reviewed())
      .add(work('m1', 'merge_hybrid', { kind: 'merge', agent: 'hybrid' }))
      .end('m1', 'failed')
      .add(work('m2', 'merge_impl_1', { kind: 'merge', agent: 'impl_1' }))
      .end('m2')
      .settle();
    expect(view(tale)).toMatchObject({ winner: 'impl_1', isMerged: true });
    expect(view(tale).implementations.map(({ id, standing }) => `${id} ${standing}`)).toEqual([
      'impl_1 merged',
      'impl_2 aside',
      'impl_3 lost',
      'hybrid unmerged',
    ]);
  });

  test('[PD6] the best so far that could not be verified is shown as such', () => {
    const unverified = { implementation: 'impl_1', code: 'MERGE_NOT_VERIFIED', why: 'It is red.' };
    const tale = decided(reviewed())
      .add(work('m1', 'merge_impl_1', { kind: 'merge', agent: 'impl_1' }))
      .end('m1', 'failed')
      .set({ unverified })
      .settle('partial');
    expect(view(tale)).toMatchObject({ outcome: 'partial', isMerged: false, winner: 'impl_1', unverified });
    expect(view(tale).implementations[0]?.standing).toBe('unverified');
  });

  test('one that came out well is not lost when too few of the others did', () => {
    const tale = new ReviewTale(['rev_1', 'rev_2'], ['impl_1', 'impl_2'])
      .turn('impl_1', 'implement')
      .turn('impl_2', 'implement', { outcome: 'failed' })
      .set({ lost: [{ id: 'impl_2', outcome: 'failed', reason: null }] })
      .settle('failed');
    expect(view(tale).implementations.map(({ standing }) => standing)).toEqual(['unreviewed', 'lost']);
  });

  test('who is still at it is at work', () => {
    const tale = new ReviewTale(['rev_1', 'rev_2'], ['impl_1', 'impl_2']);
    tale.start('impl_1', 'implement');
    expect(view(tale).implementations.map(({ standing, outcome }) => [standing, outcome])).toEqual([
      ['working', null],
      ['working', null],
    ]);
    expect(view(tale).winner).toBeNull();
  });
});
