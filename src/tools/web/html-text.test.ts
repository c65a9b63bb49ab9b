import { expect, test } from 'vitest';
import { htmlText } from './html-text.ts';

const text = (html: string): string => htmlText(html, new URL('https://example.org/a/b'));

test('[SM7] a page becomes text with headings, lists, links, tables and code', () => {
  const html = `<!doctype html><html><head><title>The  title</title><style>p { color: red }</style></head><body>
    <!-- a > comment --><h1>Head</h1><p>One <b>two</b>
    three&nbsp;&amp;&#32;four&#x21; &lt;b&gt; <a href="../c?x=1&amp;y=2">link</a> <a href="#top">top</a></p>
    <ul><li>first</li><li>second<br>line</li></ul>
    <pre>  a\n    b &lt; c</pre><table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></table>
    <img src="x.png" alt="A cat"><script>if (a < b) document.write('<p>no</p>')</script>1 < 2</body></html>`;
  expect(text(html)).toBe(
    [
      'The title',
      '',
      '# Head',
      '',
      'One two three & four! <b> [link](https://example.org/c?x=1&y=2) top',
      '',
      '- first',
      '',
      '- second',
      'line',
      '',
      '  a',
      '    b < c',
      '',
      '| k | v',
      '',
      '| 1 | 2',
      '',
      'A cat1 < 2',
    ].join('\n'),
  );
});

test('[F65] only links of the web are shown as links', () => {
  expect(text('<a href="javascript:alert(1)">x</a> <a href=\'data:,y\'>y</a> <a href=file:///etc>z</a>')).toBe('x y z');
});

test.each([
  ['a tag that never ends', '<p>a</p><a href="x', 'a'],
  ['a quote that never ends', '<a href="x>b</a> c', 'b c'],
  ['an end without a beginning', '</a></pre></div>a', 'a'],
  ['a script that never ends', 'a<script>b', 'a'],
  ['a comment that never ends', 'a<!-- b', 'a'],
  ['a bad entity', '&#0;&#xd800;&#99999999;&nosuch;&', '\uFFFD\uFFFD\uFFFD&nosuch;&'],
  ['a lone bracket', 'a <', 'a <'],
])('[L3] %s is read as well as it can be', (_what, html, expected) => {
  expect(text(html)).toBe(expected);
});

test.each([
  '<',
  '<a ',
  '<a href="',
  '<script>',
  '</script',
  '<!--',
  '<p>',
  '&',
  '&#',
  '<a "><a \'>',
  '<svg></sv',
  '\n \t',
])('[L8] a megabyte of %j is read in one pass', (piece) => {
  expect(text(piece.repeat(1_000_000 / piece.length)).length).toBeLessThan(2_000_000);
});
