import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allTools } from './all-tools.ts';
import { defineTool } from './define-tool.ts';
import { testFolder } from './testing/test-folder.ts';
import { toolRefusal, toolsFor, withAdvice } from './tools-for.ts';

const names = (role: { included?: readonly string[] | null; excluded?: readonly string[] }) => {
  const chosen = toolsFor(
    { name: 'coder', includedTools: role.included ?? null, excludedTools: role.excluded ?? [] },
    allTools,
  );
  return { tools: chosen.tools.map((tool) => tool.spec.name), problems: chosen.problems };
};

test('[SM7] a role without lists has all tools', () => {
  expect(names({})).toEqual({ tools: [...READING, ...COMMANDS, ...WRITING], problems: [] });
});

const READING = [
  'read_file',
  'list_files',
  'glob',
  'grep',
  'git_status',
  'git_diff',
  'git_log',
  'search_knowledge',
  'web_fetch',
  'web_search',
  'todo_write',
  'task',
];
const COMMANDS = ['execute_terminal'];
const WRITING = ['write_file', 'edit_file', 'settle_conflict'];
const MODES = { read: READING, commands: [...READING, ...COMMANDS], write: [...READING, ...COMMANDS, ...WRITING] };
const plain = { name: 'planner', includedTools: null, excludedTools: [] };

test.each(['read', 'commands', 'write'] as const)('[PH3] the mode %s decides which tools there are', (mode) => {
  const { tools } = toolsFor({ ...plain, mode }, allTools);
  expect(tools.map((tool) => tool.spec.name)).toEqual(MODES[mode]);
});

test.each(['read', 'commands'] as const)(
  '[PH3] in the mode %s a tool that goes beyond it refuses by itself',
  async (mode) => {
    const folder = testFolder({ 'a.txt': 'one' });
    for (const tool of allTools.filter(({ spec }) => !MODES[mode].includes(spec.name))) {
      const result = await tool.run(
        { path: 'a.txt', content: 'two', old: 'one', new: 'two', command: 'rm a.txt' },
        { folder, signal: new AbortController().signal, mode },
      );
      expect(result).toMatchObject({ isError: true, refused: expect.stringMatching(/^MODE_/) });
    }
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one');
  },
);

test('[A3] a role that may start no sub-agents is not offered the tool for it', () => {
  const { tools } = toolsFor({ ...plain, tasks: [] }, allTools);
  expect(tools.map((tool) => tool.spec.name)).not.toContain('task');
});

test('[A3] limits of arguments are not sent with every request, and still hold', async () => {
  const grep = allTools.find(({ spec }) => spec.name === 'grep');
  expect(JSON.stringify(allTools.map(({ spec }) => spec))).not.toMatch(/"(?:min|max)\w*":\d/);
  const context = { folder: testFolder({}), signal: new AbortController().signal };
  expect(await grep?.run({ pattern: 'x'.repeat(1001) }, context)).toMatchObject({ isError: true });
});

test('[PH3] an own tool that does not say what it touches is taken for one that writes', () => {
  const own = defineTool({
    name: 'own',
    description: '?',
    parameters: { type: 'object' },
    repeat: 'safe',
    run: () => 'done',
  });
  expect(toolsFor({ ...plain, mode: 'commands' }, [own]).tools).toEqual([]);
});

test.each([
  [{ mode: 'read' }, 'write_file', 'MODE_READ_ONLY', 'write_file changes files, and your role may only read.'],
  [{ mode: 'read' }, 'execute_terminal', 'MODE_READ_ONLY', 'execute_terminal starts programs'],
  [{ mode: 'commands' }, 'edit_file', 'MODE_NO_WRITES', 'may read and run commands only'],
  [
    { excludedTools: ['grep'] },
    'grep',
    'TOOL_EXCLUDED',
    'grep was taken away from your role. Your tools are read_file',
  ],
  [{ includedTools: ['grep'] }, 'glob', 'TOOL_NOT_INCLUDED', 'Your tools are grep.'],
  [{ includedTools: [] }, 'glob', 'TOOL_NOT_INCLUDED', 'You have no tools.'],
  [{}, 'Bash', 'TOOL_UNKNOWN', 'There is no tool "Bash". Did you mean execute_terminal?'],
  [{ mode: 'read' }, 'Bash', 'TOOL_UNKNOWN', 'Your tools are read_file'],
  [{}, 'deploy', 'TOOL_UNKNOWN', 'There is no tool "deploy". Your tools are'],
] as const)('[PH3] with %o, asking for %s is refused as %s', (change, name, code, words) => {
  const role = { ...plain, ...change };
  const refusal = toolRefusal(role, allTools, name);
  const offered = toolsFor(role, allTools).tools.map(({ spec }) => spec.name);
  expect(refusal?.code).toBe(code);
  expect(refusal && withAdvice(refusal, name, offered).reason).toContain(words);
});

test('[PH3] there is a refusal exactly for the tools a role has not', () => {
  for (const mode of ['read', 'commands', 'write'] as const) {
    const role = { ...plain, mode, excludedTools: ['grep'] };
    const has = new Set(toolsFor(role, allTools).tools);
    for (const tool of allTools) expect(toolRefusal(role, allTools, tool.spec.name) === null).toBe(has.has(tool));
  }
});

test('[SM7] excludedTools takes away, includedTools narrows, and excluding wins', () => {
  expect(names({ excluded: ['write_file', 'edit_file', 'execute_terminal'] }).tools).toEqual(READING);
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
  expect(unsafe).toEqual(['execute_terminal', 'edit_file']);
});

test('[PH3] only a role that may change files may settle conflicts, whatever else it lists', () => {
  const settles = (includedTools: readonly string[]) =>
    toolsFor({ ...plain, includedTools }, allTools).tools.some(({ spec }) => spec.name === 'settle_conflict');
  expect(settles(['read_file', 'edit_file'])).toBe(true);
  expect(settles(['read_file', 'todo_write'])).toBe(false);
  expect(toolRefusal({ ...plain, includedTools: ['read_file'] }, allTools, 'settle_conflict')).toMatchObject({
    code: 'TOOL_NOT_INCLUDED',
  });
});
