import { expect, test } from 'vitest';
import { allTools } from '../../tools/all-tools.ts';
import { readDocument } from '../read-document.ts';
import { mergeRoles, SHIPPED_TOOLS, WRITING_TOOLS } from './placed-role.ts';
import { parseRoleMarkdown, parseRoles } from './parse-roles.ts';

const parse = (text: string, file = 'roles.json') => {
  const source = readDocument(text, { file });
  if (!source.ok) throw new Error(JSON.stringify(source.problems));
  return parseRoles(source.value.document, { file, locate: source.value.locate });
};

const problemsIn = (text: string) => {
  const result = parse(text, 'roles.yaml');
  const problems = result.ok ? result.warnings : result.problems;
  return problems.map(({ code, severity, at, path, hint }) => ({
    what: `${severity} ${code} ${at?.line} ${path}`,
    hint,
  }));
};

test('[PH3] a role says what its tools may do, in JSON, in YAML and above a text', () => {
  const role = { mode: 'commands', network: true, ask: ['web_fetch'] };
  const json = parse(JSON.stringify({ tester: role }));
  const yaml = parse('tester: {mode: commands, network: true, ask: [web_fetch]}', 'roles.yaml');
  const markdown = parseRoleMarkdown('tester', '---\nmode: commands\nnetwork: true\nask: [web_fetch]\n---\nTest it.', {
    file: 'tester.md',
  });
  expect(json).toMatchObject({ ok: true, value: { tester: role }, warnings: [] });
  expect(yaml).toMatchObject({ ok: true, value: { tester: role }, warnings: [] });
  expect(markdown).toMatchObject({ ok: true, value: { ...role, systemMessage: 'Test it.' }, warnings: [] });
});

test('[PH3] a later layer changes the mode and keeps the rest; a role that says nothing has none of the keys', () => {
  const roles = mergeRoles({ coder: { mode: 'read', ask: ['grep'] }, other: {} }, { coder: { mode: 'write' } });
  expect(roles['coder']).toMatchObject({ mode: 'write', ask: ['grep'] });
  for (const key of ['mode', 'network', 'ask']) expect(roles['other']).not.toHaveProperty(key);
});

test.for([
  ['an unknown mode', 'a:\n  mode: reed', 'error VALUE_INVALID 2 a.mode'],
  ['a network that is no yes or no', 'a:\n  network: local', 'error VALUE_INVALID 2 a.network'],
  ['one tool where a list belongs', 'a:\n  ask: grep', 'error VALUE_INVALID 2 a.ask'],
  ['a tool that no provider would take', 'a:\n  ask:\n    - grep\n    - two words', 'error VALUE_INVALID 4 a.ask[1]'],
  ['a key misspelt', 'a:\n  netwrok: true', 'error KEY_UNKNOWN 2 a.netwrok'],
] as const)('[L3] reported with its line: %s', ([, text, what]) => {
  expect(problemsIn(text).map((problem) => problem.what)).toEqual([what]);
});

test('[PH3] an unknown tool in `ask` is reported with the one that was meant', () => {
  expect(problemsIn('a:\n  ask:\n    - web_fetch\n    - execute_terminl')).toEqual([
    {
      what: 'warning TOOL_UNKNOWN 4 a.ask[1]',
      hint: 'Did you mean "execute_terminal"? Your own tool by that name will be asked for.',
    },
  ]);
});

test('[A9] a tool of an MCP server is known once its server has started, so its name is no mistake', () => {
  expect(problemsIn('a:\n  ask: [mcp__docs__search]\n  includedTools: [mcp__docs__search]')).toEqual([]);
  for (const list of ['includedTools', 'excludedTools', 'ask']) {
    expect(problemsIn(`a:\n  ${list}: ["mcp__docs__*"]`)).toEqual([]);
    for (const wrong of ['read_*', 'mcp__*', '*', 'mcp__docs__read_*', 'mcp__Docs__*']) {
      expect(problemsIn(`a:\n  ${list}: ["${wrong}"]`)).toMatchObject([{ what: `error VALUE_INVALID 2 a.${list}[0]` }]);
    }
  }
});

test('[A9] a structured reply that is named like a tool of an MCP server is refused', () => {
  expect(problemsIn('a:\n  parsingTools:\n    - function: { name: mcp__docs__search }')).toEqual([
    { what: 'error TOOL_RESERVED 3 a.parsingTools[0].function.name', hint: 'Call it "docs__search".' },
  ]);
});

test('[PH3] the names a role is checked against are those of the tools that come along', () => {
  // `task` needs a host to start a sub-agent, so it is no tool on its own.
  const names = [...allTools.map(({ spec }) => spec.name), 'task'];
  expect([...SHIPPED_TOOLS].sort()).toEqual([...new Set(names)].sort());
  for (const tool of WRITING_TOOLS) expect(SHIPPED_TOOLS).toContain(tool);
});
