import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TreeEntry } from '../../workspace/store/port.ts';
import { openTreeStore } from '../../workspace/store/tree-store.ts';
import { steeringFiles, steeringReason } from './steering-files.ts';

const bytes = (path: string): string => Buffer.from(path, 'utf8').toString('latin1');

test.each([
  '.mcp.json',
  'sub/.mcp.json',
  '.MCP.json',
  '.mcp\u200B.json',
  '.ｍcp.json',
  '.mcp.json.',
  '.vscode/tasks.json',
  'a/.VSCode/launch.json',
  '.claude/settings.json',
  '.codex/config.toml',
  '.cursor/mcp.json',
  '.husky/pre-commit',
  '.npmrc',
  'packages/a/.yarnrc.yml',
  '.pnpmfile.cjs',
  '.github/workflows/ci.yml',
  '.gitlab-ci.yml',
  '.envrc',
  '.bashrc',
  '.zshenv',
  '.gitmodules',
  '.gitattributes',
  '.pre-commit-config.yaml',
  '.cargo/config.toml',
  'binding.gyp',
  'app.code-workspace',
  '.exrc',
  '.pnp.cjs',
])('[L4] %s steers a program of the user', (path) => {
  expect(steeringReason(bytes(path))).not.toBeNull();
});

test.each([
  'src/mcp.json',
  'README.md',
  '.github/README.md',
  'docs/npmrc.md',
  'src/husky/a.ts',
  'AGENTS.md',
  '.env.example',
])('[L4] %s steers no program', (path) => {
  expect(steeringReason(bytes(path))).toBeNull();
});

const SCRIPTS = JSON.stringify({ scripts: { postinstall: 'node steal.js' } });

/** Why a change of package.json to this text steers programs; null where it does not. */
async function whyPackage(text: string, kind: 'file' | 'link' = 'file'): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-steering-'));
  const store = await openTreeStore(join(folder, 'git'));
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const blob = await store.addBlob(Buffer.from(text));
  const after: TreeEntry = kind === 'file' ? { kind, mode: 0o644, blob } : { kind, blob };
  const found = await steeringFiles(store, [{ path: 'package.json', before: null, after }]);
  return found[0]?.report.why ?? null;
}

test('[L4] scripts that run on install are found behind a byte order mark', async () => {
  expect(await whyPackage(SCRIPTS)).toContain('postinstall');
  expect(await whyPackage(`\uFEFF${SCRIPTS}`)).toContain('postinstall');
  expect(await whyPackage('{ "scripts": { "test": "vitest" } }')).toBe(null);
});

test('[L4] a package.json that is too large, a link or no JSON is held back like one with scripts', async () => {
  expect(await whyPackage(SCRIPTS + ' '.repeat(1024 * 1024))).toContain('could not be read');
  expect(await whyPackage('other.json', 'link')).toContain('could not be read');
  expect(await whyPackage(`// note\n${SCRIPTS}`)).toContain('could not be read');
});
