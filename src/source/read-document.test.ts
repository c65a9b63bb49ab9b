import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../core/model/json.ts';
import { readDocument } from './read-document.ts';

const read = (text: string, file: string) => {
  const result = readDocument(text, { file });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
};

const problemOf = (text: string, file: string) => {
  const result = readDocument(text, { file });
  if (result.ok) throw new Error(`accepted: ${JSON.stringify(result.value.document)}`);
  expect(result.problems).toHaveLength(1);
  const [problem] = result.problems;
  return { code: problem?.code, line: problem?.at?.line, column: problem?.at?.column, file: problem?.file };
};

test('[SM1] JSON and YAML with the same content are read as the same document', () => {
  const json = '{"a": [1, true, null, "x"], "b": {"c": -1.5}}';
  const yaml = 'a:\n  - 1\n  - true\n  - null\n  - x\nb: {c: -1.5}\n';
  expect(read(yaml, 'w.yaml').document).toEqual(read(json, 'w.json').document);
});

test('[SM1] YAML words that other versions read as booleans or times are text', () => {
  const { document } = read('[no, on, yes, 1:30, 2024-01-02, 0o17, ~, "1"]', 'w.yml');
  expect(document).toEqual(['no', 'on', 'yes', '1:30', '2024-01-02', 15, null, '1']);
});

test('[SM1] a file whose ending says nothing is JSON when it starts like JSON, else YAML', () => {
  expect(read('  {"a": 1}', 'stdin').document).toEqual({ a: 1 });
  expect(read('a: 1', 'stdin').document).toEqual({ a: 1 });
  expect(read('{a: 1}', 'flow.yaml').document).toEqual({ a: 1 });
  expect(problemOf('{a: 1}', 'w.json')).toMatchObject({ code: 'SOURCE_SYNTAX', line: 1, column: 2 });
});

test('[SM1] a byte order mark and Windows line ends change nothing', () => {
  const text = '\uFEFF{\r\n  "a": [\r\n    "b"\r\n  ]\r\n}\r\n';
  const source = read(text, 'w.json');
  expect(source.document).toEqual({ a: ['b'] });
  expect(source.locate(['a', 0])).toEqual({ line: 3, column: 5 });
  expect(read('\uFEFFa:\r\n  - b\r\n', 'w.yaml').locate(['a', 0])).toEqual({ line: 2, column: 5 });
});

test('[L3] values and keys are found in JSON by path, missing ones at the nearest place', () => {
  const { locate } = read('{\n  "a": {\n    "b": [10,\n      {"c": 1}]\n  }\n}', 'w.json');
  expect(locate([])).toEqual({ line: 1, column: 1 });
  expect(locate(['a', 'b', 0])).toEqual({ line: 3, column: 11 });
  expect(locate(['a', 'b', 1, 'c'])).toEqual({ line: 4, column: 13 });
  expect(locate(['a', 'b', 1, 'c'], 'key')).toEqual({ line: 4, column: 8 });
  expect(locate(['a', 'b', 1, 'nothing', 'here'])).toEqual({ line: 4, column: 7 });
});

test('[L3] values and keys are found in YAML by path, also behind an alias, quotes and a block', () => {
  const { locate, document } = read(
    ['one: &x', '  k: v', 'two: *x', "three: 'q'", 'four: |', '  text', '  more', '"f i": 1'].join('\n'),
    'w.yaml',
  );
  expect(document).toEqual({ one: { k: 'v' }, two: { k: 'v' }, three: 'q', four: 'text\nmore\n', 'f i': 1 });
  expect(locate(['one', 'k'])).toEqual({ line: 2, column: 6 });
  expect(locate(['two', 'k'], 'key')).toEqual({ line: 2, column: 3 });
  expect(locate(['three'])).toEqual({ line: 4, column: 8 });
  expect(locate(['four'], 'key')).toEqual({ line: 5, column: 1 });
  expect(locate(['f i'])).toEqual({ line: 8, column: 8 });
});

test.for([
  ['{"a":1,}', 1, 8],
  ['{"a":', 1, 6],
  ['{\n"a" 1}', 2, 5],
  ['[1 2]', 1, 4],
  ['[01]', 1, 3],
  ["{'a':1}", 1, 2],
  ['["a\nb"]', 1, 4],
  ['["\\x"]', 1, 3],
  ['["open', 1, 2],
  ['[tru]', 1, 2],
  ['{} {}', 1, 4],
  ['// note\n{}', 1, 1],
] as const)('[L3] broken JSON is refused at its place: %j', ([text, line, column]) => {
  expect(problemOf(text, 'w.json')).toEqual({ code: 'SOURCE_SYNTAX', line, column, file: 'w.json' });
});

test.for([
  ['three kilobytes of nested lists', '- '.repeat(1500), 'w.yaml', 'SOURCE_TOO_DEEP'],
  ['brackets without end in YAML', '['.repeat(100_000), 'w.yaml', 'SOURCE_TOO_DEEP'],
  ['brackets without end in JSON', '['.repeat(100_000), 'w.json', 'SOURCE_TOO_DEEP'],
  ['objects within objects in JSON', '{"a":'.repeat(600), 'w.json', 'SOURCE_TOO_DEEP'],
  ['aliases that multiply', laughs(9), 'w.yaml', 'SOURCE_TOO_MANY_NODES'],
  ['more aliases than a person writes', `a: &a x\nb: [${'*a, '.repeat(101)}]`, 'w.yaml', 'SOURCE_ALIASES'],
  ['a value inside itself', 'a: &a {self: *a}', 'w.yaml', 'SOURCE_CYCLE'],
  ['two values inside each other', 'a: &a\n  b: &b\n    c: *a\n    d: *b', 'w.yaml', 'SOURCE_CYCLE'],
  ['a list of 200,000 items', '- 1\n'.repeat(200_000), 'w.yaml', 'SOURCE_TOO_MANY_NODES'],
  ['a list of 200,000 items in JSON', `[${'1,'.repeat(200_000)}1]`, 'w.json', 'SOURCE_TOO_MANY_NODES'],
  ['ten megabytes', 'x'.repeat(10_000_000), 'w.yaml', 'SOURCE_TOO_LARGE'],
  ['a megabyte of two-byte characters', `["${'é'.repeat(600_000)}"]`, 'w.json', 'SOURCE_TOO_LARGE'],
] as const)('[L3] a bomb is refused quickly: %s', ([, text, file, code]) => {
  const before = process.cpuUsage();
  expect(problemOf(text, file).code).toBe(code);
  // Processor time: wall time depends on what else the machine does.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2000);
});

function laughs(levels: number): string {
  const names = 'abcdefghij';
  const lines = [`a: &a [${Array(9).fill('x').join(', ')}]`];
  for (let level = 1; level < levels; level += 1) {
    lines.push(
      `${names[level]}: &${names[level]} [${Array(9)
        .fill(`*${names[level - 1]}`)
        .join(', ')}]`,
    );
  }
  return lines.join('\n');
}

test.for([
  ['{"a": {\n  "__proto__": {"polluted": 1}}}', 'w.json', 2],
  ['{"a": 1,\n "constructor": {"prototype": {"polluted": 1}}}', 'w.json', 2],
  ['a:\n  - prototype: 1', 'w.yaml', 2],
  ['a:\n  __proto__:\n    polluted: 1', 'w.yaml', 2],
] as const)('[L3] a key that reaches a prototype is refused: %j', ([text, file, line]) => {
  expect(problemOf(text, file)).toMatchObject({ code: 'SOURCE_FORBIDDEN_KEY', line });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test.for([
  ['a key given twice in JSON', '{\n"a": 1,\n"a": 2}', 'w.json', 'SOURCE_DUPLICATE_KEY', 3],
  ['a key given twice in YAML', 'a: 1\nb: 2\na: 3', 'w.yaml', 'SOURCE_DUPLICATE_KEY', 3],
  ['two documents', 'a: 1\n---\nb: 2', 'w.yaml', 'SOURCE_DOCUMENTS', 3],
  ['a function tag', 'a: 1\nb: !!js/function "() => 1"', 'w.yaml', 'SOURCE_SYNTAX', 2],
  ['an unknown tag', 'a: !wild x', 'w.yaml', 'SOURCE_SYNTAX', 1],
  ['a tab as indentation', 'a:\n\t- b', 'w.yaml', 'SOURCE_SYNTAX', 2],
  ['a list as a key', '? [a]\n: b', 'w.yaml', 'SOURCE_SYNTAX', 1],
  ['a NUL character', 'a: 1\nb: \0', 'w.yaml', 'SOURCE_NOT_TEXT', 2],
  ['UTF-16 read as UTF-8', Buffer.from('{"a": 1}', 'utf16le').toString('utf8'), 'w.json', 'SOURCE_NOT_TEXT', 1],
  ['nothing', ' \n ', 'w.json', 'SOURCE_EMPTY', 1],
  ['only a comment', '# later', 'w.yaml', 'SOURCE_EMPTY', 1],
  ['not a number', 'a: 1\nb: .nan', 'w.yaml', 'SOURCE_VALUE', 2],
  ['a number too large', '[\n1e999]', 'w.json', 'SOURCE_VALUE', 2],
  ['half a surrogate pair', '[\n"\\ud800"]', 'w.json', 'SOURCE_VALUE', 2],
] as const)('[L3] %s is refused with its line', ([, text, file, code, line]) => {
  expect(problemOf(text, file)).toMatchObject({ code, line });
});

test('[SM1] every JSON value that fits the limits reads back as itself, like the parser of the language', () => {
  const text = fc
    .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2))
    .map(([value, indent]) => JSON.stringify(value, null, indent))
    .filter((one) => !/__proto__|constructor|prototype|\\ud/i.test(one));
  fc.assert(
    fc.property(text, (one) => {
      expect(read(one, 'w.json').document).toEqual(JSON.parse(one) as Json);
    }),
  );
});

test('[L3] any text is either read or refused with a place, never a crash', () => {
  const scrap = fc.string({
    unit: fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '-', ' ', '\n', 'a', '1', '&a', '*a', '|', '\\'),
  });
  fc.assert(
    fc.property(scrap, fc.constantFrom('w.json', 'w.yaml', 'w'), (text, file) => {
      const result = readDocument(text, { file });
      expect(result.ok || result.problems.every((problem) => problem.at !== undefined)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
