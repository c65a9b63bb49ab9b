import { expect, test } from 'vitest';
import { authorKind } from './run-history.ts';
import { entered, smallTree, turn } from './testing/small-run.ts';

test('[U2] agents, the engine, the workflow and people can be distinguished, whatever the role of a message', () => {
  const tree = smallTree(entered('s', 1), turn('t1', 's'));
  const kind = (author: string, role: 'user' | 'assistant' | 'system') => authorKind({ author, role }, tree);
  expect(kind('ada', 'user')).toBe('agent');
  expect(kind('ada', 'assistant')).toBe('agent');
  expect(kind('unknown_agent', 'assistant')).toBe('agent');
  expect(kind('troupe', 'user')).toBe('engine');
  expect(kind('system', 'system')).toBe('engine');
  expect(kind('workflow', 'user')).toBe('workflow');
  expect(kind('person', 'user')).toBe('person');
  expect(kind('ann', 'user')).toBe('person');
});
