import { expect, test } from 'vitest';
import type { Role } from '../core/model/role.ts';
import { AGENT_MODES } from '../source/agent-types/agent-mode.ts';
import { changeInMode } from '../source/agent-types/agent-type.ts';
import { checkToolNames, knownTools, offeredTools, toolsNamed } from './check-names.ts';
import { buildDefinition } from './definition.ts';
import { defineWorkflow } from './native/define-workflow.ts';
import { mergeRoles } from '../source/roles/placed-role.ts';
import { loadShipped } from './load-assets.ts';
import { shippedStages } from './stages/parse/planned-stages.ts';

const workflow = defineWorkflow({
  name: 'w',
  agents: { coder: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'coder', input: "'x'" }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});

const found = (role: Partial<Role>) =>
  checkToolNames(workflow, mergeRoles({ coder: role, other: { parsingTools: [REPLY] } })).map(({ message }) => message);

const REPLY = { name: 'review_work', description: '', parameters: { type: 'object' } };

test('[A3] a prompt that names a tool its agent does not have is a warning', () => {
  const systemMessage = 'Change files with write_file, then call review_work or `submit_output`.';
  expect(found({ systemMessage, mode: 'read' })).toEqual([
    'The prompt of "coder" names the tool "write_file", which this agent does not have in w.',
    'The prompt of "coder" names the tool "submit_output", which this agent does not have in w.',
    'The prompt of "coder" names the tool "review_work", which this agent does not have in w.',
  ]);
  expect(found({ systemMessage, excludedTools: ['write_file'] })[0]).toContain('"write_file"');
  expect(found({ systemMessage: 'Write with write_file, end with review_work.', parsingTools: [REPLY] })).toEqual([]);
});

test('[A3] ordinary words are no tools; in backticks they are', () => {
  expect(found({ systemMessage: 'Do the task. Use grep, glob.', includedTools: [] })).toEqual([]);
  expect(found({ systemMessage: 'Use `grep`.', includedTools: [] })).toHaveLength(1);
});

test('[A3] no shipped workflow names a tool in a prompt that its agent is not offered', async () => {
  const { workflows, roles } = await loadShipped();
  const merged = mergeRoles(roles);
  const all = [...workflows, ...shippedStages()];
  for (const { name } of all) {
    const built = buildDefinition(name, all, merged);
    if (!built.ok) throw new Error(JSON.stringify(built.problems));
    expect(built.warnings.filter(({ code }) => code === 'PROMPT_TOOL_UNKNOWN')).toEqual([]);
  }
});

test('[A3] no shipped role or type names a tool that it lacks, in any mode', async () => {
  const roles = mergeRoles((await loadShipped()).roles);
  const known = knownTools(roles);
  for (const role of Object.values(roles)) {
    for (const mode of AGENT_MODES) {
      const now = { ...role, ...changeInMode(role, mode) };
      const offered = offeredTools(now, []);
      expect(toolsNamed(now.systemMessage, known).filter((name) => !offered.has(name))).toEqual([]);
    }
  }
});
