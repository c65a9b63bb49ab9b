import { describe, expect, test } from 'vitest';
import { foldCompare } from '../views/fold-compare.ts';
import { finding, ReviewTale } from '../views/testing/review-tale.ts';
import type { TextOptions } from '../../../cli/terminal/terminal.ts';
import { compareText } from './compare-text.ts';

const PLAIN: TextOptions = { width: 80, paint: (_style, text) => text };

const textOf = (tale: ReviewTale, options = PLAIN): string =>
  compareText(foldCompare(tale.records, { title: 'x', driven: true }), options);

const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

function twoImplementations(): ReviewTale {
  const none = { files: 0, added: 0, removed: 0, binary: 0 };
  const firstSizes = { impl_1: { ...none, files: 1, added: 3, removed: 1 }, impl_2: none };
  const evidence = {
    impl_1: { isGreen: true, exitCode: 0, passed: 4, failed: 0, output: 'fine', tampered: [] },
    impl_2: {
      isGreen: false,
      exitCode: 1,
      passed: 3,
      failed: 1,
      output: 'not ok 4 - \u001B[31mmixed case\u001B[0m\n',
      tampered: [{ path: 'test/a.test.ts', how: 'deleted' }],
    },
  };
  const tale = new ReviewTale(['rev_1', 'rev_2'], ['impl_1', 'impl_2', 'impl_3'])
    .turn('impl_1', 'implement')
    .turn('impl_2', 'implement', { costUsd: null })
    .turn('impl_3', 'implement', { outcome: 'timeout' })
    .set({ lost: [{ id: 'impl_3', outcome: 'timeout', reason: 'It took too long.' }], evidence, firstSizes });
  return tale.review('rev_1', { findings: [finding({ severity: 'critical' })] }).review('rev_2', {});
}

describe('[U5] implementations side by side in the terminal', () => {
  test('a column for each, a line for each fact, and what needs more room below', () => {
    const text = textOf(twoImplementations());
    expect(text).toContain(
      [
        '           impl_1                 impl_2                 impl_3',
        'model      model of impl_1        model of impl_2        model of impl_3',
        'standing   is judged              is judged              lost',
        'outcome    ok                     ok                     timeout',
        'evidence   green, 4 passed        red (1), 3 passed, 1',
        '                                  failed',
        'tampered                          1 file',
        '',
      ].join('\n'),
    );
    expect(text).toMatch(/^diff +1 file \+3 -1 at first +empty$/m);
    expect(text).toMatch(/^findings +1 critical +none$/m);
    expect(text).toMatch(/^rank +1 \(2 points\) +2 \(0 points\)$/m);
    expect(text).toMatch(/^cost +\$0\.25 +unknown +\$0\.25$/m);
    expect(text).toContain(
      'impl_2  changed what the command is made of; yours was used: test/a.test.ts\n        deleted\n',
    );
    expect(text).toContain('impl_2  red:\n        not ok 4 - mixed case\n');
    expect(text).toContain('impl_3  lost: timeout, It took too long.');
    expect(widest(text)).toBeLessThanOrEqual(80);
  });

  test('[PD6] what is not verified says so, what was red, and how it is got', () => {
    const why = 'It does not pass `npm test`.';
    const tale = twoImplementations().set({
      unverified: { implementation: 'impl_2', code: 'MERGE_NOT_VERIFIED', why },
    });
    const text = textOf(tale.settle('partial'));
    expect(text).toContain(`best      impl_2, NOT VERIFIED: ${why}`);
    expect(text).toMatch(/^ +take it marked: troupe deliver \S+ --agent impl_2 --unverified$/m);
    expect(text).toMatch(/^standing .* best, NOT VERIFIED +lost$/m);
  });

  test('those that have no room follow below', () => {
    const names = Array.from({ length: 12 }, (_none, index) => `implementation_${index}_with_a_name`);
    const text = textOf(new ReviewTale(['rev_1', 'rev_2'], names));
    expect(widest(text)).toBeLessThanOrEqual(80);
    expect(text.match(/^standing/gm)?.length).toBeGreaterThan(1);
    for (const name of names) expect(text.replaceAll(/\s+/g, '')).toContain(name.slice(0, 12));
  });

  test('colour changes nothing about the text', () => {
    const painted = textOf(twoImplementations(), { width: 80, paint: (style, text) => `<${style}>${text}</${style}>` });
    expect(painted.replaceAll(/<\/?(?:bold|dim|red|green|yellow|cyan)>/g, '')).toBe(textOf(twoImplementations()));
    expect(painted).toContain('<green>green, 4 passed</green>');
  });

  test('says so when no agent has begun', () => {
    expect(textOf(new ReviewTale([], []))).toContain('No agent has begun to implement it yet.');
  });
});
