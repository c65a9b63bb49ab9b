import { expect, test } from 'vitest';
import type { Role } from '../../core/model/role.ts';
import { allTools } from '../../tools/all-tools.ts';
import { modeAllows } from '../../tools/mode.ts';
import { toolRefusal, toolsFor } from '../../tools/tools-for.ts';
import { mergeRoles } from '../roles/placed-role.ts';
import { findAssets, loadShipped } from '../../formats/load-assets.ts';
import { valueOrFault } from '../checked.ts';
import { AGENT_MODES, isBeyond, MODE_RULES } from './agent-mode.ts';
import { loadAgentTypes } from './load-agent-types.ts';
import { roleForMode } from './agent-type.ts';

const READ = ['read_file', 'list_files', 'glob', 'grep', 'git_status', 'git_diff', 'git_log', 'search_knowledge'];
const WEB = ['web_fetch', 'web_search'];
/** A type that changes files can also settle conflicts. */
const WRITE = ['write_file', 'edit_file', 'settle_conflict'];

/** The founding document's lists: the tools of each type, and no others. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  planning: [...READ, ...WEB, 'task'],
  execution: [...READ, ...WRITE, 'execute_terminal', 'task'],
  verification: [...READ, 'execute_terminal', 'task'],
  fix: [...READ, ...WRITE, 'execute_terminal', 'task'],
  research: [...READ, ...WEB, 'task'],
  orchestrator: [...READ, 'task', 'todo_write'],
};

const names = allTools.map(({ spec }) => spec.name);
const cases = Object.entries(TOOLS).flatMap(([type, has]) =>
  names.map((tool) => [type, tool, has.includes(tool)] as const),
);

const roles = mergeRoles((await loadShipped()).roles);
const types = valueOrFault(await loadAgentTypes([findAssets()]), 'INTERNAL');

const role = (name: string): Role => {
  const found = roles[name];
  if (found === undefined) throw new Error(`no role ${name}`);
  return found;
};

test.for(cases)('[PH3] %s and %s: %s', ([type, tool, may]) => {
  const commanded: Role = {
    ...role(type),
    systemMessage: 'You may use every tool. Use write_file and execute_terminal.',
  };
  expect(toolRefusal(commanded, allTools, tool) === null).toBe(may);
  expect(toolsFor(commanded, allTools).tools.some(({ spec }) => spec.name === tool)).toBe(may);
});

test.for([
  ['planning', 'write_file', 'MODE_READ_ONLY'],
  ['planning', 'edit_file', 'MODE_READ_ONLY'],
  ['planning', 'execute_terminal', 'MODE_READ_ONLY'],
  ['research', 'write_file', 'MODE_READ_ONLY'],
  ['orchestrator', 'edit_file', 'MODE_READ_ONLY'],
  ['verification', 'write_file', 'MODE_NO_WRITES'],
  ['verification', 'edit_file', 'MODE_NO_WRITES'],
  ['execution', 'web_search', 'TOOL_NOT_INCLUDED'],
] as const)('[PH3] %s learns why it has no %s', ([type, tool, code]) => {
  expect(toolRefusal(role(type), allTools, tool)).toMatchObject({ code });
});

test('[PH3] a planning agent cannot write whatever its prompt says, also with a role of the project over it', () => {
  const change = { systemMessage: 'Write files.', includedTools: ['read_file', 'write_file', 'edit_file'] };
  const changed = mergeRoles({ planning: roles['planning'] ?? {} }, { planning: change })['planning'];
  expect(changed && toolsFor(changed, allTools).tools.map(({ spec }) => spec.name)).toEqual(['read_file']);
});

test.for(AGENT_MODES)('[PH3] in the mode %s every type has exactly the tools of the mode', (mode) => {
  const expected = new Set(toolsFor(inMode('execution', mode), allTools).tools.map(({ spec }) => spec.name));
  for (const name of Object.keys(types)) {
    const one = inMode(name, mode);
    expect(new Set(toolsFor(one, allTools).tools.map(({ spec }) => spec.name))).toEqual(expected);
    expect(one.mode).toBe(MODE_RULES[mode].access);
    expect(one.systemMessage).toContain(`## Mode: ${mode}`);
    for (const other of AGENT_MODES) expect(one.systemMessage.includes(`## Mode: ${other}`)).toBe(other === mode);
  }
});

function inMode(name: string, mode: (typeof AGENT_MODES)[number]): Role {
  const type = types[name];
  if (type === undefined) throw new Error(`no type ${name}`);
  return { ...role(name), ...roleForMode(type, mode) };
}

test('[PH3] the sub-agents a type may start: explorers, or fixers', () => {
  expect(Object.fromEntries(Object.keys(types).map((name) => [name, role(name).tasks]))).toEqual({
    planning: ['research'],
    research: ['research'],
    verification: ['research'],
    execution: ['fix'],
    fix: ['fix'],
    orchestrator: ['planning', 'research'],
  });
  for (const name of ['planning', 'research', 'verification', 'orchestrator']) {
    const below = role(name).tasks ?? [name];
    for (const one of below)
      expect(toolsFor(role(one), allTools).tools.map(({ spec }) => spec.name)).not.toContain('write_file');
  }
});

test('[PH3] the tools that a mode can never have follow from the tools themselves, and every tool of a mode exists', () => {
  for (const access of ['read', 'commands', 'write'] as const) {
    for (const tool of allTools)
      expect([tool.spec.name, isBeyond(access, tool.spec.name)]).toEqual([
        tool.spec.name,
        !modeAllows(access, tool.access),
      ]);
  }
  for (const { tools } of Object.values(MODE_RULES)) for (const tool of tools) expect(names).toContain(tool);
});
