import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CallReply } from '../../src/actors/port.ts';
import { NO_CHANGE_TOOL } from '../../src/core/step/turn/owed-changes.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { IS_PROOF } from '../sample.ts';
import { CAREFUL, carefulImplementer, makes, PLAIN, PLANTED, writes } from './implementer-mind.ts';
import { fickle, inProse, stubborn, yesMan } from './manners.ts';
import type { Part } from './cast.ts';
import { ReviewBench } from './review-bench.ts';
import { reviewFile } from './review-file.ts';
import { hands, reviewer } from './reviewer-mind.ts';

const MB = 1_048_576;
/** Far more than a prompt may hold. */
const BIG = (IS_PROOF ? 50 : 5) * MB;

/** Everybody but the poor one is green; as quick as a command can be. */
const QUICK = 'grep -q lastIndexOf src/bech32.ts';
const quick = (extra = ''): string => reviewFile({ verify: QUICK, extra });

const broken: CallReply = {
  kind: 'failed',
  failure: { code: 'REQUEST_REFUSED', message: 'gone', class: 'bad-request' },
};
const fails: Part = () => broken;
const hangs: Part = () => 'hang';

const synthesis =
  (said: object): Part =>
  () =>
    hands('hand_in_synthesis', { reason: 'It was shown.', ...said });

describe('[PD1] some of them fail', () => {
  test('an implementer crashes, a reviewer hangs: the rest go on, and what one says alone is no consensus', async () => {
    const bench = new ReviewBench({ impl_3: fails, rev_2: hangs });
    const rest = await bench.start(quick('review_timeout: 1\n'));
    expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1', lost: [{ id: 'impl_3' }] } });
    const ledger = await bench.ledger();
    expect(ledger.out).toMatchObject([{ id: 'rev_2' }]);
    expect(ledger.lost).toMatchObject([{ id: 'impl_3' }]);
    expect(ledger.outcome).toMatchObject({ kind: 'single' });
    expect(JSON.stringify(rest.output)).toContain('which is no consensus');
    expect(ledger.findings[0]).toMatchObject({ implementation: 'impl_1', file: 'src/bech32.ts', isVerified: true });
    expect(bench.file('src/bech32.ts')).toContain('toUpperCase()) return null;');
    expect(bench.promptsOf('rev_1')[0]).not.toContain('impl_3');
  }, 60_000);

  test('a reviewer that falls silent in the debate is left out from then on', async () => {
    const bench = new ReviewBench({
      rev_2: (request) => (request.state === 'debate' ? 'hang' : reviewer(request, { knows: ['noTests'] })),
    });
    const rest = await bench.start(quick('review_timeout: 1\n'));
    expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1' } });
    const ledger = await bench.ledger();
    expect(ledger.out).toMatchObject([{ id: 'rev_2', debate: 1, round: 1 }]);
    expect(ledger.findings.filter(({ by }) => by === 'rev_2')).toHaveLength(2);
  }, 60_000);

  test('an implementer that never ends is left out when the time is over', async () => {
    const bench = new ReviewBench({ impl_3: hangs });
    const rest = await bench.start(quick('timeout: 2\n'));
    expect(rest).toMatchObject({
      outcome: 'ok',
      output: { winner: 'impl_1', lost: [{ id: 'impl_3', outcome: 'timeout' }] },
    });
  }, 60_000);

  test('all implementers fail', async () => {
    const bench = new ReviewBench({ impl_1: fails, impl_2: fails, impl_3: fails });
    const rest = await bench.start(quick());
    expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'QUORUM_MISSED' } });
    expect(rest.failure?.message).toContain('0 of 3');
    expect(bench.calls.some(({ agent }) => agent.startsWith('rev'))).toBe(false);
  }, 60_000);

  test('fewer than the quorum come out well', async () => {
    const bench = new ReviewBench({ impl_3: fails });
    const rest = await bench.start(quick('quorum: 3\n'));
    expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'QUORUM_MISSED' } });
    expect(rest.failure?.message).toContain('impl_3');
  }, 60_000);

  test('all reviewers fail: a person is asked', async () => {
    const bench = new ReviewBench({ rev_1: fails, rev_2: fails });
    const rest = await bench.start(quick());
    expect(rest).toMatchObject({ status: 'waiting', questions: [{}] });
    await bench.host.answer(bench.run, { answer: 'APPROVE impl_3', by: 'ann' });
    expect(await bench.host.rest(bench.run)).toMatchObject({ outcome: 'ok', output: { winner: 'impl_3' } });
    expect(bench.file('src/bech32.ts')).toBe(PLAIN);
  }, 60_000);
});

describe('[PD4] they do not agree', () => {
  test('a reviewer that approves everything does not get through what all agree is critical', async () => {
    // Both approve, but each another one: the one that comes out best is not free of what they hold against it.
    const bench = new ReviewBench({ rev_2: yesMan });
    const rest = await bench.start(quick('max_revisions: 1\n'));
    const [asked] = (await bench.facts()).flatMap((fact) =>
      fact.kind === 'task.ended' && JSON.stringify(fact).includes('all agree that F1 stands') ? [fact] : [],
    );
    expect(asked).toBeDefined();
    expect(bench.promptsOf('impl_1')[1]).toContain('F1 [critical');
    expect(rest.output).toMatchObject({ winner: 'impl_1', revisions: 1 });
    expect(bench.file('src/bech32.ts')).toContain('toUpperCase()) return null;');
  }, 60_000);

  test('all of them approve everything: red tests weigh more', async () => {
    const backwards: Part = (request) => {
      const ranking = ['impl_2', 'impl_1', 'impl_3'];
      const said = { verdict: 'APPROVE', findings: [] };
      return request.state === 'review'
        ? hands('hand_in_review', { ...said, ranking, summary: 'Fine.' })
        : hands('hand_in_position', { ...said, ranking: ['impl_2'], stances: [] });
    };
    const bench = new ReviewBench({ rev_1: backwards, rev_2: backwards });
    const rest = await bench.start(quick('max_revisions: 1\n'));
    expect(bench.promptsOf('impl_2')[1]).toContain('RED');
    // What is red ends as what it is: the best so far, kept where it was made, and nothing of it in the result.
    expect(rest).toMatchObject({
      outcome: 'partial',
      failure: { code: 'REVISIONS_USED', hint: expect.stringContaining('troupe deliver RUN --agent impl_2') },
      output: { winner: 'impl_2', unverified: { implementation: 'impl_2', code: 'MERGE_NOT_VERIFIED' } },
    });
    expect(rest.failure?.message).toMatch(/impl_2, is NOT VERIFIED: The merged files do not pass `grep .*exit code 1/);
    expect(bench.file('src/bech32.ts')).toContain('Not written yet');
    expect((await bench.facts()).filter(({ kind }) => kind === 'run.settled')).toHaveLength(1);
  }, 60_000);

  test('one that never agrees ends it as a stalemate, and what follows is a synthesis', async () => {
    const bench = new ReviewBench({ rev_2: stubborn, synthesiser: synthesis({ decision: 'APPROVE', best: 'impl_3' }) });
    const rest = await bench.start(quick());
    const ledger = await bench.ledger();
    expect(ledger.outcome).toMatchObject({ kind: 'stalemate', verdict: null });
    expect(ledger.round).toBeLessThan(5);
    expect(rest).toMatchObject({ outcome: 'ok', output: { isSynthesis: true, decision: 'APPROVE' } });
    const { reason, dissent } = rest.output as { reason: string; dissent: readonly object[] };
    expect(reason).toContain('No consensus of 2 reviewers');
    expect(reason).toContain('A synthesis, which is no consensus');
    expect(dissent).toContainEqual(expect.objectContaining({ kind: 'verdict', reviewer: 'rev_2' }));
    expect(dissent).toContainEqual(expect.objectContaining({ kind: 'finding', reviewer: 'rev_2', stance: 'disagree' }));
  }, 60_000);

  test('one that changes its mind for ever is stopped by the last round', async () => {
    const bench = new ReviewBench({ rev_2: fickle, synthesiser: synthesis({ decision: 'APPROVE', best: 'impl_1' }) });
    const rest = await bench.start(quick('max_rounds: 3\n'));
    const ledger = await bench.ledger();
    expect(ledger).toMatchObject({ round: 3, outcome: { kind: 'last-round' } });
    expect(rest).toMatchObject({ outcome: 'ok', output: { isSynthesis: true } });
    expect(bench.promptsOf('rev_1')).toHaveLength(4);
  }, 60_000);

  test('a synthesiser that fails leaves the careful rule', async () => {
    const bench = new ReviewBench({ rev_2: stubborn, synthesiser: fails });
    const rest = await bench.start(quick('max_revisions: 0\n'));
    expect(rest).toMatchObject({ outcome: 'partial', output: { isSynthesis: false, decision: 'REVISE_BEST' } });
  }, 60_000);

  test('[PD4] prose is read by its keywords', async () => {
    const bench = new ReviewBench({ rev_1: inProse, rev_2: inProse });
    const rest = await bench.start(quick());
    expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1', isSynthesis: false } });
    const ledger = await bench.ledger();
    expect(ledger.findings).toContainEqual(
      expect.objectContaining({ implementation: 'impl_1', file: 'src/bech32.ts', isVerified: true }),
    );
    expect(bench.file('src/bech32.ts')).toContain('toUpperCase()) return null;');
  }, 60_000);

  test('more reviewers than models', async () => {
    const one: Part = (request) => reviewer(request, { knows: ['noTests', 'untestedMend'] });
    const bench = new ReviewBench({ rev_3: one, rev_4: one });
    const rest = await bench.start(reviewFile({ verify: QUICK, reviewers: 'base, base, base, base' }));
    expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1', isSynthesis: false } });
    const ledger = await bench.ledger();
    expect(ledger.reviewers).toHaveLength(4);
    expect(ledger.outcome).toMatchObject({ kind: 'consensus' });
  }, 60_000);
});

describe('[PD3] places that are not there', () => {
  const bad =
    (isMended: boolean): Part =>
    (request) => {
      if (request.state !== 'review') return reviewer(request, { knows: [] });
      const line = isMended && request.call > 1 ? 3 : 4711;
      const finding = { implementation: 'impl_1', severity: 'minor', priority: 4, claim: 'Odd.', change: 'Less odd.' };
      return hands('hand_in_review', {
        verdict: 'APPROVE',
        ranking: ['impl_1', 'impl_2', 'impl_3'],
        findings: [{ ...finding, file: 'src/bech32.ts', line }],
        summary: '',
      });
    };

  test.each([
    ['is sent back, and right the second time', true],
    ['is sent back once, then kept as not found', false],
  ])(
    'a citation %s',
    async (_how, isMended) => {
      const bench = new ReviewBench({ rev_2: bad(isMended) });
      await bench.start(quick('max_revisions: 0\n'));
      const { findings } = await bench.ledger();
      expect(findings.find(({ claim }) => claim === 'Odd.')).toMatchObject({ isVerified: isMended });
      const calls = bench.calls.filter(({ agent, state }) => agent === 'rev_2' && state === 'review');
      expect(calls.map(({ call }) => call)).toEqual([1, 2]);
      expect(calls[1]?.messages.at(-1)?.content).toContain('4711');
    },
    60_000,
  );
});

describe('[PD2] [L4] odd implementations', () => {
  test('one that changes nothing is reported as empty, which stands against it', async () => {
    const bench = new ReviewBench({
      impl_2: ({ call }) =>
        call === 1 ? hands(NO_CHANGE_TOOL, { reason: 'It is done.' }) : says('It is perfect as it is.'),
    });
    const rest = await bench.start(quick());
    expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1' } });
    expect(bench.promptsOf('rev_1')[0]).toContain('It is EMPTY');
    expect((await bench.ledger()).findings).toContainEqual(
      expect.objectContaining({ by: 'engine', implementation: 'impl_2', claim: 'Nothing was changed.' }),
    );
  }, 60_000);

  test('all of them change nothing: nothing is called done', async () => {
    const lazy: Part = () => says('Done.');
    const bench = new ReviewBench({ impl_1: lazy, impl_2: lazy, impl_3: lazy, rev_1: yesMan, rev_2: yesMan });
    const rest = await bench.start(quick('max_revisions: 1\n'));
    expect(['partial', 'failed']).toContain(rest.outcome);
  }, 60_000);

  test(`${BIG / MB} MB and bytes that are no text are named and not shown`, async () => {
    const bench = new ReviewBench({
      impl_2: (request) =>
        request.call === 1
          ? says('', [
              {
                id: 'big',
                name: 'execute_terminal',
                arguments: {
                  command: `head -c ${BIG} /dev/urandom > blob.bin; head -c ${BIG} /dev/urandom | base64 > long.txt; printf "\\000\\001" > small.bin`,
                },
              },
            ])
          : says('Done.'),
    });
    const rest = await bench.start(quick());
    expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1' } });
    const [pack = ''] = bench.promptsOf('rev_1');
    expect(pack.length).toBeLessThan(150_000);
    expect(pack).toContain(`blob.bin (${BIG} bytes, not shown`);
    expect(pack).toMatch(/long\.txt \(\d{7,8} bytes, not shown/);
    expect(pack).toMatch(/small\.bin \(2 bytes, not shown/);
    expect((await bench.ledger()).findings[0]).toMatchObject({ implementation: 'impl_1', isVerified: true });
  }, 120_000);

  test('one that deletes the tests and edits the command is measured by the user’s copies, and found out', async () => {
    const cheat: Part = (request) =>
      request.state === 'revise'
        ? says('No.')
        : makes(
            request,
            writes('src/bech32.ts', PLAIN.replace('lastIndexOf', 'indexOf')),
            writes('check.sh', 'exit 0\n'),
            {
              id: 'rm',
              name: 'execute_terminal',
              arguments: { command: 'rm test/bech32.test.ts' },
            },
          );
    const bench = new ReviewBench(
      { impl_1: cheat, rev_1: yesMan, rev_2: yesMan },
      { 'check.sh': 'test -f test/bech32.test.ts && grep -q lastIndexOf src/bech32.ts\n' },
    );
    const rest = await bench.start(reviewFile({ verify: 'sh check.sh', extra: 'max_revisions: 1\n' }));
    expect(bench.promptsOf('rev_1')[0]).toContain('It TAMPERED');
    const { findings } = await bench.ledger();
    const own = findings.filter(({ by, implementation }) => by === 'engine' && implementation === 'impl_1');
    expect(own.map(({ file, severity }) => `${file ?? ''} ${severity}`).toSorted()).toEqual([
      'check.sh critical',
      'test/bech32.test.ts critical',
    ]);
    // Both approve, and it is not approved: the best so far is kept, for what it is.
    expect(rest).toMatchObject({
      outcome: 'partial',
      failure: { code: 'REVISIONS_USED', message: expect.stringContaining('NOT VERIFIED') },
      output: { unverified: { implementation: 'impl_1', code: 'TAMPERED' } },
    });
    expect(rest.failure?.message).toContain('check.sh');
    expect(bench.file('check.sh')).not.toBe('exit 0\n');
    expect((await bench.way()).filter((state) => state.startsWith('merge_'))).toEqual([]);
    expect(rest.output).toMatchObject({ evidence: { impl_1: { isGreen: false, exitCode: 1 } } });
    expect(bench.promptsOf('impl_1')[1]).toContain('check.sh');
  }, 60_000);

  test('[PD7] also on the merge it is measured by the user’s copies, no matter who approved it', async () => {
    const cheat: Part = (request) =>
      makes(request, writes('src/bech32.ts', PLAIN.replace('lastIndexOf', 'indexOf')), writes('check.sh', 'exit 0\n'));
    const bench = new ReviewBench(
      { impl_1: cheat, rev_1: fails, rev_2: fails },
      { 'check.sh': 'grep -q lastIndexOf src/bech32.ts\n' },
    );
    await bench.start(reviewFile({ verify: 'sh check.sh' }));
    await bench.host.answer(bench.run, { answer: 'APPROVE impl_1', by: 'ann' });
    const rest = await bench.host.rest(bench.run);
    expect(rest).toMatchObject({
      outcome: 'partial',
      failure: { code: 'MERGE_NOT_VERIFIED' },
      output: { decision: 'APPROVE', unverified: { implementation: 'impl_1' } },
    });
    expect(bench.file('check.sh')).toContain('grep');
  }, 60_000);

  test('[PD7] a test that only grew counts on the merge as it did before: the user’s copy does', async () => {
    const grows: Part = (request) =>
      request.call === 1
        ? says('', [
            writes('src/bech32.ts', CAREFUL),
            {
              id: 'grow',
              name: 'execute_terminal',
              arguments: { command: 'echo "test(\'mine\', () => assert.ok(false));" >> test/bech32.test.ts' },
            },
          ])
        : says('Done.');
    const bench = new ReviewBench({ impl_1: grows, rev_1: yesMan, rev_2: yesMan });
    const rest = await bench.start(reviewFile({ verify: 'node --test test/bech32.test.ts' }));
    expect(rest).toMatchObject({
      outcome: 'ok',
      output: { winner: 'impl_1', evidence: { impl_1: { isGreen: true } } },
    });
    expect(bench.file('test/bech32.test.ts')).toContain('mine');
  }, 60_000);
});

describe('[PD6] revisions', () => {
  test('one that touches nothing that was named is called out, and the last one ends as partial with the best so far', async () => {
    const lazy: Part = (request) =>
      request.state === 'revise'
        ? makes(request, writes('NOTES.md', `Looked at it again, ${request.visit}.\n`))
        : carefulImplementer(request);
    const bench = new ReviewBench({ impl_1: lazy });
    const rest = await bench.start(quick());
    expect(rest).toMatchObject({
      outcome: 'partial',
      failure: { code: 'REVISIONS_USED' },
      output: { winner: 'impl_1', decision: 'REVISE_BEST', revisions: 2 },
    });
    const finals = bench.promptsOf('rev_1').filter((text) => text.includes('round 1 of at most 3 of the final review'));
    expect(finals).toHaveLength(2);
    for (const text of finals) expect(text).toContain('The revision of impl_1 changed nothing that the findings name.');
    expect((await bench.ledger()).findings[0]).toMatchObject({ isTouched: false, closed: { stands: true } });
    expect(bench.file('src/bech32.ts')).toBe(PLANTED);
  }, 60_000);

  test('a revision that fails leaves what was there', async () => {
    const bench = new ReviewBench({
      impl_1: (request) => (request.state === 'revise' ? broken : carefulImplementer(request)),
    });
    const rest = await bench.start(quick('max_revisions: 1\n'));
    expect(rest).toMatchObject({ outcome: 'partial', output: { winner: 'impl_1' } });
    expect(bench.file('src/bech32.ts')).toBe(PLANTED);
  }, 60_000);

  test('REVISE_ALL sends everybody back to its own work at the same time', async () => {
    const all: Part = (request) => {
      const ids = ['impl_1', 'impl_3', 'impl_2'];
      if (request.state === 'review') {
        const finding = { severity: 'major', priority: 1, file: 'src/bech32.ts', line: null, change: 'Fix it.' };
        const findings = ids.map((implementation) => ({
          ...finding,
          implementation,
          claim: `Wrong in ${implementation}.`,
        }));
        const mine = request.agent === 'rev_1' ? findings : [];
        return hands('hand_in_review', { verdict: 'REVISE_ALL', ranking: ids, findings: mine, summary: '' });
      }
      const words = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
      const isFinal = words.includes('final review');
      const stances = [...words.matchAll(/^(F\d) \[.*\n(?: .*\n)*? {2}→/gm)].map(([, finding]) => ({
        finding: finding ?? '',
        stance: isFinal ? 'fixed' : 'agree',
        reason: 'So it is.',
      }));
      return hands('hand_in_position', {
        verdict: isFinal ? 'APPROVE' : 'REVISE_ALL',
        ranking: ids,
        findings: [],
        stances,
      });
    };
    const bench = new ReviewBench({
      rev_1: all,
      rev_2: all,
      impl_2: (request) => makes(request, writes('src/bech32.ts', `${PLAIN}// ${request.state}\n`)),
    });
    const rest = await bench.start(quick());
    expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1', revisions: 1 } });
    const revised = bench.calls.filter(({ state, call }) => state === 'revise' && call === 1).map(({ agent }) => agent);
    expect(revised.toSorted()).toEqual(['impl_1', 'impl_2', 'impl_3']);
    for (const agent of revised) {
      const [, order = ''] = bench.promptsOf(agent);
      expect(order.match(/Wrong in impl_\d/g)).toEqual([`Wrong in ${agent}`]);
    }
  }, 60_000);
});

describe('[PD5] the best one is picked', () => {
  test('by tests: green before red, whatever the ranking says', async () => {
    const fond: Part = (request) =>
      request.state === 'review'
        ? hands('hand_in_review', {
            verdict: 'APPROVE',
            ranking: ['impl_2', 'impl_3', 'impl_1'],
            findings: [],
            summary: 'I like the second.',
          })
        : hands('hand_in_position', {
            verdict: 'APPROVE',
            ranking: ['impl_2', 'impl_3', 'impl_1'],
            findings: [],
            stances: [],
          });
    const bench = new ReviewBench({ rev_1: fond, rev_2: fond });
    const rest = await bench.start(quick('pick: tests\n'));
    expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'impl_3' } });
    expect(rest.output).toMatchObject({ reason: expect.stringContaining('by tests') });
  }, 60_000);

  test('[V3] by a person, who is asked with what is known, and for the files as they are', async () => {
    const bench = new ReviewBench({ impl_1: (request) => carefulImplementer(request, PLANTED.replace(/^.*\n/, '')) });
    const asked = await bench.start(quick('pick: person\n'));
    expect(asked).toMatchObject({ status: 'waiting' });
    expect(asked.questions[0]?.choices).toContain('APPROVE impl_1');
    writeFileSync(join(bench.world.workspaces.folderOf(bench.run, 'impl_3'), 'NOTES.md'), 'By hand.\n');
    const word = { answer: 'REVISE_BEST impl_3', by: 'ann' };
    await expect(bench.host.answer(bench.run, word)).rejects.toMatchObject({ code: 'ANSWER_VOID' });
    await bench.host.answer(bench.run, word);
    const rest = await bench.host.rest(bench.run);
    expect(bench.calls.some(({ agent, state }) => agent === 'impl_3' && state === 'revise')).toBe(true);
    expect(rest.output).toMatchObject({ winner: 'impl_3' });
    expect(JSON.stringify(await bench.facts())).toContain('impl_3 is the best by the word of a person');
  }, 60_000);

  test('a word about the work before a revision says nothing about the work after it', async () => {
    const bench = new ReviewBench({ rev_2: stubborn });
    const first = await bench.start(quick('pick: person\n'));
    expect(first).toMatchObject({ status: 'waiting' });
    await bench.host.answer(bench.run, { answer: 'REVISE_BEST impl_1', by: 'ann' });
    const second = await bench.host.rest(bench.run);
    expect(second).toMatchObject({ status: 'waiting' });
    expect(bench.promptsOf('impl_1')).toHaveLength(2);
    await bench.host.answer(bench.run, { answer: 'APPROVE impl_1', by: 'ann' });
    expect(await bench.host.rest(bench.run)).toMatchObject({ outcome: 'ok', output: { revisions: 1 } });
  }, 60_000);

  test('a synthesis is asked for again after a revision', async () => {
    const bench = new ReviewBench({
      rev_2: stubborn,
      synthesiser: ({ visit }) =>
        hands('hand_in_synthesis', {
          decision: visit === 1 ? 'REVISE_BEST' : 'APPROVE',
          best: 'impl_1',
          reason: 'It was shown.',
        }),
    });
    const rest = await bench.start(quick());
    expect(rest).toMatchObject({ outcome: 'ok', output: { revisions: 1, isSynthesis: true } });
    expect(bench.promptsOf('synthesiser')).toHaveLength(2);
  }, 60_000);

  const mixed = (paths: readonly string[]) => [
    { implementation: 'impl_1', paths },
    { implementation: 'impl_3', paths: ['src/bech32.ts', 'USAGE.md'].filter((path) => !paths.includes(path)) },
  ];
  const withUsage: Part = (request) =>
    makes(request, writes('src/bech32.ts', PLAIN), writes('USAGE.md', 'Call decode.\n'));
  const clean: Part = (request) => carefulImplementer(request, CAREFUL);

  test('by a synthesis, which may put files of several together', async () => {
    const parts = mixed(['src/bech32.ts', 'test/more.test.ts']);
    const bench = new ReviewBench({
      impl_1: clean,
      impl_3: withUsage,
      synthesiser: synthesis({ decision: 'APPROVE', best: 'impl_1', parts }),
    });
    const rest = await bench.start(reviewFile({ extra: 'pick: synthesis\n' }));
    expect(rest).toMatchObject({ outcome: 'ok', output: { isSynthesis: true, decision: 'APPROVE' } });
    expect(await bench.way()).toContain('merge_hybrid');
    expect(bench.file('src/bech32.ts')).toBe(CAREFUL);
    expect(bench.file('test/more.test.ts')).toContain('what is written can be read');
    expect(bench.file('USAGE.md')).toBe('Call decode.\n');
  }, 60_000);

  test('[PD7] what was put together and is red is left, and the best one is merged instead', async () => {
    // The tests of one ask for more than the code of the other does.
    const parts = mixed(['test/more.test.ts']);
    const bench = new ReviewBench({
      impl_1: clean,
      impl_3: withUsage,
      synthesiser: synthesis({ decision: 'APPROVE', best: 'impl_1', parts }),
    });
    const rest = await bench.start(reviewFile({ extra: 'pick: synthesis\n' }));
    expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1', isSynthesis: true } });
    expect(rest.output).toMatchObject({
      reason: expect.stringContaining('put together of several is left: The merged files do not pass'),
    });
    expect((await bench.way()).slice(-5)).toEqual(['merge_hybrid', 'decide', 'merge', 'merge_impl_1', 'done']);
    expect(bench.file('src/bech32.ts')).toBe(CAREFUL);
  }, 60_000);

  test('[PD5] where it is left, the best one is weighed with all that stands against it', async () => {
    const bench = new ReviewBench({
      impl_1: clean,
      impl_3: withUsage,
      synthesiser: synthesis({ decision: 'APPROVE', best: 'impl_3', parts: mixed(['test/more.test.ts']) }),
    });
    await bench.start(reviewFile({ extra: 'pick: synthesis\nmax_revisions: 1\n' }));
    const way = await bench.way();
    const at = way.indexOf('merge_hybrid');
    expect(way.slice(at, at + 4)).toEqual(['merge_hybrid', 'decide', 'orders', 'revise']);
    expect(bench.promptsOf('impl_3')[1]).toContain('It brings no tests of its own.');
  }, 60_000);

  test('[PD4] a synthesiser that says nothing of use the second time has made no second synthesis', async () => {
    const bench = new ReviewBench({
      rev_2: stubborn,
      synthesiser: ({ visit }) =>
        visit === 1
          ? hands('hand_in_synthesis', { decision: 'REVISE_BEST', best: 'impl_1', reason: 'It was shown.' })
          : says('Hard to say.'),
    });
    const rest = await bench.start(quick('max_revisions: 1\n'));
    expect(bench.promptsOf('synthesiser')).toHaveLength(2);
    expect(rest).toMatchObject({ outcome: 'partial', output: { isSynthesis: false, decision: 'REVISE_BEST' } });
  }, 60_000);

  test('[PD4] [RV15] a synthesis in words counts as one', async () => {
    const bench = new ReviewBench({
      rev_2: stubborn,
      synthesiser: () => says('RANKING: impl_1 > impl_3\nAPPROVE: what stands was shown to be small.'),
    });
    const rest = await bench.start(quick());
    expect(rest).toMatchObject({ outcome: 'ok', output: { isSynthesis: true, decision: 'APPROVE' } });
  }, 60_000);
});

describe('[PD2] [L4] a command that cannot be run', () => {
  const missing = reviewFile({ verify: 'no-such-program --all' });

  test('is tried before anybody is paid, and a person is asked', async () => {
    const bench = new ReviewBench();
    const asked = await bench.start(missing);
    expect(asked).toMatchObject({ status: 'waiting', questions: [{}] });
    expect(asked.questions[0]?.text).toMatch(
      /`no-such-program --all` ended with exit code 127\.[^]*No agent has started/,
    );
    expect(bench.calls).toEqual([]);
    await bench.host.answer(bench.run, { answer: 'stop', by: 'ann' });
    const rest = await bench.host.rest(bench.run);
    expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'VERIFY_UNUSABLE' } });
    expect(bench.calls).toEqual([]);
  }, 60_000);

  test('may be left out: then there is no evidence and nothing is called red', async () => {
    const bench = new ReviewBench();
    await bench.start(missing);
    await bench.host.answer(bench.run, { answer: 'Without', by: 'ann' });
    expect(await bench.host.rest(bench.run)).toMatchObject({ outcome: 'ok', output: { evidence: {} } });
    expect(bench.promptsOf('impl_1')[0]).not.toContain('no-such-program');
  }, 60_000);

  test('may be another one, which is tried as well', async () => {
    const bench = new ReviewBench();
    await bench.start(missing);
    await bench.host.answer(bench.run, { answer: './README.md', by: 'ann' });
    const again = await bench.host.rest(bench.run);
    expect(again.questions[0]?.text).toMatch(/`\.\/README\.md` ended with exit code 12[67]/);
    await bench.host.answer(bench.run, { answer: QUICK, by: 'ann' });
    expect(await bench.host.rest(bench.run)).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1' } });
    expect(bench.promptsOf('impl_1')[0]).toContain(QUICK);
  }, 60_000);

  test('may be what the work is to bring; where it did not, a person is asked before any reviewer is', async () => {
    const bench = new ReviewBench({
      impl_3: (request) => makes(request, writes('src/bech32.ts', PLAIN), writes('NOTES.md', 'None.\n')),
    });
    await bench.start(missing);
    await bench.host.answer(bench.run, { answer: 'keep', by: 'ann' });
    const asked = await bench.host.rest(bench.run);
    expect(asked.questions[0]?.text).toContain('could not be run on any of the 3 implementations');
    expect(bench.calls.some(({ agent }) => agent.startsWith('rev'))).toBe(false);
    await bench.host.answer(bench.run, { answer: QUICK, by: 'ann' });
    expect(await bench.host.rest(bench.run)).toMatchObject({
      outcome: 'ok',
      output: { winner: 'impl_1', evidence: { impl_1: { isGreen: true, command: QUICK } } },
    });
  }, 60_000);

  test('is none that is red: the tests it is to run may be the work', async () => {
    const bench = new ReviewBench();
    const rest = await bench.start(
      reviewFile({ verify: 'node --test test/not-there-yet.test.ts', extra: 'max_revisions: 0\n' }),
    );
    expect(await bench.way()).toContain('implement');
    expect(rest).toMatchObject({ outcome: 'partial' });
  }, 60_000);
});

test('[PD2] each run of the command bears the name of its implementation', async () => {
  const bench = new ReviewBench();
  await bench.start(quick('max_revisions: 1\n'));
  const ofState = (wanted: string) => {
    let state = '';
    return bench.facts().then((facts) =>
      facts.flatMap((fact) => {
        if (fact.kind === 'state.entered') ({ state } = fact);
        return fact.kind === 'units.added' && state === wanted ? [fact.units.map(({ id }) => id)] : [];
      }),
    );
  };
  expect(await ofState('verify')).toEqual([['impl_1', 'impl_2', 'impl_3'], ['impl_1']]);
  expect(await ofState('revise')).toEqual([['impl_1']]);
}, 60_000);
