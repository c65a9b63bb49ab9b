import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/model/json.ts';
import type { ReviewFinding } from '../rules/finding.ts';
import type { ReviewState } from '../rules/review-state.ts';
import { askPrograms, type BenchOptions, type BenchStep } from '../../../host/perform/outputs/testing/program-bench.ts';
import { testShell } from '../../../host/perform/outputs/testing/test-shell.ts';
import { askReview, programStep, finding, handsIn, opens, OWN, packs, ROLES, takes } from './testing/review-bench.ts';

const shell = testShell();

const BEGIN: readonly BenchStep[] = [
  { by: 'impl_1', writes: { 'src/add.ts': 'one\nTWO\nthree\n' } },
  opens(['impl_1']),
  packs(),
];

const FILES = { 'src/add.ts': 'one\ntwo\nthree\n', 'README.md': 'Read\n', 'old.ts': 'x\n' };

/** The state of the review after each of the steps. */
async function taken(steps: readonly BenchStep[], options: BenchOptions = {}): Promise<readonly ReviewState[]> {
  return (await askReview([...BEGIN, ...steps], { files: FILES, ...options })).states.slice(2);
}

const only = ({ ledger }: ReviewState): ReviewFinding | undefined => ledger.findings[0];

test('[PD3] a review with existing places is taken, and the next speaker sees it only when all are in', async () => {
  const [first, second] = await taken([
    takes('rev_1', handsIn({ verdict: 'REVISE_BEST', findings: [finding()] })),
    takes('rev_2', handsIn({})),
  ]);
  expect(first).toMatchObject({ ledger: { outcome: null }, speaker: 'rev_2' });
  expect(first?.say).not.toContain('subtracts');
  // Everybody was given the pack with the first words.
  expect(first?.say).not.toContain('# The task');
  expect(second).toMatchObject({ speaker: 'rev_1' });
  expect(second?.say).toContain('It subtracts.');
  expect(second?.ledger.findings).toMatchObject([{ id: 'F1', isVerified: true, file: 'src/add.ts', line: 2 }]);
});

test.for([
  ['a file that is not there', { file: 'src/sub.ts' }],
  ['a file that is elsewhere', { file: 'add.ts' }],
  ['a line that is not there', { line: 40 }],
] as const)('[PD3] a finding with %s counts as unverified, and is no flaw of the others', async ([, place]) => {
  const said = handsIn({ findings: [finding(place), finding({ claim: 'Right.' })] });
  const { state, answers } = await askReview([...BEGIN, takes('rev_1', said)], { files: FILES });
  expect(state.ledger.findings).toMatchObject([{ isVerified: false }, { claim: 'Right.', isVerified: true }]);
  expect(answers.at(-1)?.output).toEqual({ go: 'debate' });
});

test('[PD3] a review that is still without a ranking counts without one, and the ledger states that', async () => {
  const two = [{ by: 'impl_2', writes: { 'src/add.ts': 'one\n' } }, opens(['impl_1', 'impl_2']), packs()];
  const { state, answers } = await askReview([...BEGIN, ...two, takes('rev_1', handsIn({ ranking: [] }))], {
    files: FILES,
  });
  const flaw = 'The ranking leaves out impl_1, impl_2.';
  const note = `rev_1, first review: what is wrong in it does not count. ${flaw}`;
  expect(answers.at(-1)?.output).toMatchObject({ note });
  expect(state.ledger.positions).toMatchObject([{ reviewer: 'rev_1', ranking: [], flaws: [flaw] }]);
});

test.for([
  ['with the folder it has in the workspace', { file: 'impl_1/src/add.ts' }, 2],
  ['with the line in it', { file: 'src/add.ts:3', line: null }, 3],
  ['as a line that was not changed', { file: './src/add.ts', line: 1 }, 1],
  ['without a line', { line: null }, null],
] as const)('[PD3] a place may be written %s', async ([, place, line]) => {
  const [answer] = await taken([takes('rev_1', handsIn({ findings: [finding(place)] }))]);
  expect(answer && only(answer)).toMatchObject({ file: 'src/add.ts', line, isVerified: true });
});

test('[PD3] a file that was deleted can be named, and a finding without a place is taken unverified', async () => {
  const said = handsIn({
    findings: [finding({ file: 'old.ts', line: 1 }), finding({ file: null, line: null, claim: 'No tests.' })],
  });
  const removes = { by: 'impl_1', uses: [{ name: 'execute_terminal', input: { command: 'rm old.ts' } }] };
  const steps = [removes, opens(['impl_1']), packs(), takes('rev_1', said)];
  const { state } = await askReview(steps, { files: { 'old.ts': 'x\n' }, world: shell });
  expect(state.ledger.findings).toMatchObject([{ isVerified: true }, { isVerified: false, file: null }]);
});

test('[PD4] prose is read by its keywords', async () => {
  const prose = 'REVISE_BEST: nearly.\nRANKING: impl_1\n- impl_1 src/add.ts:2 It subtracts.';
  const [first] = await taken([takes('rev_1', { text: prose })]);
  expect(first?.ledger.positions).toMatchObject([{ verdict: 'REVISE_BEST', ranking: ['impl_1'] }]);
  expect(first && only(first)).toMatchObject({ file: 'src/add.ts', line: 2, isVerified: true });
});

test('[PD1] a reviewer that did not answer is dropped and counts as taken; one alone is no consensus', async () => {
  const [first, second] = await taken([takes('rev_1', { failed: 'It hung.' }), takes('rev_2', handsIn({}))]);
  expect(first).toMatchObject({ ledger: { out: [{ id: 'rev_1', reason: 'It hung.' }] } });
  expect(second).toMatchObject({ ledger: { outcome: { kind: 'single' } } });
});

test('[PD1] an implementation that is not in the pack is not judged', async () => {
  const states = await taken([opens(['impl_1', 'impl_2'], { units: [{ id: 'impl_1' }] }), packs()]);
  expect(states.at(-1)).toMatchObject({ ledger: { lost: [{ id: 'impl_2' }] } });
});

const debates = (given: JsonObject) => ({
  kind: 'position' as const,
  ...handsIn({ verdict: 'REVISE_BEST', stances: [], ...given }, 'hand_in_position'),
});

const AGREE = { finding: 'F1', stance: 'agree', reason: 'I see it.' };
const DISAGREE = { finding: 'F1', stance: 'disagree', reason: 'It adds.' };

test.for([
  ['with an overlay', true],
  ['on a copy', false],
] as const)(
  '[PD4] a test that a reviewer proposes is run %s, leaves nothing, and decides against its proposer',
  async ([, hasOverlay]) => {
    const world = { ...shell, hasOverlay: async () => hasOverlay && (await shell.hasOverlay()) };
    const command = 'test ! -e left && grep -q TWO src/add.ts && touch left && pwd';
    const afterTest = async (expectation: string): Promise<ReviewState | undefined> => {
      const proposed = { finding: 'F1', command, expect: expectation };
      const steps = [
        takes('rev_1', handsIn({ verdict: 'REVISE_BEST', findings: [finding()] })),
        takes('rev_2', handsIn({ verdict: 'REVISE_BEST', findings: [] })),
        takes('rev_1', debates({ stances: [AGREE], test: proposed })),
      ];
      return (await taken(steps, { world })).at(-1);
    };
    const [third, fourth] = [await afterTest('fail'), await afterTest('pass')];
    // It says that the command fails if it is right, and the command passes.
    expect(third?.ledger.tests).toMatchObject([{ command, exitCode: 0, reviewer: 'rev_1' }]);
    expect(third && only(third)).toMatchObject({ closed: { how: 'evidence', stands: false } });
    expect(third?.ledger.tests[0]?.output).toMatch((await world.hasOverlay()) ? /impl_1$/ : /throwaway$/);
    // Nothing of the run before is there, and a test that bears its proposer out alone closes nothing.
    expect(fourth?.ledger.tests).toMatchObject([{ exitCode: 0 }]);
    expect(fourth && only(fourth)).toMatchObject({ closed: null });
  },
);

test('[PD4] both sides agree and the debate is over; who speaks out of turn changes nothing', async () => {
  const [, , third, fourth, fifth] = await taken([
    takes('rev_1', handsIn({ verdict: 'REVISE_BEST', findings: [finding()] })),
    takes('rev_2', handsIn({ verdict: 'APPROVE' })),
    takes('rev_1', debates({ stances: [] })),
    takes('rev_1', debates({ stances: [DISAGREE] })),
    takes('rev_2', debates({ stances: [AGREE] })),
  ]);
  expect(third).toMatchObject({ speaker: 'rev_2' });
  expect(third?.say).not.toContain('round 1: REVISE_BEST');
  expect(fourth?.ledger).toEqual(third?.ledger);
  expect(fifth?.ledger.outcome).toMatchObject({ kind: 'consensus', verdict: 'REVISE_BEST' });
});

test('[L4] what an implementer tampered with is a finding of the engine from the first review on, once', async () => {
  const evidence = { isGreen: true, exitCode: 0, tampered: [{ path: 'test/a.test.ts', how: 'deleted' }] };
  const states = await taken([
    opens(['impl_1'], { evidence: { impl_1: { ...evidence, output: '' } } }),
    packs(),
    takes('rev_1', handsIn({})),
    takes('rev_2', handsIn({})),
  ]);
  const [, packed, , second] = states;
  expect(packed?.ledger.findings).toMatchObject([{ by: 'engine', severity: 'critical', closed: { stands: true } }]);
  expect(second?.ledger.findings).toHaveLength(1);
});

test('[PD4] a program of a review without a review is refused', async () => {
  const { answers } = await askPrograms([programStep('review.take')], { workspaces: OWN, roles: ROLES });
  expect(answers.at(-1)?.failure).toMatchObject({ code: 'PROGRAM_INPUT' });
});
