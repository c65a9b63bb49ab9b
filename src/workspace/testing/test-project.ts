import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** For tests: a project with these files beside an empty home, both gone when the test is over. */
export function testProject(files: Readonly<Record<string, string | Uint8Array>> = {}): {
  project: string;
  home: string;
} {
  const base = temporaryFolder();
  const project = join(base, 'project');
  mkdirSync(project);
  writeFiles(project, files);
  return { project, home: join(base, 'home') };
}

/** For tests: an empty folder, gone when the test is over. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** For tests: git as a person would use it. */
export function git(folder: string, ...words: readonly string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, ...words], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
