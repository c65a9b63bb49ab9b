import { expect, test } from 'vitest';
import type { Workflow } from '../../core/model/workflow.ts';
import { buildDefinition } from '../../formats/definition.ts';
import { defineWorkflow } from '../../formats/native/define-workflow.ts';
import { mergeRoles } from '../roles/placed-role.ts';
import { loadShipped } from '../../formats/load-assets.ts';
import { valueOrFault } from '../checked.ts';
import { AGENT_MODES, MODE_RULES } from './agent-mode.ts';

const roles = mergeRoles((await loadShipped()).roles, { mine: { systemMessage: 'Mine.', mode: 'commands' } });

/** One agent of a role that is `of` in another mode. */
function inMode(of: string, agentMode: string): Workflow {
  const cast = `${of}:${agentMode}`;
  const workflow = defineWorkflow({
    name: 'w',
    agents: { it: { role: cast } },
    states: {
      start: { work: { kind: 'turn', agent: 'it', input: "'x'" }, transitions: ['end'] },
      end: { kind: 'end' },
    },
  });
  return { ...workflow, casts: { [cast]: { of, change: { level: 'fast' }, agentMode } } };
}

test.for(AGENT_MODES)(
  '[PH3] in the mode %s a type has the tools and the prompt of the mode, and the change on top',
  (mode) => {
    const built = valueOrFault(buildDefinition('w', [inMode('execution', mode)], roles), 'INTERNAL').roles[
      `execution:${mode}`
    ];
    const { access, tools } = MODE_RULES[mode];
    expect(built).toMatchObject({ name: `execution:${mode}`, level: 'fast', mode: access, includedTools: tools });
    expect(built?.systemMessage).toContain(`## Mode: ${mode}`);
    // It is stored with the run, so it is plain data.
    expect(JSON.parse(JSON.stringify(built))).toEqual(built);
  },
);

test.for([
  ['mine', 'PLANNING', 'read'],
  ['mine', 'VERIFICATION', 'commands'],
  ['mine', 'EXECUTION', 'commands'],
  ['coder', 'RESEARCH', 'read'],
  ['coder', 'FIX', 'write'],
] as const)('[PH3] the plain role %s in the mode %s may at most %s', ([name, mode, access]) => {
  const built = valueOrFault(buildDefinition('w', [inMode(name, mode)], roles), 'INTERNAL').roles[`${name}:${mode}`];
  expect(built).toMatchObject({ mode: access, systemMessage: roles[name]?.systemMessage });
});

test('[L3] an unknown mode is reported', () => {
  const built = buildDefinition('w', [inMode('planning', 'PLANING')], roles);
  expect(built.ok ? [] : built.problems).toMatchObject([
    { code: 'MODE_UNKNOWN', path: 'casts.planning:PLANING', hint: 'Did you mean "PLANNING"?' },
  ]);
});
