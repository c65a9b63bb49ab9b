import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunView } from '../../src/protocol/run-view.ts';
import { createSandbox, jsonLines } from '../cli/sandbox.ts';
import { openMcp } from '../mcp/mcp-client.ts';

const WORKFLOW = `name: picked
implementers: [base, { model: base, name: other }]
reviewers: [base, { model: base, name: ann }]
verify: node --check double.mjs
pick: person
max_revisions: 1
`;

const ANSWERS = `
rules:
  - when: { agent: impl_1, state: implement, call: 1 }
    reply: { tools: [{ name: write_file, arguments: { path: double.mjs, content: "export const double = (n) => n + n;\\n" } }] }
  - when: { agent: other, state: implement, call: 1 }
    reply: { tools: [{ name: write_file, arguments: { path: double.mjs, content: "export const double = (n) => n * 2;\\n" } }] }
  - when: { agent: [impl_1, other] }
    reply: Done.
  - when: { agent: [rev_1, ann], state: review }
    reply: { tools: [{ name: hand_in_review, arguments: { verdict: APPROVE, ranking: [impl_1, other], summary: Good., findings: [] } }] }
  - when: { agent: [rev_1, ann], state: debate }
    reply: { tools: [{ name: hand_in_position, arguments: { verdict: APPROVE, ranking: [impl_1, other], stances: [] } }] }
`;

test('[PD7] [U5] [V3] at the command line: show tells what collides and where, the person settles it there and answers, and it is merged; no agent answers for them', async () => {
  const sandbox = createSandbox({
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n',
    '.troupe/workflows/picked.yaml': WORKFLOW,
    'answers.yaml': ANSWERS,
  });
  const started = await sandbox.troupe(['run', 'picked', 'Double it.', '--json', '--no-input']);
  expect(started.code).toBe(3);
  const run = String(jsonLines(started.stdout).at(-1)?.['run']);
  expect((await sandbox.troupe(['answer', run, 'APPROVE impl_1'])).code).toBe(0);

  // The person thinks better of it: the run goes back to the question, what was merged stays.
  const back = await sandbox.troupe(['rollback', run, '--to', 'ask', '--conversation', '--yes']);
  expect({ code: back.code, stderr: back.stderr }).toMatchObject({ code: 0 });
  expect((await sandbox.troupe(['resume', run, '--no-input'])).code).toBe(3);
  const asked = await sandbox.troupe(['answer', run, 'APPROVE other', '--no-input']);
  expect({ code: asked.code, stderr: asked.stderr }).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('other was chosen, and collides'),
  });
  const shown = (await sandbox.troupe(['show', run])).stdout;
  expect(shown).toContain('other was chosen, and collides with what others changed meanwhile, in double.mjs:1.');
  expect(shown).toContain('Answer "again" when you have settled it there, "stop" to leave it unmerged');
  const view = JSON.parse((await sandbox.troupe(['show', run, '--json'])).stdout) as RunView;
  const folder = view.folders?.find(({ workspace }) => workspace === 'other')?.folder ?? '';
  expect(shown).toContain(folder);

  const file = join(folder, 'double.mjs');
  expect(readFileSync(file, 'utf8')).toMatch(/<{7}[^]*n \+ n[^]*={7}[^]*n \* 2[^]*>{7}/);
  const both = 'export const double = (n) => (n + n + n * 2) / 2;\n';
  writeFileSync(file, both);
  const agent = await openMcp(sandbox);
  const { questions } = (await agent.call('run_status', { run })) as { questions: { question: string }[] };
  for (const text of ['again', 'stop', 'Take mine.']) {
    const refused = await agent.call('answer_question', { run, question: questions[0]?.question, text });
    expect(refused.error?.code).toBe('APPROVAL_BY_PERSON');
  }
  const merged = await sandbox.troupe(['answer', run, 'again']);
  expect({ code: merged.code, stderr: merged.stderr }).toMatchObject({ code: 0 });
  expect((await sandbox.troupe(['deliver', run, '--apply'])).code).toBe(0);
  expect(sandbox.read('double.mjs')).toBe(both);
}, 120_000);
