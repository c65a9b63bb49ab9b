import { expect, test } from 'vitest';
import { markdownHtml } from './markdown-html.ts';

test('[U2] raw HTML is shown as text', () => {
  const html = markdownHtml(
    'before <script>alert(1)</script> <img src=x onerror=alert(1)> after\n\n<iframe src="//x"></iframe>',
  );
  expect(html).not.toMatch(/<(script|img|iframe)/);
  expect(html).toContain('&lt;script&gt;');
});

test('[U2] an image becomes its words and its address', () => {
  const html = markdownHtml('![a "cat"](https://example.org/t.png?x=<1>)');
  expect(html).not.toContain('<img');
  expect(html).toContain('[image: a &quot;cat&quot;]');
});

test('[U2] tables, lists and code are markdown', () => {
  const html = markdownHtml('| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n```ts\nconst a = 1 < 2;\n```');
  expect(html).toContain('<table>');
  expect(html).toContain('☑');
  expect(html).toContain('1 &lt; 2');
});

test('[U2] hidden characters are shown inside markdown too', () => {
  expect(markdownHtml('a\u202Eb')).toContain('⟦U+202E⟧');
});

test('[U2] quotes within quotes without end are shown as far as anybody reads, and the rest as text', () => {
  for (const mark of ['>', '> ', '- ', '1) ']) {
    const html = markdownHtml(`${mark.repeat(5000)}and then`);
    expect(html).toContain('and then');
    expect(html.match(/<(?:blockquote|ul|ol)/g)?.length).toBeLessThan(50);
  }
});

test('[U2] marks that never end stay text, line by line, and hold up nothing', () => {
  const html = markdownHtml(`${'*a_'.repeat(19_000)}\n${'*'.repeat(2000)}end`);
  expect(html).toContain('*a_'.repeat(10));
  expect(html).toContain('<br>**');
  expect(markdownHtml(`${'a'.repeat(58_000)}@`)).toContain('aaa@');
  expect(markdownHtml(`a${' '.repeat(58_000)}b`)).toContain('b</p>');
});

test('[U2] a long text of a person is shaped as any other', () => {
  const html = markdownHtml('Some **strong** words in `code` and many more without any mark at all. '.repeat(80));
  expect(html.match(/<strong>/g)).toHaveLength(80);
});
