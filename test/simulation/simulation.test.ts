import { expect, test } from 'vitest';
import { toArray } from '../../src/core/model/append-list.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { openEffects } from '../../src/core/step/recover.ts';
import { coderReviewer, coderReviewerAnswer } from '../../src/host/testing/coder-reviewer.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { seeded } from './seeded.ts';
import { RUN, simulate } from './simulate.ts';

/** `npm run prove` plays more. */
const SEEDS = Number(process.env['TROUPE_SEEDS'] ?? 150);
const FIRST = Number(process.env['TROUPE_FIRST_SEED'] ?? 1);

/** Units in two waves with dependencies, then children in a pool, then a nap. */
function wide() {
  const child = build({
    name: 'child',
    states: [work('code', turn('coder', 'common_data.job'), [to('stop')]), end('stop', "'did ' + common_data.job")],
  });
  const steps = [{ id: 'a' }, { id: 'b' }, { id: 'c', after: ['a'] }, { id: 'd', after: ['b', 'c'] }];
  return build({
    data: { steps, jobs: ['one', 'two', 'three'] },
    library: { child: child.workflow },
    states: [
      work(
        'steps',
        {
          kind: 'pool',
          units: { kind: 'items', items: expression('common_data.steps'), work: turn('coder', "'step ' + item.id") },
          slots: 2,
          join: { rule: 'all' },
          grow: null,
        },
        [to('jobs')],
      ),
      work(
        'jobs',
        {
          kind: 'pool',
          units: {
            kind: 'items',
            items: expression('common_data.jobs'),
            work: { kind: 'call', workflow: 'child', input: { job: expression('item') } },
          },
          slots: 3,
          join: { rule: 'all' },
          grow: null,
        },
        [to('nap', { assign: 'this.common_data.results = result.units' })],
      ),
      work('nap', { kind: 'wait', ms: expression('25') }, [to('stop')]),
      end('stop', 'common_data.results'),
    ],
  });
}

const cases = [
  { name: 'a loop of two agents with tools', definition: coderReviewer(), answer: coderReviewerAnswer },
  { name: 'dependent units and a pool of children', definition: wide(), answer: () => says('done') },
  {
    name: 'a tool that needs a person’s word',
    definition: { ...coderReviewer(), roles: asking(coderReviewer().roles) },
    answer: coderReviewerAnswer,
  },
];

function asking(roles: Definition['roles']): Definition['roles'] {
  return Object.fromEntries(Object.entries(roles).map(([name, role]) => [name, { ...role, ask: ['note'] }]));
}

for (const { name, definition, answer } of cases) {
  test(`[L6] [L9] [PA1] ${name}: ${SEEDS} seeded worlds with crashes, failures, pauses and any order all end the same`, async () => {
    const expected = await simulate({ definition, answer, random: seeded(0), mostCrashes: 0 });
    expect(expected.rest.outcome).toBe('ok');
    let crashes = 0;
    let failures = 0;
    let pauses = 0;
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      const mostPauses = seed % 2 === 0 ? 2 : 0;
      const result = await simulate({ definition, answer, random: seeded(seed), mostCrashes: 3, mostPauses });
      const { outcome, output } = result.rest;
      expect({ seed, outcome, output }).toEqual({ seed, outcome: 'ok', output: expected.rest.output });
      expect({ seed, repeated: result.repeated }).toEqual({ seed, repeated: [] });
      const records = await result.journal.read(RUN);
      const folded = foldRecords(records);
      expect(openEffects(definition, folded)).toEqual([]);
      const answered = records.flatMap(({ fact }) =>
        fact.kind === 'call.answered' ? [`${fact.task}/${fact.call}`] : [],
      );
      expect(new Set(answered).size).toBe(answered.length);
      expect(toArray(folded.path).at(-1)).toBe('stop');
      crashes += result.crashes;
      failures += result.failures;
      pauses += records.filter(({ fact }) => fact.kind === 'run.paused').length;
    }
    expect(crashes).toBeGreaterThan(SEEDS / 2);
    expect(failures).toBeGreaterThan(SEEDS / 10);
    expect(pauses).toBeGreaterThan(SEEDS / 10);
  }, 240_000);
}

test('[L9] the same seed gives the same journal', async () => {
  const [definition, answer] = [coderReviewer(), coderReviewerAnswer];
  for (let seed = 1; seed <= 20; seed += 1) {
    const [one, two] = await Promise.all(
      [1, 2].map(() => simulate({ definition, answer, random: seeded(seed), mostCrashes: 2 })),
    );
    expect(await one?.journal.read(RUN)).toEqual(await two?.journal.read(RUN));
  }
});
