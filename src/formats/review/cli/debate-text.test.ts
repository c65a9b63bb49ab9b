import { describe, expect, test } from 'vitest';
import { markVerified } from '../rules/take-evidence.ts';
import { withFlaws } from '../rules/taken.ts';
import { foldDebate } from '../views/fold-debate.ts';
import { finding, ReviewTale } from '../views/testing/review-tale.ts';
import type { TextOptions } from '../../../cli/terminal/terminal.ts';
import { debateText } from './debate-text.ts';

const PLAIN: TextOptions = { width: 80, paint: (_style, text) => text };

const textOf = (tale: ReviewTale, options = PLAIN): string =>
  debateText(foldDebate(tale.records, { title: 'x', driven: true }), options);

const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

const LONG = 'The checksum is cut off and never looked at, so that every string passes. '.repeat(6).trim();

function debated(): ReviewTale {
  const tale = new ReviewTale(['rev_1', 'rev_2'], ['impl_1', 'impl_2'])
    .turn('impl_1', 'implement')
    .review('rev_1', { verdict: 'REVISE_BEST', findings: [finding({ claim: LONG })] })
    .review('rev_2', { findings: [finding({ implementation: 'impl_2', severity: 'nit', claim: 'Bad name.' })] });
  return tale.keep(markVerified(tale.ledger, { F1: true }));
}

const stance = (id: string, stance_: 'agree' | 'disagree', reason = '') => ({
  finding: id,
  stance: stance_,
  reason,
  change: null,
});

describe('[U5] a debate in the terminal', () => {
  test('shows the matrix with a sign for each round, and what closed each finding', () => {
    const tale = debated()
      .position('rev_1', { stances: [stance('F2', 'disagree', 'Taste.')] })
      .position('rev_2', { stances: [stance('F1', 'agree', 'I tried it.')] })
      .position('rev_1', {})
      .position('rev_2', { stances: [stance('F2', 'disagree', 'You are right.')] });
    const text = textOf(tale);
    expect(text).toContain(
      [
        '2 findings: 1 standing, 1 withdrawn; 1 without a place that was found',
        '    SEVERITY  OF      STATE      rev_1  rev_2',
        '                                 012    012',
        'F1  major     impl_1  standing   +·      ✓',
        'F2  nit       impl_2  withdrawn   ✗·    +·✗',
        'A column a round, 0 is the first review.',
      ].join('\n'),
    );
    expect(text).toContain('F1  standing: major, priority 2, impl_1 src/a.ts:3\n');
    expect(text).toContain('F2  withdrawn: nit, priority 2, impl_2 src/a.ts:3 (no such place)\n');
    expect(text).toContain('    rev_2, round 1: it stands: I tried it.\n');
    expect(text).toContain('    stands by agreement, round 1: rev_1, rev_2 agree that it stands.\n');
    expect(text).toContain(
      '    withdrawn, round 2: rev_2 took it back, and no other reviewer holds it: You\n        are right.',
    );
    expect(text.replaceAll(/\s+/g, ' ')).toContain(LONG);
    expect(widest(text)).toBeLessThanOrEqual(80);
  });

  test('[PD4] shows the cost of the debate beside what it came to', () => {
    const tale = debated()
      .position('rev_1', { verdict: 'REVISE_BEST', stances: [stance('F2', 'agree')] })
      .position('rev_2', { verdict: 'REVISE_BEST', stances: [stance('F1', 'agree')] });
    tale.decide();
    const text = textOf(tale);
    expect(text).toContain('debate    consensus after 1 round: REVISE_BEST (30 tokens, $0.50, 2.0 s)\n');
    expect(text).toMatch(/^decision {2}REVISE_BEST impl_1\. Consensus of 2 reviewers after round 1:$/m);
    expect(text).toMatch(/^implementations {2}1 {6}15 {6}\$0\.25 {2}1\.0 s$/m);
    expect(text).toMatch(/^first reviews {4}2 {6}30 {6}\$0\.50 {2}2\.0 s$/m);
    expect(text).toMatch(/^debate {11}2 {6}30 {6}\$0\.50 {2}2\.0 s$/m);
    expect(text).toMatch(/^all {14}5 {6}75 {6}\$1\.25 {2}5\.0 s$/m);
  });

  test('[PD3] names what stayed wrong with a reply beside its verdict', () => {
    const tale = debated();
    const text = textOf(tale.keep(withFlaws(tale.ledger, 'rev_2', ['The ranking leaves out impl_1, impl_2.'])));
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'rev_2: APPROVE, impl_1 > impl_2. Refused once, and still wrong: The ranking leaves out impl_1, impl_2.',
    );
  });

  test('does not give away a verdict of the present round', () => {
    const text = textOf(debated().position('rev_1', { verdict: 'REVISE_ALL' }));
    expect(text).not.toContain('REVISE_ALL');
    expect(text).toContain('    rev_1: has spoken; shown when all have');
    expect(text).toContain('now       round 1 of 3; rev_2 is next, 2 findings open');
    expect(text).toContain('Open points\nF1  open: ');
  });

  test('fits 80 columns with many reviewers and many rounds', () => {
    const names = Array.from({ length: 9 }, (_none, index) => `a_reviewer_with_a_long_name_${index}`);
    const tale = new ReviewTale(names, ['impl_1', 'impl_2'], 60);
    for (const name of names) tale.review(name, { findings: [finding({ claim: `Seen by ${name}.` })] });
    for (let round = 1; round <= 55; round += 1) {
      // One of them changes its mind every time, so that it goes on.
      for (const name of names)
        tale.position(name, { verdict: name === names[0] && round % 2 === 1 ? 'REVISE_ALL' : 'APPROVE' });
    }
    const text = textOf(tale);
    expect(widest(text)).toBeLessThanOrEqual(80);
    expect(text.match(/SEVERITY/g)?.length).toBeGreaterThan(2);
    expect(text).toContain('a_revi…ame_8');
    expect(text).toMatch(/^ +…\d{40,}5$/m);
  });

  test('is coloured without being another text, and safe to print', () => {
    const tale = debated().position('rev_1', { stances: [stance('F2', 'disagree', 'Look: \u001B[2Jgone\u202E')] });
    const painted = textOf(tale, { width: 80, paint: (style, text) => `<${style}>${text}</${style}>` });
    expect(painted.replaceAll(/<\/?(?:bold|dim|red|green|yellow|cyan)>/g, '')).toBe(textOf(tale));
    expect(painted).toContain('<red>✗</red>');
    for (const hidden of ['\u001B', '\u202E']) expect(painted).not.toContain(hidden);
  });

  test('says so when no reviewer was asked yet', () => {
    const { records } = new ReviewTale([], []);
    const text = debateText(foldDebate(records.slice(0, 2), { title: 'x', driven: true }), PLAIN);
    expect(text).toContain('No reviewer has been asked yet.');
  });
});
