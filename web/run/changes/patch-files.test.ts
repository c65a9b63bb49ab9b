import { expect, test } from 'vitest';
import { patchFiles, visibleLine } from './diff-files.ts';

const section = (head: string, body = '@@ -0,0 +1 @@\n+x\n'): string => `${head}\n${body}`;

test('[U2] a patch is taken apart by its files, whatever the files say', () => {
  const patch = [
    section(
      'diff --git a/a.txt b/a.txt\nindex 1..2 100644\n--- a/a.txt\n+++ b/a.txt',
      '@@ -1 +1,2 @@\n one\n+diff --git a/x b/x\n',
    ),
    section('diff --git a/b.txt b/b.txt\nnew file mode 100644\n--- /dev/null\n+++ b/b.txt'),
    section('diff --git a/c.txt b/c.txt\ndeleted file mode 100644\n--- a/c.txt\n+++ /dev/null', '@@ -1 +0,0 @@\n-x\n'),
  ].join('');
  expect(patchFiles(patch).map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'c.txt']);
});

test('[U2] names that git quotes are the names of the list', () => {
  const named = (name: string): string =>
    patchFiles(section(`diff --git "a/${name}" "b/${name}"\n--- /dev/null\n+++ "b/${name}"`))[0]?.path ?? '';
  expect(named(String.raw`\303\244.txt`)).toBe('ä.txt');
  expect(named(String.raw`say \"hi\".txt`)).toBe('say "hi".txt');
  expect(named(String.raw`two\nlines`)).toBe(String.raw`"two\nlines"`);
  expect(named(String.raw`\342\200\256txt.exe`)).toBe(String.raw`"\u{202e}txt.exe"`);
  expect(named(String.raw`\377.bin`)).toBe(String.raw`"\xff.bin"`);
});

test('[U2] a name with spaces, and one that only the first line tells', () => {
  expect(
    patchFiles('diff --git a/a b b/a b\nnew file mode 100644\n--- /dev/null\n+++ b/a b\t\n@@ -0,0 +1 @@\n+x\n')[0]
      ?.path,
  ).toBe('a b');
  expect(patchFiles('diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n')[0]?.path).toBe('run.sh');
});

test('[U2] what is not text is said and not shown', () => {
  const binary =
    'diff --git a/p.png b/p.png\nnew file mode 100644\nindex 0..1\nGIT binary patch\nliteral 3\nKcmZQz\n\n';
  expect(patchFiles(binary)).toEqual([{ path: 'p.png', text: '', isBinary: true }]);
});

test('[U2] source that hides what it says is shown for what it is, and stays one line', () => {
  expect(visibleLine('+if (a) \u{202E}return;')).toBe('+if (a) ⟦U+202E⟧return;');
  expect(visibleLine('+\u{1B}[2Jgone')).toBe('+⟦U+001B⟧[2Jgone');
  expect(visibleLine('+a\u{2028}b')).toBe('+a⟦U+2028⟧b');
  expect(visibleLine('+a\rb\r')).toBe('+a⟦U+000D⟧b');
  expect(visibleLine('+<img src=x onerror=alert(1)>\t👩‍👧')).toBe('+<img src=x onerror=alert(1)>\t👩‍👧');
});
