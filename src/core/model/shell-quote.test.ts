import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoteForShell } from './shell-quote.ts';

test.each(["it's", '', 'a b', '$(touch x)', '`id`', '"; rm -rf /', "'\\''", 'line\nbreak', '*', '-n'])(
  '[SM5] /bin/sh reads %j as exactly one word',
  (text) => {
    const printed = execFileSync('/bin/sh', ['-c', `printf '%s|' ${quoteForShell(text)}`], { encoding: 'utf8' });
    expect(printed).toBe(`${text}|`);
  },
);
