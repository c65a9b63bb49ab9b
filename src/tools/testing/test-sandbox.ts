import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { chooseSandbox } from '../../sandbox/find-sandbox.ts';
import type { Sandbox, SandboxLevel } from '../../sandbox/port.ts';
import { knownSandbox } from '../../sandbox/testing/known-sandbox.ts';
import type { ToolBox } from '../own/tool-box.ts';
import type { ToolServices } from '../port.ts';
import { createShell } from '../shell.ts';

/** For tests: the real sandbox of this machine, tried out once for all of them. */
export function testSandbox(level: SandboxLevel | null = null): () => Promise<Sandbox> {
  const scratch = mkdtempSync(join(tmpdir(), 'sandbox-'));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));
  let found: Promise<Sandbox> | null = null;
  return () => (found ??= knownSandbox(scratch).then((all) => chooseSandbox(all, level)));
}

/** For tests: commands of an agent, with home and temporary folder beside its folder. */
export function testServices(sandbox: () => Promise<Sandbox>): ToolServices {
  const shell = createShell({ sandbox, hidden: [], environment: process.env });
  return {
    shell: (command, { folder, mode, ...options }) =>
      shell(command, { ...options, place: placeBeside(folder), access: mode === 'write' ? 'write' : 'throwaway' }),
  };
}

/** For tests: what a workspace offers to programs. */
export function placeBeside(folder: string) {
  const [home, temporary] = [join(dirname(folder), 'home'), join(dirname(folder), 'tmp')];
  for (const path of [home, temporary]) mkdirSync(path, { recursive: true });
  return {
    folder,
    environment: { HOME: home, TMPDIR: temporary },
    folders: [home, temporary].map((path) => ({ path, access: 'write' as const })),
  };
}

/** For tests: where a project's tools run. They import `troupe` from its sources. */
export function testToolBox(sandbox: () => Promise<Sandbox>): ToolBox {
  const sources = join(import.meta.dirname, '../..');
  const folders = ['package.json', 'src', 'node_modules'].map((name) => join(sources, '..', name));
  return {
    sandbox,
    hidden: [],
    environment: process.env,
    ownPackage: { entry: join(sources, 'index.ts'), folders },
  };
}
