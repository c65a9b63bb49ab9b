import { expect, test } from 'vitest';
import { literal } from '../testing/expressions.ts';
import { agent, definitionOf, end, to, work } from '../testing/definitions.ts';
import { validateWorkflow } from './validate.ts';
import type { AgentSpec, Work } from '../model/workflow.ts';

const codes = (agents: readonly AgentSpec[], what: Work = { kind: 'none' }) =>
  validateWorkflow(definitionOf([work('start', what, { transitions: [to('stop')] }), end()], { agents }).workflow).map(
    ({ code, severity, path }) => `${severity} ${code} ${path}`,
  );

test('[Q9] the keywords for a workspace and valid names are accepted', () => {
  for (const workspace of ['shared', 'own', 'bench', 'b-2_x', '7'])
    expect(codes([agent('coder', { workspace })])).toEqual([]);
});

test('[L8] a workspace cannot have an invalid name, or one that the engine uses itself', () => {
  const wrong = ['', ' ', 'a b', '.', '..', '../x', 'a/b', 'a.b', '-x', 'x\n', 'ä', 'x'.repeat(65), 'main', 'scratch'];
  for (const workspace of wrong)
    expect(codes([agent('coder', { workspace })])).toEqual(['error WORKSPACE_INVALID agents.coder.workspace']);
});

test('[L8] an agent with its own workspace must have a name that is valid for a workspace', () => {
  for (const name of ['main', 'scratch', 'my coder', '../up'])
    expect(codes([agent(name, { workspace: 'own' })])).toEqual([`error WORKSPACE_INVALID agents.${name}.workspace`]);
});

test('[L3] a list of held resources names at least one', () => {
  for (const holds of [[], [''], ['database', ' ']])
    expect(codes([agent('coder', { holds })])).toEqual(['error HOLDS_INVALID agents.coder.holds']);
  expect(codes([agent('coder', { holds: ['database', 'port'] })])).toEqual([]);
});

test('[L3] commands and merges are looked at like turns', () => {
  const command = { kind: 'command', command: literal('x'), okExitCodes: [0] } as const;
  const own = [agent('coder', { workspace: 'own' })];
  const path = 'states.start.work';
  expect(codes(own, { ...command, agent: 'coder', holds: ['port'] })).toEqual([]);
  expect(codes(own, { ...command, agent: 'missing' })).toEqual([`error AGENT_UNKNOWN ${path}.agent`]);
  expect(codes(own, { ...command, okExitCodes: [], agent: 'missing', holds: [] })).toEqual([
    `error COMMAND_NEVER_OK ${path}`,
    `error AGENT_UNKNOWN ${path}.agent`,
    `error HOLDS_INVALID ${path}.holds`,
  ]);
  expect(codes(own, { kind: 'merge', agent: 'coder' })).toEqual([]);
  expect(codes(own, { kind: 'merge', agent: null })).toEqual([]);
  expect(codes(own, { kind: 'merge', agent: 'missing' })).toEqual([`error AGENT_UNKNOWN ${path}.agent`]);
  expect(codes([agent('coder')], { kind: 'merge', agent: 'coder' })).toEqual([`warning MERGE_NOTHING ${path}.agent`]);
});
