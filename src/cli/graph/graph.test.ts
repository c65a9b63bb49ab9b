import { expect, test } from 'vitest';
import { defineWorkflow } from '../../formats/native/define-workflow.ts';
import { expressionText } from '../../protocol/graph/expression-text.ts';
import { mermaid } from '../../app/library/graph/mermaid.ts';
import { xstate } from '../../app/library/graph/xstate.ts';
import { parseExpression } from '../../source/expression/parse-code.ts';

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
  expect(text).toContain('s0 --> s1 : n #62; 1');
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

const files = defineWorkflow({
  name: 'files',
  agents: { coder: { workspace: 'own' }, tester: { workspace: 'bench' }, reader: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'coder', input: "'x'" }, transitions: ['tell'] },
    tell: { work: { kind: 'turn', agent: 'tester', mode: 'tell', input: "'x'" }, transitions: ['read'] },
    read: { work: { kind: 'turn', agent: 'reader', input: "'x'" }, transitions: ['run'] },
    run: { work: { kind: 'command', command: "'npm test'", agent: 'coder' }, transitions: ['call'] },
    call: { work: { kind: 'call', workflow: 'files', workspace: 'own' }, transitions: ['merge'] },
    merge: {
      work: { kind: 'merge', agent: 'coder', verify: "'npm test'" },
      transitions: ['home'],
      on: { blocked: ['start'] },
    },
    home: { work: { kind: 'merge', agent: null }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});

test('[Q9] a graph shows where agents work, what is merged, and what must succeed first', () => {
  const labels = [...mermaid(files).matchAll(/state "(.*)" as/g)].map(([, label]) =>
    label?.replaceAll('#58;', ':').replaceAll('#34;', '"'),
  );
  expect(labels).toEqual([
    'start: coder in its own workspace',
    'tell: tell tester in workspace bench',
    'read: reader',
    'run: command in its own workspace',
    'call: call files in its own workspace',
    'merge: merge coder, verify "npm test"',
    'home: merge into the caller',
    'done',
  ]);
  expect(mermaid(files)).toContain('s5 --> s0 : blocked');
  expect(xstate(files)).toMatchObject({
    states: { merge: { invoke: { src: 'merge', input: { what: 'merge coder, verify "npm test"' } } } },
  });
});
