import { expect, test } from 'vitest';
import { ASK_THEN_WORK, ASKING, scriptedProject } from './projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

async function asked(sandbox: Sandbox): Promise<string> {
  const { stdout } = await sandbox.troupe(['run', 'asking.ts', '--json']);
  return String(jsonLines(stdout)[0]?.['run']);
}

test('[L10] answer --detach ends when the answer is taken, and the run goes on in the background', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
  const run = await asked(sandbox);
  const answered = await sandbox.troupe(['answer', run, 'blue', '--detach', '--json']);
  expect([answered.code, jsonLines(answered.stdout)]).toEqual([
    0,
    [{ kind: 'answer.taken', run, question: expect.any(String) as unknown }],
  ]);
  await sandbox.troupe(['watch', run]);
  const shown = await sandbox.troupe(['show', run, '--json']);
  expect(jsonLines(shown.stdout)[0]).toMatchObject({ status: 'settled', outcome: 'ok', data: { colour: 'blue' } });
});

test('[L10] what the background would refuse is refused in front', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING });
  const run = await asked(sandbox);
  const wrong = await sandbox.troupe(['answer', run, 'green', '--detach', '--json']);
  expect([wrong.code, jsonLines(wrong.stderr).at(-1)?.['code']]).toEqual([2, 'ANSWER_INVALID']);
  expect((await sandbox.troupe(['answer', run, 'red', '--detach'])).code).toBe(0);
  const late = await sandbox.troupe(['answer', run, 'q1', 'blue', '--detach', '--json']);
  expect([late.code, jsonLines(late.stderr).at(-1)?.['code']]).toEqual([2, 'QUESTION_CLOSED']);
});

test('[L10] an answer that looks like an option comes after --, and is taken word for word', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING.replace("choices: ['red', 'blue']", 'choices: []') });
  const run = await asked(sandbox);
  const answered = await sandbox.troupe(['answer', '--detach', '--', run, '--detach']);
  expect([answered.code, answered.stderr]).toEqual([0, expect.stringContaining('Answered.')]);
  await sandbox.troupe(['watch', run]);
  expect(jsonLines((await sandbox.troupe(['show', run, '--json'])).stdout)[0]).toMatchObject({
    data: { colour: '--detach' },
  });
});

test('[L10] fork --no-run --detach makes the run and is done', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'Hello']);
  const forked = await sandbox.troupe(['fork', 'last', '--at', 'again', '--no-run', '--detach', '--json']);
  expect([forked.code, jsonLines(forked.stdout)[0]?.['kind']]).toEqual([0, 'run.forked']);
});
