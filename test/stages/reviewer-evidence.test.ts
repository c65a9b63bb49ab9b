import { expect, test } from 'vitest';
import { shippedStages } from '../../src/formats/stages/parse/planned-stages.ts';
import { calls, review, StageBench } from './stage-bench.ts';

const handsIn = (kind: string, path: string) => ({
  steps: [
    calls('write_file', { path, content: `${kind}\n` }),
    calls('submit_artifact', { kind, files: [path], summary: `the ${kind}` }),
  ],
});

/** Every text that a run's agent got, in order. */
async function ordersOf(
  agent: string,
  ward?: readonly string[],
  tests: readonly string[] = [],
): Promise<readonly string[]> {
  const bench = new StageBench({
    keepsFiles: true,
    tests,
    rules: [
      { when: { agent: 'architect' }, reply: calls('submit_design', { title: 'Greeter', body: 'One function.' }) },
      { when: { agent: 'reviewer' }, reply: review('APPROVED') },
      { when: { state: 'implementation' }, ...handsIn('code', 'src/greet.js') },
      { when: { state: 'documentation' }, ...handsIn('documentation', 'docs/greet.md') },
    ],
  });
  const definition = await bench.definition('development', shippedStages());
  const input = { goal: 'the goal', ...(ward === undefined ? {} : { ward }) };
  const played = await bench.rest(await bench.host.start({ definition, input, project: bench.folder }));
  expect(played).toMatchObject({ outcome: 'ok' });
  return played.facts.flatMap((fact) =>
    fact.kind === 'task.started' && fact.work.kind === 'turn' && fact.work.agent === agent
      ? [fact.work.input ?? '']
      : [],
  );
}

test('[A7] the code reviewer gets the real diff, new files too, and the result of the tests the engine ran', async () => {
  const [design = '', code = ''] = await ordersOf('reviewer', ["echo it is 'green'", 'exit 3']);
  expect(design).not.toContain('Evidence from the engine');
  expect(code).toContain(
    "The engine ran `echo it is 'green'`, `exit 3` on the files as they are now: exit code 0 (passed).",
  );
  expect(code).toContain('src/greet.js +1 -0');
  expect(code).toContain('+code');
  expect(code.indexOf('+code')).toBeLessThan(code.indexOf('Call `submit_review` once'));
});

test('[A7] without a test command the code reviewer reads that none ran and what to do, and still gets the diff', async () => {
  const [, code = ''] = await ordersOf('reviewer', []);
  expect(code).toContain('The engine ran no tests: it was given no test command.');
  expect(code).toContain('+code');
});

test("[A7] where the input names no tests, the engine runs the project's own", async () => {
  const [, code = ''] = await ordersOf('reviewer', undefined, ['echo fine']);
  expect(code).toContain('The engine ran `echo fine` on the files as they are now: exit code 0 (passed).');
});

test('[A7] the code reviewer gets the design that the code is compared with', async () => {
  const [, code = ''] = await ordersOf('reviewer', []);
  expect(code).toContain('## Greeter (design from architect, stage architecture)\n\nOne function.');
});

test('[A7] an approved design reaches the developer once, with the review that approved it once', async () => {
  const [implementation = ''] = await ordersOf('developer', []);
  expect(implementation.split('One function.')).toHaveLength(2);
  expect(implementation.split('Review: APPROVED')).toHaveLength(2);
  expect(implementation.split('the goal')).toHaveLength(2);
  expect(implementation).not.toContain('sessionId');
});
