import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readDocument } from '../read-document.ts';
import { loadRoles } from './load-roles.ts';
import { mergeRoles } from './placed-role.ts';
import { parseRoleMarkdown, parseRoles } from './parse-roles.ts';

const parse = (text: string) => {
  const source = readDocument(text, { file: 'roles.json' });
  if (!source.ok) throw new Error(JSON.stringify(source.problems));
  return parseRoles(source.value.document, { file: 'roles.json', locate: source.value.locate });
};

const problemsIn = (text: string) => {
  const result = parse(text);
  return result.ok ? [] : result.problems.map(({ code, at, path }) => `${code} ${at?.line} ${path}`);
};

const REVIEW_TOOL = {
  type: 'function',
  function: {
    name: 'review_work',
    description: 'Say whether the work is done',
    parameters: {
      type: 'object',
      properties: { improvement_needed: { type: 'boolean' } },
      required: ['improvement_needed'],
    },
  },
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-roles-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

test('[SM7] a role has a level, a system message, examples, excluded tools and parsing tools', () => {
  const result = parse(
    JSON.stringify({
      $schema: './roles.schema.json',
      reviewer: {
        level: 'fast',
        systemMessage: 'Review.',
        examples: [
          { role: 'user', content: 'Look' },
          { role: 'assistant', content: 'Looked' },
        ],
        excludedTools: ['write_file'],
        includedTools: ['read_file'],
        parsingTools: [REVIEW_TOOL],
      },
    }),
  );
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  expect(mergeRoles(result.value)).toEqual({
    reviewer: {
      name: 'reviewer',
      level: 'fast',
      systemMessage: 'Review.',
      examples: [
        { author: 'workflow', role: 'user', content: 'Look' },
        { author: 'reviewer', role: 'assistant', content: 'Looked' },
      ],
      excludedTools: ['write_file'],
      includedTools: ['read_file'],
      parsingTools: [
        {
          name: 'review_work',
          description: 'Say whether the work is done',
          parameters: REVIEW_TOOL.function.parameters,
        },
      ],
    },
  });
});

test('[SM7] a role that says nothing is a base model with every tool', () => {
  const result = parse('{"helper": {}}');
  expect(result.ok && mergeRoles(result.value)['helper']).toEqual({
    name: 'helper',
    level: 'base',
    systemMessage: '',
    examples: [],
    excludedTools: [],
    includedTools: null,
    parsingTools: [],
  });
});

test("[SM7] a user's entry goes over the shipped role key by key", () => {
  const shipped = { coder: { level: 'smart', systemMessage: 'Code.', excludedTools: ['a'] }, other: { level: 'fast' } };
  const roles = mergeRoles(shipped, { coder: { level: 'base', excludedTools: [] }, mine: { systemMessage: 'Mine.' } });
  expect(roles['coder']).toMatchObject({ level: 'base', systemMessage: 'Code.', excludedTools: [] });
  expect(roles['other']?.level).toBe('fast');
  expect(roles['mine']?.systemMessage).toBe('Mine.');
});

test.for([
  ['an unknown key', '{\n"a": {\n"systemMesage": "x"}}', ['KEY_UNKNOWN 3 a.systemMesage']],
  ['a level that is no text', '{"a": {\n"level": 3}}', ['VALUE_INVALID 2 a.level']],
  [
    'a tool name that no provider takes',
    '{"a": {"excludedTools": [\n"write file"]}}',
    ['VALUE_INVALID 2 a.excludedTools[0]'],
  ],
  ['a role that is a text', '{"a":\n"x"}', ['VALUE_INVALID 2 a']],
  ['a list of roles', '[]', ['VALUE_INVALID 1 ']],
  [
    'an example by the system',
    '{"a": {"examples": [{"content": "x",\n"role": "system"}]}}',
    ['VALUE_INVALID 2 a.examples[0].role'],
  ],
  [
    'arguments that are no object',
    '{"a": {"parsingTools": [{"function": {"name": "x",\n"parameters": {"type": "string"}}}]}}',
    ['VALUE_INVALID 2 a.parsingTools[0].function.parameters'],
  ],
  [
    'a parsing tool given twice',
    '{"a": {"parsingTools": [{"function": {"name": "x"}},\n{"function": {"name": "x"}}]}}',
    ['TOOL_DUPLICATE 2 a.parsingTools[1].function.name'],
  ],
] as const)('[L3] %s in a role is reported with its line', ([, text, expected]) => {
  expect(problemsIn(text)).toEqual(expected);
});

test('[SM7] a Markdown file is the system message, with settings between dashes at its top', () => {
  const options = { file: 'coder.md' };
  expect(parseRoleMarkdown('coder', 'Write code.\n', options)).toMatchObject({
    ok: true,
    value: { systemMessage: 'Write code.' },
  });
  const settled = parseRoleMarkdown(
    'coder',
    '---\nlevel: smart\nexcludedTools: [write_file]\n---\n\nWrite.\n',
    options,
  );
  expect(settled).toMatchObject({
    ok: true,
    value: { level: 'smart', excludedTools: ['write_file'], systemMessage: 'Write.' },
  });
  const wrong = parseRoleMarkdown('coder', '---\nlevel: smart\nlevle: x\n---\nWrite.', options);
  expect(wrong.ok ? [] : wrong.problems).toMatchObject([{ code: 'KEY_UNKNOWN', at: { line: 3 }, file: 'coder.md' }]);
  const twice = parseRoleMarkdown('coder', '---\nsystemMessage: a\n---\nb', options);
  expect(twice.ok ? [] : twice.problems).toMatchObject([{ code: 'ROLE_DUPLICATE' }]);
});

test('[ST4] a folder of roles holds files with several, files with one, and folders', async () => {
  write('roles.json', '{"one": {"level": "fast"}, "two": {}}');
  write('three.yaml', 'systemMessage: Third.\n');
  write('four.md', 'Fourth.');
  write('five/CLAUDE.md', 'Fifth.');
  write('five/role.yaml', 'level: smart');
  write('six/AGENTS.md', 'Sixth.');
  write('seven/ROLE.md', 'Seventh.');
  write('empty/notes.txt', 'nothing');
  write('README.md', 'About these roles.');
  write('picture.png', 'x');
  const result = await loadRoles(folder);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  expect(result.value).toEqual({
    one: { level: 'fast' },
    two: {},
    three: { systemMessage: 'Third.' },
    four: { systemMessage: 'Fourth.' },
    five: { systemMessage: 'Fifth.', level: 'smart' },
    six: { systemMessage: 'Sixth.' },
    seven: { systemMessage: 'Seventh.' },
  });
});

test('[L3] a role defined in two places and a broken file are reported together', async () => {
  write('roles.yaml', 'coder: {}\nreviewer: {}');
  write('coder.md', 'Again.');
  write('broken.json', '{"level"');
  const result = await loadRoles(folder);
  expect(result.ok ? [] : result.problems.map((problem) => problem.code)).toEqual(['SOURCE_SYNTAX', 'ROLE_DUPLICATE']);
  expect(await loadRoles(join(folder, 'none'))).toMatchObject({ ok: true, value: {} });
});
