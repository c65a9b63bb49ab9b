import { expect, test } from 'vitest';
import type { BenchStep } from '../../../host/perform/outputs/testing/program-bench.ts';
import { decideReview } from '../rules/decide.ts';
import { newLedger } from '../rules/ledger.ts';
import type { CommandEvidence, ReviewState } from '../rules/review-state.ts';
import { askReview, programStep, changes, finding, handsIn, opens, packs, takes } from './testing/review-bench.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`);
const FILES = { 'src/add.ts': LINES.join(''), 'src/other.ts': 'x\n' };
const TAMPERED = { isGreen: false, exitCode: 1, output: 'boom', tampered: [{ path: 'test/a.ts', how: 'changed' }] };
const GREEN = { isGreen: true, exitCode: 0, output: 'fine', tampered: [] };

const FIRST = LINES.with(1, 'first\n').join('');

const FINDINGS = [
  finding({ line: 20 }),
  finding({ file: 'src/other.ts', line: null, claim: 'It is empty.', priority: 2 }),
];

/** Two reviewers agree on two findings; the implementer has them. */
const reviewed = (evidence: CommandEvidence | null, chosen = 'impl_1'): readonly BenchStep[] => [
  { by: 'impl_1', writes: { 'src/add.ts': FIRST } },
  opens(['impl_1'], evidence === null ? {} : { evidence: { impl_1: evidence } }),
  packs(),
  takes('rev_1', handsIn({ verdict: 'REVISE_BEST', findings: FINDINGS })),
  takes('rev_2', handsIn({ verdict: 'REVISE_BEST' })),
  changes({ decision: { ...NO_DECISION, chosen: [chosen] } }),
  programStep('review.orders'),
];

const NO_DECISION = decideReview(newLedger([], ['impl_1'], 1), { pick: 'ranking', evidence: {} });

async function ran(
  steps: readonly BenchStep[],
  evidence: CommandEvidence | null = null,
): Promise<readonly ReviewState[]> {
  return (await askReview([...reviewed(evidence), ...steps], { files: FILES })).states.slice(5);
}

/** The revision is over, and reviewers get it. */
const revised: readonly BenchStep[] = [changes({ revisions: 1 }), packs()];

test('[PD6] an implementer gets only the findings against its work, with red evidence', async () => {
  const [ordered] = await ran([], TAMPERED);
  const text = ordered?.orders['impl_1'] ?? '';
  expect(text).toContain('It subtracts.');
  expect(text).toContain('test/a.ts was changed, and the command that verifies the work counts on it.');
  expect(text).toContain('    boom');
  expect(text.indexOf('test/a.ts')).toBeLessThan(text.indexOf('It is empty.'));
  expect(ordered?.trees).toEqual({ impl_1: expect.stringMatching(/^[0-9a-f]{40}/) });
});

test('[A7] an implementer without findings is not asked to change the places of findings', async () => {
  const { state } = await askReview(reviewed(null, 'impl_2'), { files: FILES });
  expect(state.orders['impl_2']).toContain('reported no finding about your implementation');
  expect(state.orders['impl_2']).toContain('If you find none, change nothing and say so.');
  expect(state.orders['impl_2']).not.toContain('these findings');
});

test('[PD6] green evidence is not repeated', async () => {
  const [ordered] = await ran([], GREEN);
  expect(ordered?.orders['impl_1']).toContain('It subtracts.');
  expect(ordered?.orders['impl_1']).not.toContain('Evidence');
});

test.for([
  ['nothing at all', {}, [false, false]],
  ['nothing that is named', { 'src/third.ts': '' }, [false, false]],
  ['one named line', { 'src/add.ts': FIRST.replace('line 20', 'LINE 20') }, [true, false]],
  ['another line of a named file', { 'src/add.ts': FIRST.replace('line 29', 'LINE 29') }, [true, false]],
] as const)('[PD6] a revision that touches %s is reported as such', async ([, writes, touched]) => {
  const states = await ran([{ by: 'impl_1', writes }, ...revised]);
  expect(states.at(-1)?.ledger.findings.map(({ isTouched }) => isTouched)).toEqual(touched);
});

test('[PD6] each reviewer gets what changed and the findings again; one that touched nothing is called out to both', async () => {
  const stances = ['F1', 'F2'].map((id) => ({ finding: id, stance: 'agree', reason: 'Still.' }));
  const states = await ran([
    { by: 'impl_1', writes: { 'src/third.ts': 'a third\n' } },
    ...revised,
    takes('rev_1', { kind: 'position', ...handsIn({ verdict: 'REVISE_BEST', stances }, 'hand_in_position') }),
  ]);
  const [reopened, third] = states.slice(-2);
  // Both changes, of which only the second is shown again.
  expect(reopened?.sizes).toEqual({ impl_1: { files: 2, added: 2, removed: 1, binary: 0 } });
  for (const [speaker, state] of [
    ['rev_1', reopened],
    ['rev_2', third],
  ] as const) {
    expect(state).toMatchObject({ speaker, isNew: true });
    expect(state?.pack?.text).toContain('+a third');
    expect(state?.say).toContain('The revision of impl_1 changed nothing that the findings name.');
    expect(state?.say).toContain('It subtracts.');
  }
  expect(reopened?.ledger).toMatchObject({ debate: 2, maxRounds: 3, outcome: null });
  expect(reopened?.debates).toMatchObject([{ debate: 1, came: { kind: 'open' }, resting: [] }]);
});

test('[L4] a tampered file is closed by evidence that it was put back, and by nothing else', async () => {
  const still = (await ran([{ by: 'impl_1', writes: {} }, ...revised], TAMPERED)).at(-1);
  const fixed = (await ran([changes({ evidence: { impl_1: GREEN } }), ...revised], TAMPERED)).at(-1);
  const own = (state: ReviewState | undefined) => state?.ledger.findings.filter(({ by }) => by === 'engine');
  expect(own(still)).toMatchObject([{ file: 'test/a.ts', closed: { how: 'evidence', stands: true } }]);
  expect(own(fixed)).toMatchObject([{ file: 'test/a.ts', closed: { how: 'evidence', stands: false } }]);
});

test('[PD5] the decision comes from the ledger and the evidence; what the engine saw outweighs an approval', async () => {
  const decided = async (evidence: ReviewState['evidence']): Promise<ReviewState> => {
    const steps: readonly BenchStep[] = [
      { by: 'impl_1', writes: { 'src/add.ts': 'x\n' } },
      opens(['impl_1']),
      packs(),
      takes('rev_1', handsIn({})),
      takes('rev_2', handsIn({})),
      changes({ evidence }),
      programStep('review.next', { event: 'deciding' }),
    ];
    return (await askReview(steps, { files: FILES })).state;
  };
  expect((await decided({})).decision).toMatchObject({
    decision: 'APPROVE',
    best: 'impl_1',
    chosen: ['impl_1'],
    needs: null,
    isSynthesis: false,
  });
  expect((await decided({ impl_1: { ...GREEN, passed: 3 } })).decision).toMatchObject({ decision: 'APPROVE' });
  const red = { ...GREEN, isGreen: false, exitCode: 1 };
  expect((await decided({ impl_1: red })).decision).toMatchObject({ decision: 'REVISE_BEST', best: 'impl_1' });
});
