import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { isFault } from '../core/fault.ts';
import { allTools } from './all-tools.ts';
import { loadOwnTools } from './own-tools.ts';
import { call, testFolder } from './test-folder.ts';

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
  const [tool, ...rest] = await loadOwnTools(folder, allTools);
  expect(rest).toEqual([]);
  if (tool === undefined) throw new Error('no tool was found');
  expect(tool.spec.name).toBe('shout');
  expect(await call(tool, { text: 'hey' }, { folder })).toEqual({ content: 'HEY', isError: false });
  expect(await call(tool, {}, { folder })).toEqual({
    content: 'The arguments do not fit: text: is missing (string)',
    isError: true,
  });
});

test('[SM7] a tool may be written in TypeScript with defineTool, and may answer with data', async () => {
  const module = pathToFileURL(join(import.meta.dirname, 'define-tool.ts')).href;
  const folder = testFolder({
    'count.ts': `import { defineTool } from ${JSON.stringify(module)};
      export const tool = defineTool<{ list: string[] }>({
        name: 'count', description: 'Counts', repeat: 'safe', parameters: { type: 'object' },
        run: ({ list }) => ({ count: (list ?? []).length }),
      });`,
  });
  const [tool] = await loadOwnTools(folder);
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
  const [tool] = await loadOwnTools(folder);
  if (tool === undefined) throw new Error('no tool was found');
  expect(await call(tool, { text: 'hey' }, { folder })).toEqual(expected);
});

test('[L8] a finished tool is held to its schema and to the size an answer may have', async () => {
  const folder = testFolder({ 'made.mjs': finished('return { content: text.repeat(400_000), isError: false }') });
  const [tool] = await loadOwnTools(folder);
  if (tool === undefined) throw new Error('no tool was found');
  expect(await call(tool, {}, { folder })).toMatchObject({ isError: true });
  const long = await call(tool, { text: 'x' }, { folder });
  expect(long.content.length).toBeLessThan(301_000);
  expect(long.content).toContain('100000 characters left out');
});

test('[L3] what an own tool throws becomes an answer', async () => {
  const folder = testFolder({ 'shout.mjs': shout.replace('text.toUpperCase()', "{ throw new Error('too shy') }") });
  const [tool] = await loadOwnTools(folder);
  if (tool === undefined) throw new Error('no tool was found');
  expect(await call(tool, { text: 'x' }, { folder })).toEqual({ content: 'too shy', isError: true });
});

test('[SM7] a changed file is loaded anew', async () => {
  const folder = testFolder({ 'shout.mjs': shout });
  await loadOwnTools(folder);
  writeFileSync(join(folder, 'shout.mjs'), shout.replaceAll('shout', 'whisper'));
  expect((await loadOwnTools(folder))[0]?.spec.name).toBe('whisper');
});

test.each([
  ['no export', 'export const other = 1;', 'is not a tool'],
  ['a syntax error', 'export const tool = {', 'could not be loaded'],
  ['an exception', "throw new Error('boom')", 'boom'],
  ['a bad name', shout.replace("'shout'", "'bad name'"), 'letters, digits'],
  ['no repeat', shout.replace("repeat: 'safe',", ''), 'repeat'],
  ['no function', shout.replace('run: ({ text }) => text.toUpperCase(),', ''), 'function'],
  ['a bad schema', shout.replace("type: 'string'", "type: 'strin'"), 'parameters'],
  ['the name of a built-in tool', shout.replace("'shout'", "'grep'"), 'another tool called grep'],
])('[L3] a file with %s is TOOL_INVALID and named', async (_what, source, expected) => {
  const folder = testFolder({ 'broken.mjs': source });
  const fault = await faultOf(loadOwnTools(folder, allTools));
  expect(fault.code).toBe('TOOL_INVALID');
  expect(fault.message).toContain('broken.mjs');
  expect(fault.message).toContain(expected);
});

test('[L8] a link is no tool: what it leads to was not trusted', async () => {
  const folder = testFolder({ 'shout.mjs': shout });
  renameSync(join(folder, 'shout.mjs'), join(folder, '..', 'outside.mjs'));
  symlinkSync('../outside.mjs', join(folder, 'shout.mjs'));
  expect((await faultOf(loadOwnTools(folder))).message).toContain('not a regular file');
});

test('[SM7] a folder that is not there has no tools', async () => {
  expect(await loadOwnTools('/nowhere/at/all')).toEqual([]);
});
