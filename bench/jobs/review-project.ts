import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { git } from './source-project.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/bech32', import.meta.url));

/** The project of the example, in git. */
export function makeReviewProject(folder: string): string {
  const project = join(folder, 'project');
  cpSync(EXAMPLE, project, { recursive: true });
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, '-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid', 'commit', '-qm', 'all');
  return project;
}
