import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBinaryContent, MAX_COMPARED_BYTES } from './conflict.ts';
import { runGit } from './git-plumbing.ts';

/** Merges the lines of a file. Null when it is not made of lines. Where both changed the same lines, marks show all three. */
export async function mergeContent(sides: ContentSides, labels: MergeLabels): Promise<MergedContent | null> {
  const { base, ours, theirs } = sides;
  if ([base, ours, theirs].some((bytes) => isBinaryContent(bytes) || bytes.length > MAX_COMPARED_BYTES)) return null;
  const folder = await mkdtemp(join(tmpdir(), 'troupe-merge-'));
  try {
    await Promise.all(
      [ours, base, theirs].map((bytes, at) => writeFile(join(folder, FILES[at] ?? ''), bytes, { mode: 0o600 })),
    );
    const names = [labels.ours, labels.base, labels.theirs].flatMap((label) => ['-L', oneLine(label)]);
    const answer = await runGit(['merge-file', '-p', '--diff3', ...names, ...FILES], {
      cwd: folder,
      // No repository is looked for: nothing of one has a say here.
      env: { GIT_DIR: join(folder, 'none') },
    });
    // The exit code counts the conflicts; from 128 on it is an error.
    if (answer.exitCode === null || answer.exitCode > 127 || answer.isCut) return null;
    return { bytes: answer.output, isClean: answer.exitCode === 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface ContentSides {
  readonly base: Buffer;
  readonly ours: Buffer;
  readonly theirs: Buffer;
}

/** How the sides are called in the marks. */
export interface MergeLabels {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface MergedContent {
  readonly bytes: Buffer;
  readonly isClean: boolean;
}

const FILES = ['ours', 'base', 'theirs'];
const MAX_LABEL = 100;

function oneLine(label: string): string {
  return label.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_LABEL);
}
