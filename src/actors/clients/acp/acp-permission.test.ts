import { expect, test } from 'vitest';
import { PERMISSION_CANCELLED, outcomeFor, rulingOn, type Ruling } from './acp-permission.ts';

const role = { includedTools: null, excludedTools: [] };
const ruling = (kind: string, mode: 'read' | 'commands' | 'write', change: object = {}): Ruling =>
  rulingOn({ kind, isDesk: false }, { ...role, ...change }, { mode, network: false });

test.each([
  ['read', { read: 'allow', edit: 'deny', execute: 'deny', switch_mode: 'deny', other: 'ask', think: 'allow' }],
  ['commands', { read: 'allow', edit: 'deny', delete: 'deny', execute: 'allow', switch_mode: 'deny', '': 'ask' }],
  ['write', { read: 'allow', edit: 'allow', move: 'allow', execute: 'allow', other: 'allow', fetch: 'deny' }],
] as const)('[PH3] what the mode %s allows', (mode, expected) => {
  const rulings = Object.keys(expected).map((kind) => [kind, ruling(kind, mode)]);
  expect(Object.fromEntries(rulings)).toEqual(expected);
});

test('the network is allowed with the role’s commands', () => {
  expect(rulingOn({ kind: 'fetch', isDesk: false }, role, { mode: 'read', network: true })).toBe('allow');
});

test('what the role does not have is denied, what it must ask for is asked', () => {
  expect(ruling('execute', 'write', { excludedTools: ['execute_terminal'] })).toBe('deny');
  expect(ruling('edit', 'write', { includedTools: ['read_file'] })).toBe('deny');
  expect(ruling('edit', 'write', { includedTools: ['edit_file'] })).toBe('allow');
  expect(ruling('edit', 'write', { ask: ['edit_file'] })).toBe('ask');
});

test('[Q2] the desk is always open', () => {
  expect(rulingOn({ kind: 'other', isDesk: true }, role, { mode: 'read', network: false })).toBe('allow');
});

test('the answer is for this once, where the agent offers that', () => {
  const option = (optionId: string, kind: string) => ({ optionId, kind, name: kind });
  const all = [option('a', 'allow_always'), option('b', 'allow_once'), option('c', 'reject_once')];
  expect(outcomeFor(true, all)).toEqual({ outcome: { outcome: 'selected', optionId: 'b' } });
  expect(outcomeFor(true, [option('a', 'allow_always')])).toEqual({ outcome: { outcome: 'selected', optionId: 'a' } });
  expect(outcomeFor(false, all)).toEqual({ outcome: { outcome: 'selected', optionId: 'c' } });
  expect(outcomeFor(false, [option('a', 'allow_always')])).toEqual(PERMISSION_CANCELLED);
  expect(outcomeFor(true, undefined)).toEqual(PERMISSION_CANCELLED);
});
