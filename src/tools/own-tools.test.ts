import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isFault } from '../core/model/fault.ts';
import { chooseSandbox } from '../sandbox/find-sandbox.ts';
import type { Sandbox } from '../sandbox/port.ts';
import { allTools } from './all-tools.ts';
import { loadOwnTools, type OwnToolsOptions } from './own-tools.ts';
import { call, testFolder } from './testing/test-folder.ts';
import { testSandbox, testToolBox } from './testing/test-sandbox.ts';

const box = testToolBox(testSandbox());
const weaker = { landlock: testSandbox('landlock'), none: testSandbox('none') };
const load = (folder: string, options: Partial<OwnToolsOptions> = {}) =>
  loadOwnTools(folder, { box, isTrusted: () => Promise.resolve(true), ...options });

const shout = `export const tool = {
  name: 'shout', description: 'Says it louder', repeat: 'safe',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }) => text.toUpperCase(),
};`;

const faultOf = async (action: Promise<unknown>) => {
  const error: unknown = await action.then(
    () => 'no fault',
    (reason: unknown) => reason,
  );
  return isFault(error) ? { code: error.code, message: error.message } : { code: 'none', message: String(error) };
};

test('[SM7] a file in the folder is a tool, checked like the built-in ones', async () => {
  const folder = testFolder({
    'shout.mjs': shout,
    'notes.md': 'no tool',
    '_part.mjs': 'throw new Error("never imported")',
  });
  const [tool, ...rest] = await load(folder, { taken: allTools });
  expect(rest).toEqual([]);
  if (tool === undefined) throw new Error('no tool was found');
  expect(tool.spec.name).toBe('shout');
  expect(await call(tool, { text: 'hey' }, { folder })).toEqual({ content: 'HEY', isError: false });
  expect(await call(tool, {}, { folder })).toEqual({
    content: 'The arguments do not fit: text: is missing (string)',
    isError: true,
  });
});

test('[U8] a tool names the labels that a worker must offer for it', async () => {
  const folder = testFolder({ 'shout.mjs': shout.replace('repeat:', "labels: ['loud'], repeat:") });
  expect((await load(folder)).map(({ labels }) => labels)).toEqual([['loud']]);
});

test('[SM7] a tool may be written in TypeScript with defineTool, and may answer with data', async () => {
  const folder = testFolder({
    'count.ts': `import { defineTool } from 'troupe';
      export const tool = defineTool<{ list: string[] }>({
        name: 'count', description: 'Counts', repeat: 'safe', parameters: { type: 'object' },
        run: ({ list }) => ({ count: (list ?? []).length }),
      });`,
  });
  const [tool] = await load(folder);
  if (tool === undefined) throw new Error('no tool was found');
  expect(await call(tool, { list: ['a', 'b'] }, { folder })).toEqual({ content: '{"count":2}', isError: false });
});

const finished = (run: string): string => `export const tool = {
  spec: { name: 'made', description: 'Made by hand', parameters: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } },
  repeat: 'safe',
  word: 'own',
  async run({ text }) { ${run} },
};`;

test.each([
  ['a good result', "return { content: this.word + ' ' + text, isError: true }", { content: 'own hey', isError: true }],
  [
    'content that is no text',
    'return { content: 5, isError: false }',
    { content: '{"content":5,"isError":false}', isError: false },
  ],
  ['no verdict', "return { content: 'x' }", { content: '{"content":"x"}', isError: false }],
  ['nothing', '', { content: 'null', isError: false }],
  ['an exception', "throw new Error('too shy')", { content: 'too shy', isError: true }],
])('[L3] a finished tool that gives %s answers with text and a verdict', async (_what, run, expected) => {
  const folder = testFolder({ 'made.mjs': finished(run) });
  const [tool] = await load(folder);
  if (tool === undefined) throw new Error('no tool was found');
  expect(await call(tool, { text: 'hey' }, { folder })).toEqual(expected);
});

test('[L8] a finished tool is held to its schema and to the size an answer may have', async () => {
  const folder = testFolder({ 'made.mjs': finished('return { content: text.repeat(400_000), isError: false }') });
  const [tool] = await load(folder);
  if (tool === undefined) throw new Error('no tool was found');
  expect(await call(tool, {}, { folder })).toMatchObject({ isError: true });
  const long = await call(tool, { text: 'x' }, { folder });
  expect(long.content.length).toBeLessThan(301_000);
  expect(long.content).toContain('100000 characters left out');
});

test('[L3] what an own tool throws becomes an answer', async () => {
  const folder = testFolder({ 'shout.mjs': shout.replace('text.toUpperCase()', "{ throw new Error('too shy') }") });
  const [tool] = await load(folder);
  if (tool === undefined) throw new Error('no tool was found');
  expect(await call(tool, { text: 'x' }, { folder })).toEqual({ content: 'too shy', isError: true });
});

test('[SM7] a changed file is loaded again', async () => {
  const folder = testFolder({ 'shout.mjs': shout });
  await load(folder);
  writeFileSync(join(folder, 'shout.mjs'), shout.replaceAll('shout', 'whisper'));
  expect((await load(folder))[0]?.spec.name).toBe('whisper');
});

test.each([
  ['no export', 'export const other = 1;', 'is not a tool'],
  ['a syntax error', 'export const tool = {', 'could not be loaded'],
  ['an exception', "throw new Error('boom')", 'boom'],
  ['a bad name', shout.replace("'shout'", "'bad name'"), 'letters, digits'],
  ['no repeat', shout.replace("repeat: 'safe',", ''), 'repeat'],
  ['no function', shout.replace('run: ({ text }) => text.toUpperCase(),', ''), 'function'],
  ['a bad schema', shout.replace("type: 'string'", "type: 'strin'"), 'parameters'],
  ['a bad label', shout.replace('repeat:', "labels: ['two words'], repeat:"), 'labels'],
  ['the name of a built-in tool', shout.replace("'shout'", "'grep'"), 'another tool called grep'],
])('[L3] a file with %s is TOOL_INVALID and named', async (_what, source, expected) => {
  const folder = testFolder({ 'broken.mjs': source });
  const fault = await faultOf(load(folder, { taken: allTools }));
  expect(fault.code).toBe('TOOL_INVALID');
  expect(fault.message).toContain('broken.mjs');
  expect(fault.message).toContain(expected);
});

test('[L8] a link is no tool: what it leads to was not trusted', async () => {
  const folder = testFolder({ 'shout.mjs': shout });
  renameSync(join(folder, 'shout.mjs'), join(folder, '..', 'outside.mjs'));
  symlinkSync('../outside.mjs', join(folder, 'shout.mjs'));
  expect((await faultOf(load(folder))).message).toContain('not a regular file');
});

test('[SM7] a folder that is not there has no tools', async () => {
  expect(await load('/nowhere/at/all')).toEqual([]);
});

test('[SM7] a whole folder of tools costs one process, and each call another', async () => {
  const starts: string[] = [];
  const counted = async (): Promise<Sandbox> => {
    const sandbox = await box.sandbox();
    return {
      ...sandbox,
      run: (argv, options) => {
        starts.push(argv.find((word) => word === 'describe' || word === 'call') ?? '');
        return sandbox.run(argv, options);
      },
    };
  };
  const names = ['one', 'two', 'three'];
  const folder = testFolder(
    Object.fromEntries(names.map((name) => [`${name}.mjs`, shout.replace("'shout'", `'${name}'`)])),
  );
  const tools = await load(folder, { box: { ...box, sandbox: counted } });
  expect(tools.map(({ spec }) => spec.name).sort()).toEqual(names.toSorted());
  expect(starts).toEqual(['describe']);
  for (const tool of tools) expect((await call(tool, { text: 'x' }, { folder })).content).toBe('X');
  expect(starts).toEqual(['describe', 'call', 'call', 'call']);
});

test.each([
  ['ends the process', 'process.exit(0);', 'it ended the process (exit code 0)'],
  ['never comes to an end', 'await new Promise(() => {});', 'it ended the process (exit code 13)'],
  ['kills itself', "process.kill(process.pid, 'SIGKILL');", 'it ended the process'],
  ['fails later', "setTimeout(() => { throw new Error('late') }); await new Promise(() => {});", 'late'],
])('[L3] of several files the one that %s while it is loaded is named', async (_what, line, expected) => {
  const folder = testFolder({ 'a.mjs': shout, 'b.mjs': `${line}\n${shout}`, 'c.mjs': shout });
  const fault = await faultOf(load(folder));
  expect(fault.code).toBe('TOOL_INVALID');
  expect(fault.message).toContain('b.mjs');
  expect(fault.message).toContain(expected);
});

test('[L3] a file may print whatever it likes', async () => {
  const noise = `console.log('{"description":{}}'); process.stdout.write('half a line'); console.error('x');`;
  const folder = testFolder({
    'shout.mjs': `import { writeSync } from 'node:fs';
      ${noise} writeSync(1, '{"content":"forged","isError":false}');
      ${shout.replace('text.toUpperCase()', `{ ${noise} return text.toUpperCase(); }`)}`,
  });
  const [tool] = await load(folder);
  if (tool === undefined) throw new Error('no tool was found');
  expect(await call(tool, { text: 'hey' }, { folder })).toEqual({ content: 'HEY', isError: false });
});

test.each([
  ['an empty parameter list', "parameters: 'x'", 'parameters'],
  ['a description that is endless', `description: 'x'.repeat(300_000)`, 'too long'],
  ['a description that refers to itself', 'parameters: (() => { const a = {}; a.a = a; return a; })()', 'circular'],
  ['an unknown access', "access: 'root'", 'access'],
])('[L3] a file with %s is TOOL_INVALID', async (_what, property, expected) => {
  const folder = testFolder({ 'odd.mjs': shout.replace('run:', `${property}, run:`) });
  const fault = await faultOf(load(folder));
  expect(fault).toMatchObject({ code: 'TOOL_INVALID', message: expect.stringContaining(expected) });
});

test('[SM7] a tool may be in several files, in each of the four languages, and may bring data along', async () => {
  const of = (name: string) => shout.replace("'shout'", `'${name}'`).replace('text.toUpperCase()', 'word');
  const folder = testFolder({
    'a.ts': `import { word } from './_words.ts'; interface Unused { readonly a: string }\n${of('a')}`,
    'b.mts': `import { word } from './_words.ts';\n${of('b')}`,
    'c.js': `import { word } from './_words.ts';\n${of('c')}`,
    'd.mjs': `import { readFileSync } from 'node:fs'; const word = readFileSync(new URL('./data/word.txt', import.meta.url), 'utf8');\n${of('d')}`,
    '_words.ts': `export const word: string = 'from beside';`,
    'data/word.txt': 'from data',
  });
  const answers = [];
  const workspace = testFolder();
  for (const tool of await load(folder)) answers.push((await call(tool, { text: '' }, { folder: workspace })).content);
  expect(answers).toEqual(['from beside', 'from beside', 'from beside', 'from data']);
});

test('[L8] where the sandbox that is wanted does not work, no tool is loaded', async () => {
  const none = { levels: [], scratch: '/nowhere' };
  const sandbox = () => Promise.resolve().then(() => chooseSandbox(none, 'bubblewrap'));
  const fault = await faultOf(load(testFolder({ 'shout.mjs': shout }), { box: { ...box, sandbox } }));
  expect(fault.code).toBe('SANDBOX_UNAVAILABLE');
});

test.for(['landlock', 'none'] as const)(
  '[L8] tools work in the weaker box %s for the user who chose it',
  async (level, context) => {
    const opened = await weaker[level]().catch((error: unknown) => error);
    context.skip(isFault(opened), 'this level does not work here');
    const folder = testFolder({ 'shout.mjs': shout });
    const workspace = testFolder();
    const [tool] = await load(folder, { box: { ...box, sandbox: weaker[level] } });
    if (tool === undefined) throw new Error('no tool was found');
    expect(await call(tool, { text: 'hey' }, { folder: workspace })).toEqual({ content: 'HEY', isError: false });
  },
);

test('[A9] a name that begins like those of MCP servers is refused', async () => {
  const folder = testFolder({ 'search.mjs': shout.replace("'shout'", "'mcp__docs__search'") });
  expect(await faultOf(load(folder))).toEqual({
    code: 'TOOL_INVALID',
    message: expect.stringContaining('names that begin with mcp__ are those of MCP servers'),
  });
});

test('[A9] the tool that the guide shows works as it stands', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/tools.md'), 'utf8');
  const source = /```ts\n([^]*?)```/.exec(guide)?.[1] ?? '';
  const [tool] = await load(testFolder({ 'count-lines.ts': source }), { taken: allTools });
  if (tool === undefined) throw new Error('no tool was found');
  expect([tool.spec.name, tool.access, tool.repeat]).toEqual(['count_lines', 'read', 'safe']);
  const folder = testFolder({ 'src/main.ts': 'one\ntwo\nthree\n' });
  expect(await call(tool, { path: 'src/main.ts' }, { folder })).toEqual({
    content: 'src/main.ts has 3 lines.',
    isError: false,
  });
});
