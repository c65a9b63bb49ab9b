import { expect, test } from 'vitest';
import type { WhyView } from '../../protocol/artifacts/why-view.ts';
import { ARTIFACT, OPTIONS } from '../../app/views/artifacts/testing/plain-artifact.ts';
import { whyText } from './why-text.ts';

const WHY: WhyView = {
  artifact: { ...ARTIFACT, now: 'changed' },
  made: {
    agent: 'planner',
    agent_type: 'planning',
    phase: 'planning',
    run: 'r/t1',
    task: 't2',
    how: 'work',
    tool: 'submit_output',
    tool_call: 'c',
    call: 3,
    calls: [
      { task: 't2', call: 3, record: 9, model: 'm', tools: [], input_tokens: 10, output_tokens: 2, cost_usd: 0.5 },
    ],
  },
  evidence: [
    { text: 'Tests pass', checked: true, held: true },
    { text: 'It is safe', checked: false, held: null, why: 'Nobody can tell, however long one looks at it.' },
  ],
  from: [],
};

test('[PH4] the origin of an artifact is a tree that fits 80 columns', () => {
  const leaf: WhyView = { ...WHY, artifact: { ...ARTIFACT, path: 'a.md' }, evidence: [] };
  const text = whyText(
    {
      ...WHY,
      from: [
        { ...leaf, from: [leaf] },
        { id: 'x', why: 'told', path: 'a.md', version: 2 },
        { id: 'y/z', why: 'unknown' },
      ],
    },
    OPTIONS,
  );
  const lines = text.split('\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines[0]).toBe('specs/plan.md, version 2 (plan)  changed since');
  expect(text).toContain('│ made by   planner (planning), 2026-');
  expect(text).toContain('│ in        phase planning, run r/t1, record 17');
  expect(text).toContain('│ with      submit_output in call 3, turn t2 of r/t1');
  expect(text).toContain('│ model     m: 1 call, 12 tokens, $0.50');
  expect(text).toContain('│ checked   Tests pass: held');
  expect(text).toContain('│ unchecked It is safe (Nobody can tell');
  expect(text).toContain('\n├─ a.md, version 2 (plan)\n│  │ made by');
  expect(text).toContain('\n│  └─ a.md, version 2 (plan)\n│       made by');
  expect(text).toContain('\n├─ a.md, version 2 (see above)\n└─ y/z (no record names it)');
});

test('[R4] failed calls are listed separately, and their cost is part of the sum', () => {
  const [answered] = WHY.made.calls;
  if (answered === undefined) throw new Error('There is no call.');
  const lost = { ...answered, model: null, failed: true, cost_usd: 0.25 } as const;
  const text = (calls: WhyView['made']['calls']): string => whyText({ ...WHY, made: { ...WHY.made, calls } }, OPTIONS);
  expect(text([lost, answered])).toContain('model     m: 1 call +1 failed, 24 tokens, $0.75');
  expect(text([lost])).toContain('model     unknown: 0 calls +1 failed, 12 tokens, $0.25');
});

test('[PH4] an artifact that the run did not make is marked as such', () => {
  const made = { ...WHY.made, how: 'outside', tool: null, task: null, calls: [] };
  expect(whyText({ ...WHY, made }, OPTIONS)).toContain('no agent of the run');
});
