/* oxlint-disable no-control-regex -- escapes are what is looked for */
import { expect, test } from 'vitest';
import { createLiveLines } from './progress.ts';

/** A terminal that understands just what live lines may use, and fails on anything that would clear more. */
function screen(columns: number) {
  const lines: string[] = [''];
  let row = 0;
  const put = (text: string): void => {
    for (const part of text.split(/(\n|\r)/)) {
      if (part === '\n') {
        row += 1;
        lines[row] ??= '';
      } else if (part !== '\r') lines[row] = (lines[row] ?? '') + part;
    }
  };
  const write = (text: string): void => {
    for (const part of text.split(/(\u001B\[[0-9?]*[A-Za-z])/u)) {
      if (part === '\u001B[1A') row -= 1;
      else if (part === '\u001B[2K') lines[row] = '';
      else if (/^\u001B\[\?2026[hl]$/u.test(part)) continue;
      else if (part.startsWith('\u001B')) throw new Error(`Unexpected ${JSON.stringify(part)}`);
      else put(part);
    }
  };
  return { columns, write, text: () => lines.slice(0, row + 1).join('\n') };
}

test('[U1] live lines change in place while ordinary lines stay above them', () => {
  const terminal = screen(80);
  const live = createLiveLines(terminal);
  live.log('first');
  live.show(['coder thinking', 'reviewer thinking']);
  live.log('second');
  live.show(['coder writing']);
  expect(terminal.text()).toBe('first\nsecond\ncoder writing\n');
  live.close();
  expect(terminal.text()).toBe('first\nsecond\n');
});

test('[U1] a live line never wraps, also with wide characters', () => {
  const terminal = screen(10);
  const live = createLiveLines(terminal);
  live.show(['x'.repeat(40), '漢字漢字漢字漢字']);
  const [first = '', second = ''] = terminal.text().split('\n');
  expect(first).toBe('xxxxxxxx…');
  expect(second).toBe('漢字漢字…');
});

test('[U1] what has not changed is not drawn again', () => {
  let writes = 0;
  const live = createLiveLines({ columns: 80, write: () => (writes += 1) });
  live.show(['same']);
  live.show(['same']);
  expect(writes).toBe(1);
});
