import { expect, test } from 'vitest';
import { writeOwn } from './modules.ts';
import { calls, newFolder, review, StageBench } from './stage-bench.ts';

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
    expect(played.failure?.message).toContain('developer changed no file in implementation');
    expect(bench.notices.some((line) => line.includes('NO_CHANGES'))).toBe(true);
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

test('[A7] a second try beside another stage counts what the first one changed', async () => {
  const folder = newFolder();
  const submits = (body: string): object => calls('submit_task', { subject: 'Done', body });
  const bench = new StageBench({
    folder,
    keepsFiles: true,
    roles: Object.fromEntries(['first', 'left', 'right', 'join'].map((name) => [name, { systemMessage: name }])),
    rules: [
      { when: { agent: 'first' }, reply: submits('go') },
      { when: { agent: 'left', contains: 'src/dream.js' }, reply: handsIn('code', 'src/greet.js') },
      {
        when: { agent: 'left' },
        steps: [
          calls('write_file', { path: 'src/greet.js', content: 'code\n' }),
          handsIn('code', 'src/greet.js', 'src/dream.js'),
        ],
      },
      { when: { agent: 'right', visit: 1 }, reply: submits('from the right') },
      { when: { agent: 'join' }, reply: submits('both') },
    ],
  });
  const file = writeOwn(folder, {
    stages: [
      { name: 'begin', agent: 'first', outputTo: ['left', 'right'] },
      { name: 'left', agent: 'left', inputFrom: ['begin'], outputTo: ['join'], outputType: 'artifact' },
      { name: 'right', agent: 'right', inputFrom: ['begin'], outputTo: ['join'] },
      { name: 'join', agent: 'join', inputFrom: ['left', 'right'] },
    ],
    config: { parallelAgents: true },
  });
  const played = await bench.startFile(file, 'own');
  expect(bench.notices.join('\n')).toContain('src/dream.js');
  expect(bench.notices.join('\n')).not.toContain('NO_CHANGES');
  expect(played).toMatchObject({ outcome: 'ok', output: { success: true } });
});

test('[L4] code handed in as the documentation is INVALID_OUTPUT and no success', async () => {
  const bench = new StageBench({
    keepsFiles: true,
    rules: [DESIGN, APPROVED, { when: { agent: 'developer' }, ...writes('src/greet.js', 'code') }],
  });
  const played = await bench.start('development');
  expect(played).toMatchObject({ outcome: 'partial', output: { success: false } });
  expect(bench.notices.join('\n')).toMatch(/documentation/);
});
