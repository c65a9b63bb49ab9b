import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../core/model/json.ts';
import type { Ledger } from '../rules/ledger.ts';
import { askPrograms, type BenchStep, written } from '../../../host/perform/programs/testing/program-bench.ts';
import { finding, handsIn, opens, OWN, packs, ROLES, takes } from './testing/review-bench.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`);
const FILES = { 'src/add.ts': LINES.join(''), 'src/other.ts': 'x\n' };
const TAMPERED = { isGreen: false, exitCode: 1, output: 'boom', tampered: [{ path: 'test/a.ts', how: 'changed' }] };

const FIRST = LINES.with(1, 'first\n').join('');

/** Two reviewers agree on two findings; the implementer was told. */
const reviewed = (evidence: JsonObject | null): readonly BenchStep[] => [
  { by: 'impl_1', writes: { 'src/add.ts': FIRST } },
  packs([], { implementations: [{ id: 'impl_1', agent: 'impl_1', evidence }] }),
  opens(['impl_1']),
  takes(['open', 't1'], {
    reviewer: 'rev_1',
    ...handsIn({
      verdict: 'REVISE_BEST',
      findings: [
        finding({ line: 20 }),
        finding({ file: 'src/other.ts', line: null, claim: 'It is empty.', priority: 2 }),
      ],
    }),
  }),
  takes(['t1', 't2'], { reviewer: 'rev_2', ...handsIn({ verdict: 'REVISE_BEST' }) }),
  {
    ask: 'review.orders',
    as: 'ordered',
    input: written({
      ledger: '$common_data.t2.ledger',
      chosen: ['impl_1'],
      evidence: evidence === null ? {} : { impl_1: evidence },
    }),
  },
];

const touches: BenchStep = {
  ask: 'review.touched',
  as: 'touched',
  input: written({
    id: 'impl_1',
    agent: 'impl_1',
    since: '$common_data.ordered.trees.impl_1',
    ledger: '$common_data.t2.ledger',
  }),
};

const reopens: BenchStep = {
  ask: 'review.reopen',
  as: 'reopened',
  input: written({
    ledger: '$common_data.t2.ledger',
    chosen: ['impl_1'],
    maxRounds: 3,
    touched: { impl_1: '$common_data.touched' },
    pack: '$common_data.pack',
  }),
};

const ID = 'impl_1';
const repacks = (evidence: Json): BenchStep =>
  packs([], { implementations: [{ id: ID, agent: ID, evidence }], since: '$common_data.ordered.trees' });

async function ran(steps: readonly BenchStep[], evidence: JsonObject | null = null): Promise<readonly JsonObject[]> {
  const { answers } = await askPrograms([...reviewed(evidence), ...steps], {
    files: FILES,
    workspaces: OWN,
    roles: ROLES,
  });
  for (const { failure } of answers) expect(failure).toBeNull();
  return answers.slice(4).map(({ output }) => output as JsonObject);
}

test('[PD6] an implementer is told what stands against its work alone, with red evidence', async () => {
  const [ordered] = await ran([], TAMPERED);
  const { orders } = ordered as unknown as { readonly orders: Readonly<Record<string, string>> };
  const text = orders['impl_1'] ?? '';
  expect(text).toContain('It subtracts.');
  expect(text).toContain('test/a.ts was changed, and the command that verifies the work counts on it.');
  expect(text).toContain('    boom');
  expect(text.indexOf('test/a.ts')).toBeLessThan(text.indexOf('It is empty.'));
  expect(ordered?.['trees']).toEqual({ impl_1: expect.stringMatching(/^[0-9a-f]{40}/) });
});

test('[A7] an implementer without findings is not told to change what findings name', async () => {
  const input = written({ ledger: '$common_data.t2.ledger', chosen: ['impl_2'], evidence: {} });
  const [, second] = await ran([{ ask: 'review.orders', as: 'others', input }]);
  const { orders } = second as unknown as { readonly orders: Readonly<Record<string, string>> };
  expect(orders['impl_2']).toContain('reported no finding about your implementation');
  expect(orders['impl_2']).toContain('If you find none, change nothing and say so.');
  expect(orders['impl_2']).not.toContain('these findings');
});

test('[PD6] green evidence is not told again', async () => {
  const [ordered] = await ran([], { isGreen: true, exitCode: 0, output: 'fine', tampered: [] });
  expect(JSON.stringify(ordered)).not.toContain('Evidence');
});

test.for([
  ['nothing at all', {}, ['F1', 'F2'], [], 'changed NOTHING'],
  ['nothing that is named', { 'src/third.ts': '' }, ['F1', 'F2'], [], 'changed nothing that the findings name'],
  [
    'one named line',
    { 'src/add.ts': FIRST.replace('line 20', 'LINE 20') },
    ['F2'],
    [],
    'F2 (implementation impl_1, src/other.ts) was not changed.',
  ],
  [
    'another line of a named file',
    { 'src/add.ts': FIRST.replace('line 29', 'LINE 29') },
    ['F2'],
    ['F1'],
    'F1 (implementation impl_1, src/add.ts:20) was not changed, but other lines of the file were.',
  ],
  [
    'lines that only now bear that number',
    { 'src/add.ts': `${'new\n'.repeat(40)}${FIRST}` },
    ['F2'],
    ['F1'],
    'F1 (implementation impl_1, src/add.ts:20) was not changed, but other lines of the file were.',
  ],
] as const)('[PD6] a revision that touches %s is told as that', async ([, writes, untouched, elsewhere, words]) => {
  const [, touched] = await ran([{ by: 'impl_1', writes }, touches]);
  expect(touched).toMatchObject({ id: 'impl_1', untouched, elsewhere });
  expect(touched?.['text']).toContain(words);
});

interface Reopened {
  readonly ledger: Ledger;
  readonly next: { readonly speaker: string; readonly say: string } | null;
}

test('[PD6] each reviewer gets what changed and the findings again; one that touched nothing is called out to both', async () => {
  const answers = await ran([
    { by: 'impl_1', writes: { 'src/third.ts': 'a third\n' } },
    touches,
    repacks(null),
    reopens,
    takes(['reopened', 't3'], {
      reviewer: 'rev_1',
      kind: 'position',
      ...handsIn(
        {
          verdict: 'REVISE_BEST',
          stances: ['F1', 'F2'].map((id) => ({ finding: id, stance: 'agree', reason: 'Still.' })),
        },
        'hand_in_position',
      ),
    }),
  ]);
  const [reopened, third] = answers.slice(-2) as unknown as readonly Reopened[];
  for (const [speaker, next] of [
    ['rev_1', reopened?.next],
    ['rev_2', third?.next],
  ] as const) {
    expect(next?.speaker).toBe(speaker);
    expect(next?.say).toContain('+a third');
    expect(next?.say).toContain('The revision of impl_1 changed nothing that the findings name.');
    expect(next?.say).toContain('It subtracts.');
  }
  expect(reopened?.ledger).toMatchObject({ debate: 2, maxRounds: 3, outcome: null });
});

test('[L4] a tampered file is closed by evidence that it was put back, and by nothing else', async () => {
  const still = (await ran([{ by: 'impl_1', writes: {} }, touches, repacks(TAMPERED), reopens], TAMPERED)).at(-1);
  const mended = (await ran([touches, repacks({ isGreen: true, exitCode: 0, tampered: [] }), reopens], TAMPERED)).at(
    -1,
  );
  const own = (answer: unknown) => (answer as Reopened).ledger.findings.filter(({ by }) => by === 'engine');
  expect(own(still)).toMatchObject([{ file: 'test/a.ts', closed: { how: 'evidence', stands: true } }]);
  expect(own(mended)).toMatchObject([{ file: 'test/a.ts', closed: { how: 'evidence', stands: false } }]);
});

test('[PD5] the decision comes from the ledger and the evidence; what the engine saw outweighs an approval', async () => {
  const decides = (evidence: Json, more: JsonObject = {}): BenchStep => ({
    ask: 'review.decide',
    input: written({
      ledger: '$common_data.t2.ledger',
      pick: 'ranking',
      evidence,
      asked: null,
      synthesis: null,
      ...more,
    }),
  });
  const approving: readonly BenchStep[] = [
    { by: 'impl_1', writes: { 'src/add.ts': 'x\n' } },
    packs(['impl_1']),
    opens(['impl_1']),
    takes(['open', 't1'], { reviewer: 'rev_1', ...handsIn({}) }),
    takes(['t1', 't2'], { reviewer: 'rev_2', ...handsIn({}) }),
    decides({}),
    decides({ impl_1: { isGreen: true, exitCode: 0, passed: 3 } }),
    decides({ impl_1: { isGreen: false, output: null } }),
  ];
  const { answers } = await askPrograms(approving, { files: FILES, workspaces: OWN, roles: ROLES });
  expect(answers.slice(-3).map(({ output }) => output)).toMatchObject([
    { decision: 'APPROVE', best: 'impl_1', chosen: ['impl_1'], needs: null, isSynthesis: false },
    { decision: 'APPROVE' },
    { decision: 'REVISE_BEST', best: 'impl_1' },
  ]);
});
