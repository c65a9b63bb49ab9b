import { expect, test } from 'vitest';
import { steeringReason } from './steering-files.ts';

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
