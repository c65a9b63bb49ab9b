import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../../lib/make-folder.ts';
import { systemProgram } from '../../lib/process-tree.ts';
import type { DoctorFinding } from './finding.ts';

/** What workspaces, diffs and merges can make use of. */
export async function examineFiles(home: string): Promise<readonly DoctorFinding[]> {
  return [await examineGit(), await examineReflinks(home)];
}

async function examineGit(): Promise<DoctorFinding> {
  const program = systemProgram('git');
  const about = 'git';
  if (program === '') {
    return {
      level: 'warning',
      about,
      text: 'not installed: projects are plain folders, and there is no diff or merge',
    };
  }
  const { stdout } = await promisify(execFile)(program, ['--version'], { encoding: 'utf8', env: {} });
  return { level: 'ok', about, text: `${stdout.trim().replace(/^git version /, '')} (${program})` };
}

/** Tried with a file of our own: only the file system itself knows. */
async function examineReflinks(home: string): Promise<DoctorFinding> {
  makeFolder(home, 0o700);
  const folder = await mkdtemp(join(home, 'doctor-'));
  try {
    await writeFile(join(folder, 'one'), 'x'.repeat(8192));
    const isShared = await copyFile(join(folder, 'one'), join(folder, 'two'), constants.COPYFILE_FICLONE_FORCE).then(
      () => true,
      () => false,
    );
    const text = isShared
      ? 'large files are shared between workspaces (reflinks)'
      : 'no reflinks here: large files are copied for each workspace';
    return { level: 'ok', about: 'files', text };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
