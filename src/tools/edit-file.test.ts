import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editFileTool } from './file-tools.ts';
import { call, testFolder } from './testing/test-folder.ts';

const edit = async (before: string | Uint8Array, old: string, replacement: string) => {
  const folder = testFolder({ 'a.txt': before });
  const result = await call(editFileTool, { path: 'a.txt', old, new: replacement }, { folder });
  return { ...result, after: readFileSync(join(folder, 'a.txt'), 'utf8') };
};

test('[SM7] edit_file replaces the one place that matches', async () => {
  expect(await edit('one two three', 'two', 'TWO')).toEqual({
    content: 'Edited a.txt.',
    isError: false,
    changed: ['a.txt'],
    after: 'one TWO three',
  });
});

test('[SM7] edit_file takes the new text as it is, dollar signs and all', async () => {
  expect((await edit('a = b;', 'b', "$& $1 $' $$")).after).toBe("a = $& $1 $' $$;");
});

test('[L3] edit_file changes nothing when the text is missing or not unique, and says which', async () => {
  const missing = await edit('one  two', 'one two', 'x');
  expect(missing).toMatchObject({ isError: true, after: 'one  two' });
  expect(missing.content).toContain('with other blanks');
  expect((await edit('abc', 'xyz', 'x')).content).toBe(
    'old does not occur in a.txt. Read the file and copy the text exactly.',
  );
  expect((await edit('aXaXa', 'aXa', 'b')).content).toContain('occurs 2 times');
  expect((await edit('abc', 'b', 'b')).content).toContain('nothing to do');
  expect((await edit('abc', '', 'b')).isError).toBe(true);
});

test('[SM7] edit_file understands plain line feeds in a file with CRLF, and keeps CRLF', async () => {
  expect((await edit('one\r\ntwo\r\nthree\r\n', 'one\ntwo', '1\n2')).after).toBe('1\r\n2\r\nthree\r\n');
  expect((await edit('one\r\ntwo\nthree', 'two\nthree', '2\n3')).after).toBe('one\r\n2\n3');
});

test('[SM7] edit_file leaves what is not UTF-8 alone', async () => {
  expect((await edit(Buffer.from([0x61, 0xff, 0x62]), 'a', 'x')).content).toContain('not UTF-8 text');
});

test('[SM7] edit_file keeps the mode and refuses control folders', async () => {
  const folder = testFolder({ 'run.sh': 'echo a', '.git/config': 'a' });
  chmodSync(join(folder, 'run.sh'), 0o755);
  await call(editFileTool, { path: 'run.sh', old: 'a', new: 'b' }, { folder });
  expect(statSync(join(folder, 'run.sh')).mode & 0o777).toBe(0o755);
  expect((await call(editFileTool, { path: '.git/config', old: 'a', new: 'b' }, { folder })).isError).toBe(true);
  expect(readFileSync(join(folder, '.git/config'), 'utf8')).toBe('a');
});
