import { expect, test } from 'vitest';
import type { Json } from '../../core/model/json.ts';
import { buildDefinition } from '../../formats/definition.ts';
import { defineWorkflow } from '../../formats/native/define-workflow.ts';
import { loadShipped } from '../../formats/load-assets.ts';
import { mergeRoles } from './placed-role.ts';
import { parseRole } from './parse-roles.ts';

const read = (document: Json) => {
  const result = parseRole('coder', document, { file: 'coder.yaml', locate: () => undefined });
  return result.ok ? result.value : result.problems.map(({ code, path }) => `${code} ${path}`);
};

test('[Q2] a role names its actor, its signals and the roles it may ask for', () => {
  const part = { actor: 'codex', signals: ['complete', 'needs-role-followup'], followups: ['reviewer'] };
  expect(read(part)).toEqual(part);
  expect(read({ signals: ['done'] })).toEqual(['VALUE_INVALID signals[0]']);
  expect(read({ parsingTools: [{ function: { name: 'signal_back' } }] })).toEqual([
    'TOOL_RESERVED parsingTools[0].function.name',
  ]);
});

test('[Q2] a role with signals has the tool for them, made from what it may send once all layers are known', () => {
  const roles = mergeRoles(
    { coder: { signals: ['complete'], parsingTools: [{ name: 'report', description: '', parameters: {} }] } },
    { coder: { signals: ['complete', 'needs-role-followup'], followups: ['reviewer'] }, reviewer: {} },
  );
  expect(roles['coder']?.parsingTools.map(({ name }) => name)).toEqual(['report', 'signal_back']);
  expect(roles['coder']?.parsingTools[1]?.parameters).toMatchObject({
    properties: { signal: { enum: ['complete', 'needs-role-followup'] }, targetRole: { enum: ['reviewer'] } },
  });
  expect(roles['reviewer']?.parsingTools).toEqual([]);
});

test('[L3] a role that may ask for an unknown one is reported', () => {
  const workflow = defineWorkflow({
    name: 'w',
    agents: { coder: {} },
    states: {
      start: { work: { kind: 'turn', agent: 'coder', input: "'x'" }, transitions: ['end'] },
      end: { kind: 'end' },
    },
  });
  const roles = mergeRoles({ coder: { signals: ['needs-role-followup'], followups: ['reviwer'] }, reviewer: {} });
  const built = buildDefinition('w', [workflow], roles);
  expect(built.ok ? [] : built.problems).toMatchObject([
    { code: 'ROLE_UNKNOWN', path: 'roles.coder.followups', hint: 'Did you mean "reviewer"?' },
  ]);
});

test('[Q6] the six roles may send what the founding document lists, and have the modes of their work', async () => {
  const roles = mergeRoles((await loadShipped()).roles);
  const all = ['complete', 'partially-complete', 'needs-user-input', 'needs-role-followup'];
  const shipped = ['chaoswhisperer', 'pathseeker', 'codeweaver', 'siegemaster', 'lawbringer', 'spiritmender'].map(
    (name) => {
      const { mode, signals, followups } = roles[name] ?? {};
      return [name, mode, signals, followups];
    },
  );
  expect(shipped).toEqual([
    ['chaoswhisperer', 'read', ['complete', 'needs-user-input'], undefined],
    ['pathseeker', 'commands', all, ['codeweaver', 'spiritmender']],
    ['codeweaver', 'write', all, ['pathseeker', 'spiritmender']],
    ['siegemaster', 'write', ['complete', 'partially-complete', 'needs-role-followup'], ['codeweaver']],
    ['lawbringer', 'commands', ['complete', 'needs-role-followup'], ['spiritmender']],
    ['spiritmender', 'write', all, ['codeweaver', 'pathseeker']],
  ]);
});
