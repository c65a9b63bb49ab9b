import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Terminal } from '../terminal/terminal.ts';
import { askPerson } from './ask-person.ts';

const QUESTION = { id: 't1', name: 'q1', run: 'r1', kind: 'ask', text: 'Ship it?', state: 's', at: 0 } as const;

test.for([
  { what: 'ctrl-C', typed: '\u0003', choices: ['yes', 'no'] },
  { what: 'escape', typed: '\u001b', choices: ['yes', 'no'] },
  { what: 'ctrl-C at a free text', typed: '\u0003', choices: [] },
])('[V3] $what at the terminal is no answer', async ({ typed, choices }) => {
  const stdin = new PassThrough();
  const terminal = { stdin, stderr: new PassThrough() } as unknown as Terminal;
  const asked = askPerson({ ...QUESTION, choices }, terminal);
  setImmediate(() => stdin.write(typed));
  expect(await asked).toBe(null);
});

test('[V3] standard input that ends gives no answer', async () => {
  const stdin = new PassThrough();
  const terminal = { stdin, stderr: new PassThrough() } as unknown as Terminal;
  const withdrawn = new AbortController();
  const asked = askPerson({ ...QUESTION, choices: ['yes', 'no'] }, terminal, withdrawn.signal);
  stdin.end();
  setImmediate(() => withdrawn.abort());
  expect(await asked).toBe(null);
});
