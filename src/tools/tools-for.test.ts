import { expect, test } from 'vitest';
import { allTools } from './all-tools.ts';
import { toolsFor } from './tools-for.ts';

const names = (role: { included?: readonly string[] | null; excluded?: readonly string[] }) => {
  const chosen = toolsFor(
    { name: 'coder', includedTools: role.included ?? null, excludedTools: role.excluded ?? [] },
    allTools,
  );
  return { tools: chosen.tools.map((tool) => tool.spec.name), problems: chosen.problems };
};

test('[SM7] a role without lists has all seven tools', () => {
  expect(names({})).toEqual({
    tools: ['read_file', 'write_file', 'edit_file', 'list_files', 'glob', 'grep', 'execute_terminal'],
    problems: [],
  });
});

test('[SM7] excludedTools takes away, includedTools narrows, and excluding wins', () => {
  expect(names({ excluded: ['write_file', 'edit_file', 'execute_terminal'] }).tools).toEqual([
    'read_file',
    'list_files',
    'glob',
    'grep',
  ]);
  expect(names({ included: ['grep', 'glob'], excluded: ['glob'] }).tools).toEqual(['grep']);
  expect(names({ included: [] }).tools).toEqual([]);
});

test('[L3] a name that is no tool is a problem, not a silent nothing', () => {
  const { problems } = names({ excluded: ['glob', 'writefile'], included: ['glob', 'grepp'] });
  expect(problems).toMatchObject([
    { code: 'TOOL_UNKNOWN', severity: 'error', path: 'includedTools[1]', message: expect.stringContaining('"grepp"') },
    {
      code: 'TOOL_UNKNOWN',
      severity: 'error',
      path: 'excludedTools[1]',
      message: expect.stringContaining('"writefile"'),
    },
  ]);
});

test('[L6] tools that change something by more than their end are not repeated after a crash', () => {
  const unsafe = allTools.filter((tool) => tool.repeat === 'unsafe').map((tool) => tool.spec.name);
  expect(unsafe).toEqual(['edit_file', 'execute_terminal']);
});
