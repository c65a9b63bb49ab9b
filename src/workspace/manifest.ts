import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Fault } from '../core/fault.ts';
import { HeldFolder } from '../lib/held-folder.ts';
import { writeHeldFile } from '../lib/held-file.ts';
import type { BytePath, WrittenPath } from './byte-path.ts';
import { fromWritten, toWritten } from './byte-path.ts';
import type { CopiedEntry } from './copy-entry.ts';

/** What a run's folder held when the run began. Written once, beside the folder. */
export interface Manifest {
  readonly source: 'git' | 'plain' | 'none';
  readonly entries: ReadonlyMap<BytePath, CopiedEntry>;
  /** Left out, and why: links that lead outside, special files. */
  readonly skipped: readonly { readonly path: BytePath; readonly why: string }[];
}

interface ManifestFile {
  readonly format: 1;
  readonly source: Manifest['source'];
  readonly entries: readonly (CopiedEntry & { readonly path: WrittenPath })[];
  readonly skipped: readonly { readonly path: WrittenPath; readonly why: string }[];
}

export async function writeManifest(path: string, manifest: Manifest): Promise<void> {
  const file: ManifestFile = {
    format: 1,
    source: manifest.source,
    entries: [...manifest.entries].map(([path, entry]) => ({ path: toWritten(path), ...entry })),
    skipped: manifest.skipped.map(({ path, why }) => ({ path: toWritten(path), why })),
  };
  const folder = await HeldFolder.open(dirname(path));
  try {
    await writeHeldFile(folder, basename(path), { content: `${JSON.stringify(file)}\n`, mode: 0o600 });
  } finally {
    await folder.close();
  }
}

export async function readManifest(path: string): Promise<Manifest> {
  try {
    const file = JSON.parse(await readFile(path, 'utf8')) as ManifestFile;
    return {
      source: file.source,
      entries: new Map(file.entries.map(({ path, ...entry }) => [fromWritten(path), entry])),
      skipped: file.skipped.map(({ path, why }) => ({ path: fromWritten(path), why })),
    };
  } catch (error) {
    throw new Fault('RUN_FOLDER_MISSING', `The list of what the run began with cannot be read: ${path}.`, {
      hint: 'The files of this run were removed or damaged; what it changed can no longer be told.',
      cause: error,
    });
  }
}
