import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isFault, type Problem } from '../../../core/model/fault.ts';
import { ModuleThread } from '../programs/module-thread.ts';
import { readModule } from './read-module.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-module-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

async function problemOf(path: string): Promise<Problem | undefined> {
  try {
    await readModule(path, 'a', folder);
  } catch (error) {
    if (isFault(error)) return error.problems[0];
    throw error;
  }
  return undefined;
}

describe('[ST2] loading a module', () => {
  test('that never ends is stopped', async () => {
    const thread = new ModuleThread({ path: write('loop.mjs', 'for (;;);\n'), hash: 'a', keptIn: null });
    await expect(thread.give({ kind: 'describe' }, { limitMs: 300 })).rejects.toMatchObject({
      kind: 'stuck',
      calling: null,
      message: 'did not return within 0.3 s and was stopped',
    });
  });

  test('can be given up', async () => {
    const thread = new ModuleThread({ path: write('loop.mjs', 'for (;;);\n'), hash: 'a', keptIn: null });
    await expect(thread.give({ kind: 'describe' }, { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  test('a thread that was stopped is replaced', async () => {
    const path = write('once.mjs', 'for (;;);\n');
    const thread = new ModuleThread({ path, hash: 'a', keptIn: null });
    await expect(thread.give({ kind: 'describe' }, { limitMs: 300 })).rejects.toMatchObject({ kind: 'stuck' });
    write('once.mjs', 'export const x = 1;\n');
    expect(await thread.give({ kind: 'describe' })).toEqual({ native: [], stages: [] });
    thread.close();
  });

  test('a syntax error is reported with its file and line, also in what the module imports', async () => {
    const bad = write('bad.mjs', 'const a = 1;\nexport const = 1;\n');
    expect(await problemOf(bad)).toMatchObject({ code: 'MODULE_FAILED', file: 'bad.mjs', at: { line: 2, column: 14 } });
    const typed = write('typed.ts', 'const a: number = 1;\nexport const x: = 1;\n');
    expect(await problemOf(typed)).toMatchObject({ file: 'typed.ts', at: { line: 2 } });
    const beside = write('beside.mjs', `import './bad.mjs';\n`);
    expect(await problemOf(beside)).toMatchObject({ file: 'bad.mjs', at: { line: 2 } });
  });

  test('an error is reported with the line that threw it', async () => {
    const path = write('throws.mjs', `\nfunction f() {\n  throw new Error('no way');\n}\nf();\n`);
    expect(await problemOf(path)).toMatchObject({
      message: 'The module cannot be loaded: no way',
      file: 'throws.mjs',
      at: { line: 3, column: 9 },
    });
  });

  test('an import of troupe/stage is reported with the right name', async () => {
    const path = write('stage.mjs', `import { routeByRules } from 'troupe/stage';\n`);
    expect((await problemOf(path))?.hint).toContain('"troupe/stages"');
  });
});
