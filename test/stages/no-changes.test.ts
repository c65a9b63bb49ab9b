import { expect, test } from 'vitest';
import { calls, review, StageBench } from './stage-bench.ts';

const DESIGN = {
  when: { agent: 'architect' },
  reply: calls('submit_design', { title: 'Greeter', body: 'One function.' }),
};
const APPROVED = { when: { agent: 'reviewer' }, reply: review('APPROVED') };
const handsIn = (kind: string, ...files: readonly string[]) =>
  calls('submit_artifact', { kind, files, summary: `the ${kind}` });
const writes = (path: string, kind: string) => ({
  steps: [calls('write_file', { path, content: `${kind}\n` }), handsIn(kind, path)],
});

test.each([[[]], [['README.md']]])(
  '[A7] an implementation that changed no file is NO_CHANGES and no success, whatever it hands in: %j',
  async (files) => {
    const bench = new StageBench({
      keepsFiles: true,
      rules: [DESIGN, APPROVED, { when: { agent: 'developer' }, reply: handsIn('code', ...files) }],
    });
    bench.write('README.md', 'As it was.\n');
    const played = await bench.start('development');
    expect(played).toMatchObject({
      outcome: 'partial',
      failure: { code: 'NO_CHANGES' },
      output: { success: false },
    });
    expect(played.failure?.message).toContain('No file was changed');
    expect(bench.told.some((line) => line.includes('NO_CHANGES'))).toBe(true);
    expect(played.states.filter((state) => state === 'implementation')).toHaveLength(2);
    expect(played.states).not.toContain('code_review');
  },
);

test('[A7] files of the first try count when the second one only corrects what it claims', async () => {
  const bench = new StageBench({
    keepsFiles: true,
    rules: [
      DESIGN,
      APPROVED,
      {
        when: { state: 'implementation', visit: 1 },
        steps: [
          calls('write_file', { path: 'src/greet.js', content: 'code\n' }),
          handsIn('code', 'src/greet.js', 'src/dream.js'),
        ],
      },
      { when: { state: 'implementation' }, reply: handsIn('code', 'src/greet.js') },
      { when: { state: 'documentation' }, ...writes('docs/greet.md', 'documentation') },
    ],
  });
  expect(await bench.start('development')).toMatchObject({ outcome: 'ok', output: { success: true } });
});

test('[L4] code handed in as the documentation is INVALID_OUTPUT and no success', async () => {
  const bench = new StageBench({
    keepsFiles: true,
    rules: [DESIGN, APPROVED, { when: { agent: 'developer' }, ...writes('src/greet.js', 'code') }],
  });
  const played = await bench.start('development');
  expect(played).toMatchObject({ outcome: 'partial', output: { success: false } });
  expect(bench.told.join('\n')).toMatch(/documentation/);
});
