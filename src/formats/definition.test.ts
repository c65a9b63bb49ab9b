import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '../core/model/json.ts';
import type { Workflow } from '../core/model/workflow.ts';
import { buildDefinition } from './definition.ts';
import { loadWorkflowFile } from './load-workflows.ts';
import { mergeRoles } from '../source/roles/placed-role.ts';
import { parseRoleMarkdown } from '../source/roles/parse-roles.ts';
import { readDocument } from '../source/read-document.ts';
import { parseStateMachine } from './state-machine/parse-state-machine.ts';

const FIXTURES = join(import.meta.dirname, 'state-machine', 'fixtures');

const fromFile = async (name: string): Promise<readonly Workflow[]> => {
  const result = await loadWorkflowFile(join(FIXTURES, name), { file: name });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
};

const fromText = (document: Json): readonly Workflow[] => {
  const source = readDocument(JSON.stringify(document, null, 1), { file: 'w.json' });
  if (!source.ok) throw new Error('unreadable');
  const result = parseStateMachine(source.value.document, { file: 'w.json', locate: source.value.locate });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
};

const tool = (name: string) => ({ name, description: '', parameters: { type: 'object' } });
const roles = mergeRoles({
  coder: {},
  reviewer: { parsingTools: [tool('review_work')] },
  product_manager: {},
  architect: {},
  bystander: {},
});

const calling = (name: string, called: string) => ({
  workflow_name: name,
  states: [{ name: 'start', action: { sub_workflow: called }, transition: [{ target: 'stop' }] }],
});

test('[SM4] a definition holds the workflows a run may call and the roles that take part, and no others', async () => {
  const workflows = [...(await fromFile('hierarchical_development.json')), ...(await fromFile('coder_reviewer.json'))];
  const result = buildDefinition('hierarchical_development', workflows, roles);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  expect(result.warnings).toEqual([]);
  expect(result.value.workflow.name).toBe('hierarchical_development');
  expect(Object.keys(result.value.library)).toEqual(['coder_reviewer']);
  expect(Object.keys(result.value.roles).sort()).toEqual(['architect', 'coder', 'product_manager', 'reviewer']);
});

test('[SM8] of two workflows with one name the later one counts', () => {
  const [mine] = fromText({
    workflow_name: 'w',
    description: 'mine',
    states: [{ name: 'start', transition: [{ target: 'stop' }] }],
  });
  const [theirs] = fromText({ workflow_name: 'w', states: [{ name: 'start', transition: [{ target: 'stop' }] }] });
  if (mine === undefined || theirs === undefined) throw new Error('nothing lowered');
  const result = buildDefinition('w', [theirs, mine], {});
  expect(result.ok && result.value.workflow.description).toBe('mine');
});

test('[U6] an unknown role is reported with the line of the agent', async () => {
  const result = buildDefinition(
    'coder_reviewer',
    await fromFile('coder_reviewer.json'),
    mergeRoles({ coder: {}, reviever: {} }),
  );
  const problems = result.ok ? [] : result.problems.filter((problem) => problem.severity === 'error');
  expect(problems).toMatchObject([
    { code: 'ROLE_UNKNOWN', file: 'coder_reviewer.json', at: { line: 30 }, hint: 'Did you mean "reviever"?' },
  ]);
});

test('[U6] a structured reply that no role here can give is a warning', async () => {
  const result = buildDefinition(
    'coder_reviewer',
    await fromFile('coder_reviewer.json'),
    mergeRoles({ coder: {}, reviewer: {} }),
  );
  expect(result.ok && result.warnings.map(({ code, at }) => [code, at?.line])).toEqual([['TOOL_UNKNOWN', 74]]);
});

test('[SM4] a missing sub-workflow is reported where it is called', async () => {
  const result = buildDefinition('hierarchical_development', await fromFile('hierarchical_development.json'), roles);
  expect(result.ok ? [] : result.problems.map(({ code, file, at }) => [code, file, at?.line])).toEqual([
    ['WORKFLOW_UNKNOWN', 'hierarchical_development.json', 83],
  ]);
});

test('[SM4] workflows that call each other in a circle are refused, the circle named', () => {
  const result = buildDefinition('a', fromText([calling('a', 'b'), calling('b', 'c'), calling('c', 'a')]), roles);
  expect(result.ok ? [] : result.problems).toMatchObject([
    { code: 'WORKFLOW_RECURSION', message: 'A workflow may not call itself, but a calls b calls c calls a.' },
  ]);
});

test('[L3] a workflow that does not exist is reported with the name that was probably meant', () => {
  const result = buildDefinition('coder_reviwer', fromText(calling('coder_reviewer', 'x')), {});
  expect(result.ok ? [] : result.problems).toMatchObject([
    { code: 'WORKFLOW_UNKNOWN', hint: 'Did you mean "coder_reviewer"?' },
  ]);
});

test('[Q8] the roles that an agent may start sub-agents of come along, and those that they may start', () => {
  const [workflow] = fromText({
    workflow_name: 'w',
    agents: [{ agent_role: 'coder', context: 'c', role: 'assistant' }],
    contexts: [{ name: 'c' }],
    states: [
      {
        name: 'start',
        agent: 'coder',
        input: "'x'",
        action: { function: 'sendUserMessage' },
        transition: [{ target: 'stop' }],
      },
      { name: 'stop' },
    ],
  });
  const own = {
    ...roles,
    ...mergeRoles({ coder: { tasks: ['reviewer'] }, reviewer: { tasks: ['architect', 'coder'] } }),
  };
  const definition = buildDefinition('w', workflow === undefined ? [] : [workflow], own);
  expect(definition.ok ? Object.keys(definition.value.roles).sort() : definition.problems).toEqual([
    'architect',
    'coder',
    'reviewer',
  ]);
});

test('[Q8] a missing role for sub-agents is reported, also of a sub-agent', () => {
  const workflows = fromText({
    workflow_name: 'w',
    agents: [{ agent_role: 'coder', context: 'c', role: 'assistant' }],
    contexts: [{ name: 'c' }],
    states: [{ name: 'start', agent: 'coder', transition: [{ target: 'stop' }] }],
  });
  const own = mergeRoles({ coder: { tasks: ['helper', 'helpr'] }, helper: { tasks: ['coder', 'codr'] } });
  const built = buildDefinition('w', workflows, own);
  expect(built.ok ? [] : built.problems).toMatchObject([
    { code: 'ROLE_UNKNOWN', file: 'w.json', path: 'roles.coder.tasks', hint: 'Did you mean "helper"?' },
    { code: 'ROLE_UNKNOWN', path: 'roles.helper.tasks', hint: 'Did you mean "coder"?' },
  ]);
});

test('[U6] a wrong name in a role is reported where the role was written; no place goes into the definition', () => {
  const workflows = fromText({
    workflow_name: 'w',
    agents: [{ agent_role: 'coder', context: 'c', role: 'assistant' }],
    contexts: [{ name: 'c' }],
    states: [{ name: 'start', agent: 'coder', transition: [{ target: 'stop' }] }],
  });
  const coder = parseRoleMarkdown('coder', '---\nlevel: smart\nfollowups: [coder,\n  reviwer]\n---\nCode.', {
    file: 'coder.md',
  });
  if (!coder.ok) throw new Error(JSON.stringify(coder.problems));
  const layers = [{ coder: { followups: ['x', 'y'] }, reviewer: {} }, { coder: coder.value }];
  const built = buildDefinition('w', workflows, mergeRoles(...layers));
  expect(built.ok ? [] : built.problems).toMatchObject([
    { code: 'ROLE_UNKNOWN', file: 'coder.md', at: { line: 4, column: 3 }, hint: 'Did you mean "reviewer"?' },
  ]);
  const fixed = buildDefinition('w', workflows, mergeRoles(...layers, { reviwer: {} }));
  expect(fixed.ok && fixed.value.roles['coder']).not.toHaveProperty('places');
});

test('[PH3] a role that may not write is offered no sub-agent that is there to write', () => {
  const [workflow] = fromText({
    workflow_name: 'w',
    states: [{ name: 'start', transition: [{ target: 'stop' }] }],
  });
  if (workflow === undefined) throw new Error('nothing lowered');
  const known = mergeRoles({
    lead: { mode: 'read', tasks: ['coder', 'scout'] },
    coder: {},
    scout: { mode: 'commands' },
  });
  const contexts = [{ name: 'c', startingMessages: [], maxLength: 1000 }];
  const agents = [{ name: 'lead', role: 'lead', context: 'c', side: 'assistant' }] as const;
  const result = buildDefinition('w', [{ ...workflow, agents, contexts }], known);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  expect(result.value.roles['lead']?.tasks).toEqual(['scout']);
  expect(Object.keys(result.value.roles)).toEqual(['lead', 'scout']);
  expect(result.warnings).toMatchObject([
    {
      code: 'SUB_AGENT_WRITES',
      severity: 'warning',
      path: 'roles.lead.tasks',
      message: expect.stringContaining('"coder"'),
    },
  ]);
});
