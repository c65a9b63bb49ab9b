import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/model/json.ts';
import type { ReviewFinding } from '../rules/finding.ts';
import type { Ledger } from '../rules/ledger.ts';
import {
  askPrograms,
  type BenchOptions,
  type BenchStep,
} from '../../../host/perform/programs/testing/program-bench.ts';
import { testShell } from '../../../host/perform/programs/testing/test-shell.ts';
import { finding, handsIn, opens, OWN, packs, ROLES, takes } from './testing/review-bench.ts';

const shell = testShell();

interface TakenAnswer {
  readonly note?: string;
  readonly ledger: Ledger;
  readonly convergence: { readonly kind: string };
  readonly next: { readonly speaker: string; readonly say: string } | null;
}

const BEGIN: readonly BenchStep[] = [
  { by: 'impl_1', writes: { 'src/add.ts': 'one\nTWO\nthree\n' } },
  packs(['impl_1']),
  opens(['impl_1']),
];

async function taken(steps: readonly BenchStep[], options: BenchOptions = {}): Promise<readonly TakenAnswer[]> {
  const files = { 'src/add.ts': 'one\ntwo\nthree\n', 'README.md': 'Read\n', 'old.ts': 'x\n' };
  const { answers } = await askPrograms([...BEGIN, ...steps], { files, workspaces: OWN, roles: ROLES, ...options });
  for (const answer of answers) expect(answer.failure).toBeNull();
  return answers.slice(2).map(({ output }) => output as unknown as TakenAnswer);
}

const only = ({ ledger }: { readonly ledger: Ledger }): ReviewFinding | undefined => ledger.findings[0];

test('[PD3] a review with places that are there is taken, and the next speaker is told of it only when all are in', async () => {
  const [first, second] = await taken([
    takes(['open', 't1'], { reviewer: 'rev_1', ...handsIn({ verdict: 'REVISE_BEST', findings: [finding()] }) }),
    takes(['t1', 't2'], { reviewer: 'rev_2', ...handsIn({}) }),
  ]);
  expect(first).toMatchObject({ convergence: { kind: 'open' }, next: { speaker: 'rev_2' } });
  expect(first?.next?.say).not.toContain('subtracts');
  // Everybody was given the pack with the first words.
  expect(first?.next?.say).not.toContain('# The task');
  expect(second).toMatchObject({ next: { speaker: 'rev_1' } });
  expect(second?.next?.say).toContain('It subtracts.');
  expect(second?.ledger.findings).toMatchObject([{ id: 'F1', isVerified: true, file: 'src/add.ts', line: 2 }]);
});

test.for([
  ['a file that is not there', { file: 'src/sub.ts' }],
  ['a file that is elsewhere', { file: 'add.ts' }],
  ['a line that is not there', { line: 40 }],
] as const)('[PD3] a finding with %s counts as unverified, and is no flaw of the others', async ([, place]) => {
  const said = { reviewer: 'rev_1', ...handsIn({ findings: [finding(place), finding({ claim: 'Right.' })] }) };
  const [answer] = await taken([takes(['open', 't1'], said)]);
  expect(answer?.ledger.findings).toMatchObject([{ isVerified: false }, { claim: 'Right.', isVerified: true }]);
  expect(answer?.note).toBeUndefined();
});

test('[PD3] a review that is still without a ranking counts without one, and the ledger states that', async () => {
  const said = { reviewer: 'rev_1', ...handsIn({ ranking: [] }) };
  const two = [{ by: 'impl_2', writes: { 'src/add.ts': 'one\n' } }, packs(['impl_1', 'impl_2'])];
  const [, , answer] = await taken([...two, opens(['impl_1', 'impl_2']), takes(['open', 't1'], said)]);
  const flaw = 'The ranking leaves out impl_1, impl_2.';
  expect(answer).toMatchObject({
    note: `rev_1, first review: what is wrong in it does not count. ${flaw}`,
    ledger: { positions: [{ reviewer: 'rev_1', ranking: [], flaws: [flaw] }] },
  });
});

test.for([
  ['with the folder it has in the workspace', { file: 'impl_1/src/add.ts' }, 2],
  ['with the line in it', { file: 'src/add.ts:3', line: null }, 3],
  ['as a line that was not changed', { file: './src/add.ts', line: 1 }, 1],
  ['without a line', { line: null }, null],
] as const)('[PD3] a place may be written %s', async ([, place, line]) => {
  const [answer] = await taken([
    takes(['open', 't1'], { reviewer: 'rev_1', ...handsIn({ findings: [finding(place)] }) }),
  ]);
  expect(answer && only(answer)).toMatchObject({ file: 'src/add.ts', line, isVerified: true });
});

test('[PD3] a file that was deleted can be named, and a finding without a place is taken unverified', async () => {
  const said = handsIn({
    findings: [finding({ file: 'old.ts', line: 1 }), finding({ file: null, line: null, claim: 'No tests.' })],
  });
  const { answers } = await askPrograms(
    [
      { by: 'impl_1', uses: [{ name: 'execute_terminal', input: { command: 'rm old.ts' } }] },
      packs(['impl_1']),
      opens(['impl_1']),
      takes(['open', 't1'], { reviewer: 'rev_1', ...said }),
    ],
    { files: { 'old.ts': 'x\n' }, workspaces: OWN, roles: ROLES, world: shell },
  );
  const answer = answers.at(-1)?.output as unknown as TakenAnswer;
  expect(answer.ledger.findings).toMatchObject([{ isVerified: true }, { isVerified: false, file: null }]);
});

test('[PD4] prose is read by its keywords', async () => {
  const prose = 'REVISE_BEST: nearly.\nRANKING: impl_1\n- impl_1 src/add.ts:2 It subtracts.';
  const [first] = await taken([takes(['open', 't1'], { reviewer: 'rev_1', text: prose })]);
  expect(first?.ledger.positions).toMatchObject([{ verdict: 'REVISE_BEST', ranking: ['impl_1'] }]);
  expect(first && only(first)).toMatchObject({ file: 'src/add.ts', line: 2, isVerified: true });
});

test('[PD1] a reviewer that did not answer is dropped and counts as taken; one alone is no consensus', async () => {
  const [first, second] = await taken([
    takes(['open', 't1'], { reviewer: 'rev_1', failed: 'It hung.' }),
    takes(['t1', 't2'], { reviewer: 'rev_2', ...handsIn({}) }),
  ]);
  expect(first).toMatchObject({ ledger: { out: [{ id: 'rev_1', reason: 'It hung.' }] } });
  expect(second).toMatchObject({ convergence: { kind: 'single' }, next: null });
});

test('[PD1] an implementation that is not in the pack is not judged', async () => {
  const answers = await taken([
    opens(['impl_1', 'impl_2']),
    takes(['open', 't1'], { reviewer: 'rev_1', ...handsIn({}) }),
  ]);
  expect(answers.at(-1)).toMatchObject({ ledger: { lost: [{ id: 'impl_2' }] } });
});

const debates = (given: JsonObject): JsonObject => ({
  kind: 'position',
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
    const review = (reviewer: string, findings: readonly JsonObject[]) => ({
      reviewer,
      ...handsIn({ verdict: 'REVISE_BEST', findings }),
    });
    const [, , third, fourth] = await taken(
      [
        takes(['open', 't1'], review('rev_1', [finding()])),
        takes(['t1', 't2'], review('rev_2', [])),
        takes(['t2', 't3'], {
          reviewer: 'rev_1',
          ...debates({ stances: [AGREE], test: { finding: 'F1', command, expect: 'fail' } }),
        }),
        takes(['t2', 't4'], {
          reviewer: 'rev_1',
          ...debates({ stances: [AGREE], test: { finding: 'F1', command, expect: 'pass' } }),
        }),
      ],
      { world },
    );
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
    takes(['open', 't1'], { reviewer: 'rev_1', ...handsIn({ verdict: 'REVISE_BEST', findings: [finding()] }) }),
    takes(['t1', 't2'], { reviewer: 'rev_2', ...handsIn({ verdict: 'APPROVE' }) }),
    takes(['t2', 't3'], { reviewer: 'rev_1', ...debates({ stances: [] }) }),
    takes(['t3', 't4'], { reviewer: 'rev_1', ...debates({ stances: [DISAGREE] }) }),
    takes(['t3', 't5'], { reviewer: 'rev_2', ...debates({ stances: [AGREE] }) }),
  ]);
  expect(third).toMatchObject({ next: { speaker: 'rev_2' } });
  expect(third?.next?.say).not.toContain('round 1: REVISE_BEST');
  expect(fourth).toMatchObject({ ledger: third?.ledger });
  expect(fifth).toMatchObject({
    convergence: { kind: 'consensus', verdict: 'REVISE_BEST' },
    next: null,
  });
});

test('[L4] what an implementer tampered with is a finding of the engine from the first review on, once', async () => {
  const evidence = { isGreen: true, exitCode: 0, tampered: [{ path: 'test/a.test.ts', how: 'deleted' }] };
  const [first, second] = (
    await taken([
      packs([], { implementations: [{ id: 'impl_1', agent: 'impl_1', evidence }] }),
      takes(['open', 't1'], { reviewer: 'rev_1', ...handsIn({}) }),
      takes(['t1', 't2'], { reviewer: 'rev_2', ...handsIn({}) }),
    ])
  ).slice(1);
  expect(first?.ledger.findings).toMatchObject([{ by: 'engine', severity: 'critical', closed: { stands: true } }]);
  expect(second?.ledger.findings).toHaveLength(1);
});

test('[PD4] [RV21] the pack may be given by its name among the data, and calls as they stand with the agent', async () => {
  const given = { verdict: 'REVISE_BEST', ranking: ['impl_1'], findings: [finding()], summary: '' };
  const calls = [{ id: 'c', type: 'function', function: { name: 'hand_in_review', arguments: given } }];
  const [answer] = await taken([takes(['open', 't1'], { reviewer: 'rev_1', calls, pack: 'pack' })]);
  expect(answer && only(answer)).toMatchObject({ file: 'src/add.ts', line: 2, isVerified: true });
});

test('[PD4] a name that the data do not have is told', async () => {
  const said = { reviewer: 'rev_1', ...handsIn({}), pack: 'packed' };
  const { answers } = await askPrograms([...BEGIN, takes(['open', 't1'], said)], { workspaces: OWN, roles: ROLES });
  expect(answers.at(-1)?.failure).toMatchObject({ code: 'PROGRAM_INPUT' });
});
