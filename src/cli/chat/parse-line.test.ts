import { expect, test } from 'vitest';
import { parseLine } from './chat-loop.ts';

test('[SM10] a line without a slash is said to the agent', () => {
  expect(parseLine('  Hello there ')).toEqual({ kind: 'say', text: 'Hello there' });
  expect(parseLine('   ')).toEqual({ kind: 'nothing' });
});

test('[SM10] /role names a role, and alone asks for the list', () => {
  expect(parseLine('/role coder')).toEqual({ kind: 'role', name: 'coder' });
  expect(parseLine('/role')).toEqual({ kind: 'role', name: null });
});

test('[SM10] /workflow takes a name and a quoted input, and alone asks for the list', () => {
  expect(parseLine('/workflow coder_reviewer "Add a test"')).toEqual({
    kind: 'workflow',
    name: 'coder_reviewer',
    input: 'Add a test',
  });
  expect(parseLine('/workflow')).toEqual({ kind: 'workflow', name: null, input: null });
});

test('[SM10] a command that does not exist is not sent to the model', () => {
  expect(parseLine('/rol coder')).toEqual({ kind: 'unknown', command: '/rol' });
});
