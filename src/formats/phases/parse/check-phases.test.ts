import { describe, expect, test } from 'vitest';
import { draftOf, problemsOf, valueOrFault } from '../../../source/checked.ts';
import { checkCalls } from '../../../core/check/call-graph.ts';
import { readDocument } from '../../../source/read-document.ts';
import { parsePhases } from './parse-phases.ts';

function parse(text: string) {
  const { document, locate } = valueOrFault(readDocument(text, { file: 'w.yml' }), 'INTERNAL');
  return parsePhases(document, { file: 'w.yml', locate });
}

const problems = (text: string) =>
  problemsOf(parse(text)).map(({ code, at, severity }) => `${severity} ${code} ${at?.line}:${at?.column}`);

const words = (text: string) => problemsOf(parse(text)).map(({ message, hint }) => `${message} ${hint ?? ''}`);

const one = (output: string): string =>
  `name: x\nphases:\n  - id: a\n    agent_type: fix\n    output: { o: ${output} }\n`;

describe('[L3] shape and names are reported in one pass', () => {
  const BAD = `name: x
phases:
  - id: plan
    agent_type: planning
    timeout: 0
    output: { tasks: tasks.json }
  - id: build
    depends_on: [plam]
    input: { a: '\${plan.output.tasks}', b: '\${nobody}' }
  - not a phase
  - id: look
    agent_type: research
    mode: reserch
    depends_on: [build, plan]
    input: { a: '\${plan.output.tusks}', b: '\${build.output.made}' }
  - id: last
    agent_type: fix
    depend_on: [plan]
    input: { a: '\${plan.output.tasks}' }
`;

  test('each where it stands, and none twice', () => {
    expect(problems(BAD)).toEqual([
      'error VALUE_INVALID 5:14',
      'error KEY_MISSING 7:5',
      'error PHASE_UNKNOWN 8:18',
      'error TEMPLATE_INVALID 9:44',
      'error VALUE_INVALID 10:5',
      'error VALUE_INVALID 13:11',
      'error OUTPUT_UNKNOWN 15:17',
      'error OUTPUT_UNKNOWN 15:44',
      'error KEY_UNKNOWN 18:5',
    ]);
  });

  test('loops that wait for each other are reported once, and not also as workflows that call each other', () => {
    const loop = (id: string, on: string) =>
      `  - { id: ${id}, agent_type: fix, depends_on: [${on}], condition: '1 > 0', max_iterations: 2 }\n`;
    const text = `name: x\nphases:\n${loop('a', 'b')}${loop('b', 'a')}`;
    const drafts = draftOf(parse(text)) ?? [];
    const library = new Map(drafts.map((one) => [one.name, one]));
    expect(problems(text)).toEqual(['error PHASE_CYCLE 3:43']);
    expect(drafts.flatMap((one) => checkCalls(one, library))).toEqual([]);
  });

  test('the readable part is still checked for roles', () => {
    const roles = (draftOf(parse(BAD)) ?? []).flatMap(({ agents }) => agents.map(({ role }) => role));
    expect(roles).toEqual(['planning', 'execution', 'execution', 'research', 'fix']);
  });

  test.each([
    [
      'side by side',
      'orchestration: { type: paralel, parallel_agents: [{ id: a, agent_type: fix, depends_on: [q] }] }',
    ],
    [
      'an aggregation',
      'orchestration: { type: parallel, parallel_agents: [{ id: a, agent_type: fix, depends_on: [q], timeout: 0 }], aggregation_phase: { agent_type: fix, input: "${a.output.x}" } }',
    ],
    ['simple', 'workflow: simple\nagent: fix\ninput: { x: "${nobody}" }'],
    ['one agent', 'agent: { type: fix, timeout: 0, input: "${nobody}" }'],
  ])('in every form: %s', (_form, text) => {
    const codes = problemsOf(parse(`name: x\n${text}\n`)).map(({ code }) => code);
    expect(codes).toContain('VALUE_INVALID');
    expect(codes.some((code) => /PHASE_UNKNOWN|TEMPLATE_INVALID/.test(code))).toBe(true);
  });
});

describe('[PH4] outputs that could never be', () => {
  test.each([
    ['.git/config', 'OUTPUT_OUTSIDE'],
    ['a/.TROUPE/x.md', 'OUTPUT_OUTSIDE'],
    ['[src/.git/*]', 'OUTPUT_OUTSIDE'],
    ['""', 'OUTPUT_INVALID'],
    ['3', 'OUTPUT_INVALID'],
    ['null', 'OUTPUT_INVALID'],
    ['true', 'OUTPUT_INVALID'],
    ['[a/*, ""]', 'OUTPUT_INVALID'],
  ])('%s', (output, code) => {
    expect(problemsOf(parse(one(output)))).toMatchObject([{ code, severity: 'error', at: { line: 5 } }]);
  });

  test.each(['.gitignore', 'src/.github/x.yml', '[]', 'a sentence of words', '[{ id: 1 }]'])('%s is fine', (output) => {
    expect(problems(one(output))).toEqual([]);
  });

  const beside = (a: string, b: string): string =>
    `name: x\nphases:\n  - { id: a, agent_type: fix, output: { o: r.md }${a} }\n  - { id: b, agent_type: fix, output: { p: ./r.md }${b} }\n`;

  test('two phases at once may not make the same file', () => {
    expect(problems(beside('', ''))).toEqual(['error OUTPUT_DUPLICATE 4:44']);
    expect(words(beside('', ''))[0]).toContain('or let "b" depend on "a"');
    expect(problems(beside('', ', depends_on: [a]'))).toEqual([]);
    expect(problems(beside(', condition: "1 > 0"', ', condition: "1 < 0"'))).toEqual(['warning OUTPUT_DUPLICATE 4:44']);
  });
});

describe('[PH2] what looks like another key, name or file', () => {
  const simple = (input: string): string => `name: x\nworkflow: simple_execution\nagent: execution\ninput: ${input}\n`;

  test.each([
    ['{ files: a.py }', 'Did you mean "file"?'],
    ['{ path: a.py }', 'Did you mean "file"?'],
    ['{ file: a.py, functon: f }', 'Did you mean "function"?'],
  ])('%s', (input, hint) => {
    expect(problemsOf(parse(simple(input)))).toMatchObject([{ code: 'KEY_LIKELY', severity: 'warning', hint }]);
  });

  test('other keys are words of the request', () => {
    expect(problems(simple('{ file: a.py, function: f, action: add, path: b }'))).toEqual([]);
  });

  const reads = (output: string, template: string): string =>
    `name: x\nphases:\n  - { id: a, agent_type: fix, output: { o: ${output} } }\n  - { id: b, agent_type: fix, depends_on: [a], input: { i: '\${${template}}' } }\n`;

  test.each([
    ['plan.md', 'a.output.o.title', ['error OUTPUT_NOT_JSON 4:60']],
    ['plan.md', 'a.output.o?.title', ['warning OUTPUT_NOT_JSON 4:60']],
    ['[]', 'a.output.o.title', ['error OUTPUT_NOT_JSON 4:60']],
    ['[]', 'a.output.o[0]', []],
    ['[]', 'a.output.o.length', []],
    ['plan.md', 'a.output.o.toUpperCase()', []],
    ['plan.json', 'a.output.o.title', []],
    ['{ failed: 1 }', 'a.output.o.failed', []],
    ["'x.${feature_name}'", 'a.output.o.title', []],
  ])('%s read as %s', (output, template, expected) => {
    expect(problems(reads(output, template))).toEqual(expected);
  });

  test('a phase that is called like an input of every run', () => {
    expect(problems('name: x\nphases:\n  - id: feature_name\n    agent_type: fix\n')).toEqual(['error NAME_TAKEN 3:9']);
  });

  test('[L3] a phase that reads itself, or one that comes later', () => {
    const file = `name: x
phases:
  - { id: a, agent_type: fix, output: { o: o.md }, input: { i: '\${a.output.o}', j: '\${b.output.o}' } }
  - { id: b, agent_type: fix, depends_on: [a], output: { o: p.md } }
`;
    const [self, later] = words(file);
    expect(self).toContain('is the phase itself. A phase has no outputs before it has run');
    expect(later).toContain('"b" comes after "a"');
    expect(later).not.toContain('Add "b"');
  });

  test('[L3] a mode in small letters, and no phases at all', () => {
    expect(words('name: x\nphases: [{ id: a, agent_type: fix, mode: execution }]\n')[0]).toContain(
      'Did you mean "EXECUTION"?',
    );
    expect(words('name: x\nphases: []\n')[0]).toContain('it is an empty list');
  });
});

test('[L3] the type of an agent, its actor and its fallbacks are reported with their lines', () => {
  const file = `name: x
phases:
  - id: a
    agent_type: fix
    actor: codex
    fallback:
      - execution
`;
  const agents = draftOf(parse(file))?.flatMap((workflow) => workflow.agents);
  expect(agents).toMatchObject([{ at: { line: 4, column: 17 }, actorAt: { line: 5 } }, { at: { line: 7 } }]);
});
