import { expect, test } from 'vitest';
import { defineWorkflow } from '../../dialects/native/define-workflow.ts';
import { expressionText } from './expression-text.ts';
import { mermaid } from './mermaid.ts';
import { xstate } from './xstate.ts';
import { parseExpression } from '../../dialects/expression/parse-expression.ts';

const workflow = defineWorkflow({
  name: 'odd.names',
  agents: { coder: {} },
  states: {
    start: {
      work: { kind: 'turn', agent: 'coder', input: "'x'" },
      transitions: [{ target: 'a "b": c', when: 'common_data.n > 1' }, 'end.here'],
      on: { failed: ['end.here'] },
    },
    'a "b": c': { transitions: ['end.here'] },
    'end.here': { kind: 'end' },
  },
});

test('[U1] Mermaid gets every state and edge, with names it cannot trip over', () => {
  const text = mermaid(workflow);
  expect(text.split('\n')).toHaveLength(1 + 3 + 1 + 4 + 1);
  expect(text).toContain('s0 --> s1 : common_data.n #62; 1');
  expect(text).toContain('s0 --> s2 : failed');
  expect(text).not.toContain('"a "b"');
});

test('[U1] targets for XState escape dots, which it would take for a way down', () => {
  expect(xstate(workflow)).toMatchObject({
    initial: 'start',
    states: {
      start: {
        invoke: {
          src: 'turn',
          onDone: [
            { guard: { params: { source: 'common_data.n > 1' } } },
            { target: String.raw`#odd\.names/end\.here` },
          ],
          onError: [{ description: 'failed' }],
        },
      },
      'end.here': { type: 'final' },
    },
  });
});

const SOURCES = [
  'common_data.count >= 3 && !common_data.done',
  "agents.coder.getLastResponse() + '!'",
  'function.review.arguments.ok === true',
  'a?.b[0] ?? (c ? 1 : 2)',
  '`n: ${common_data.n}`',
  '[1, "two", { three: 3 }]',
];

for (const source of SOURCES) {
  test(`[U1] the text of an expression means what was written: ${source}`, () => {
    const names = { names: ['a', 'c'] };
    const first = parseExpression(source, names);
    const text = first.ok ? expressionText(first.value) : 'refused';
    const again = parseExpression(text, names);
    expect(again.ok).toBe(true);
    expect(again).toEqual(first);
  });
}
