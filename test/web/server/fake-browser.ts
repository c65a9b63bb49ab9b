import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../cli/sandbox.ts';

/** A program in the place of what opens the user's browser, and a screen for it to open on. */
export interface FakeBrowser {
  readonly environment: Readonly<Record<string, string>>;
  /** What it was started with so far, a line for each time. */
  opened(): readonly string[];
}

export function fakeBrowser(sandbox: Sandbox): FakeBrowser {
  const folder = join(sandbox.home, 'fake-browser');
  const list = join(folder, 'opened');
  mkdirSync(folder);
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), `#!/bin/sh\nprintf '%s\\n' "$*" >> '${list}'\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return {
    environment: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, DISPLAY: ':99' },
    opened: () => (existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : []),
  };
}
