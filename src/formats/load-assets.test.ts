import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkInput } from './check-input.ts';
import { buildDefinition } from './definition.ts';
import { loadWorkflowFolder } from './load-workflows.ts';
import { loadRoles } from '../source/roles/load-roles.ts';
import { mergeRoles } from '../source/roles/placed-role.ts';
import { AGENT_MODES } from '../source/agent-types/agent-mode.ts';
import {
  COMPILED_AGENTS,
  compileAgents,
  findAssets,
  loadShipped,
  shippedAgents,
  type ShippedAgents,
} from './load-assets.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-shipped-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const NAMES = [
  'attempt',
  'ballot',
  'coder_reviewer',
  'hierarchical_development',
  'judge',
  'map_item',
  'map_reduce',
  'parallel_analysis_shared',
  'parallel_review',
  'product_manager_coder',
  'quest',
  'quest_step',
  'race',
  'relay',
  'relay_leg',
  'vote',
];

/** Only others call them. */
const PARTS = new Set(['ballot', 'map_item', 'quest_step']);

test('[SM8] [Q6] [PD8] the workflows are shipped', async () => {
  const { workflows } = await loadShipped();
  expect(workflows.map((workflow) => workflow.name)).toEqual(NAMES);
});

test.for(NAMES.filter((name) => !PARTS.has(name)))(
  '[SM8] %s builds with the shipped roles, without a warning, from one text',
  async (name) => {
    const { workflows, roles } = await loadShipped();
    const result = buildDefinition(name, workflows, mergeRoles(roles));
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    expect(result.warnings).toEqual([]);
    expect(checkInput(result.value.workflow, 'a task').ok).toBe(true);
    for (const role of Object.values(result.value.roles)) expect(role.systemMessage.length).toBeGreaterThan(100);
  },
);

test('[SM8] the analysts of parallel_analysis_shared speak at once in one context', async () => {
  const { workflows } = await loadShipped();
  const analysis = workflows.find((workflow) => workflow.name === 'parallel_analysis_shared');
  expect(analysis?.contexts).toHaveLength(1);
  expect(analysis?.states['analyse']).toMatchObject({ work: { kind: 'pool', slots: 3, join: { rule: 'all' } } });
});

test('[SM7] the product manager is smart, may not write, and answers with task_approval', async () => {
  const { product_manager: manager, reviewer } = mergeRoles((await loadShipped()).roles);
  expect(manager?.level).toBe('smart');
  expect(manager?.mode).toBe('read');
  // Its commands must not change what it reviews.
  expect(reviewer?.mode).toBe('commands');
  expect(manager?.parsingTools.map((tool) => [tool.name, tool.parameters['required']])).toEqual([
    ['task_approval', ['approved', 'feedback']],
  ]);
  expect(reviewer?.parsingTools[0]?.parameters).toMatchObject({
    properties: { improvement_needed: {}, continue_message: {}, work_summary: {} },
  });
});

test('[SM8] the assets are found from the sources and from a bundle beside them', () => {
  const assets = findAssets();
  cpSync(assets, join(folder, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'dist', 'chunks'), { recursive: true });
  expect(findAssets(join(folder, 'dist'))).toBe(join(folder, 'assets'));
  expect(findAssets(join(folder, 'dist', 'chunks'))).toBe(join(folder, 'assets'));
  expect(() => findAssets(join(tmpdir(), 'troupe-nothing-here'))).toThrow(
    expect.objectContaining({ code: 'ASSETS_MISSING' }),
  );
});

test('[L3] damaged assets are a fault with the problems', async () => {
  mkdirSync(join(folder, 'workflows'));
  writeFileSync(join(folder, 'workflows', 'bad.json'), '{"workflow_name": "bad"}');
  await expect(loadShipped(folder)).rejects.toMatchObject({
    code: 'ASSETS_DAMAGED',
    problems: [{ code: 'KEY_MISSING' }],
  });
});

test('[SM8] a new file in a folder is a new workflow, and a bad one does not hide the others', async () => {
  const good = 'workflow_name: mine\nstates:\n  - name: start\n    transition: [{target: stop}]\n';
  writeFileSync(join(folder, 'mine.yaml'), good);
  writeFileSync(join(folder, 'bad.json'), '{');
  writeFileSync(join(folder, 'code.ts'), 'throw new Error("a module in a folder must not run by itself")');
  writeFileSync(join(folder, 'notes.md'), 'not a workflow');
  const { workflows, problems } = await loadWorkflowFolder(folder);
  expect(workflows.map((workflow) => workflow.name)).toEqual(['mine']);
  expect(problems.map(({ code, file }) => [code, file])).toEqual([['SOURCE_SYNTAX', join(folder, 'bad.json')]]);
  expect(await loadWorkflowFolder(join(folder, 'none'))).toEqual({ workflows: [], problems: [] });
});

test('[L3] a folder of workflows or roles that cannot be read is reported, a link in it is followed', async () => {
  writeFileSync(join(folder, 'file'), '');
  const { problems } = await loadWorkflowFolder(join(folder, 'file'));
  expect(problems.map((problem) => problem.code)).toEqual(['SOURCE_UNREADABLE']);
  const unread = await loadRoles(join(folder, 'file'));
  expect(unread.ok ? [] : unread.problems.map((problem) => problem.code)).toEqual(['SOURCE_UNREADABLE']);
  mkdirSync(join(folder, 'there', 'tester'), { recursive: true });
  mkdirSync(join(folder, 'roles'));
  writeFileSync(join(folder, 'there', 'tester', 'ROLE.md'), 'Test.');
  symlinkSync(join(folder, 'there', 'tester'), join(folder, 'roles', 'tester'));
  expect(await loadRoles(join(folder, 'roles'))).toMatchObject({ value: { tester: { systemMessage: 'Test.' } } });
});

test('[PH3] compiled roles and types of agents are those of the files', async () => {
  writeFileSync(join(folder, COMPILED_AGENTS), await compileAgents());
  const [compiled, read] = [await shippedAgents(folder), await shippedAgents()];
  const prompts = ({ types }: ShippedAgents) =>
    Object.values(types).map((type) => AGENT_MODES.map((mode) => type.promptIn(mode)));
  expect(prompts(compiled)).toEqual(prompts(read));
  expect(JSON.stringify(compiled)).toEqual(JSON.stringify(read));
  expect(compiled.roles['coder']?.systemMessage).toContain('code');
});
