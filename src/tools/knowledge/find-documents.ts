import type { HeldFolder, Name } from '../../lib/held-folder.ts';
import { shownPath } from '../../lib/confined-path.ts';
import { joined, walkFiles } from '../walk-files.ts';

export interface FoundDocument {
  readonly folder: HeldFolder;
  readonly name: Name;
  readonly path: string;
  readonly size: number;
  /** Changes whenever the file does. */
  readonly stamp: string;
}

/** The files of a project that are written for people. Links are never followed. */
export async function* findDocuments(root: HeldFolder, signal: AbortSignal): AsyncGenerator<FoundDocument> {
  for await (const { folder, name, names } of walkFiles(root, signal)) {
    if (!isDocument(names.map((one) => one.toString('utf8')))) continue;
    const stats = folder.lookNow(name);
    if (stats === null || !stats.isFile()) continue;
    const stamp = [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
    yield { folder, name, path: shownPath(joined(names)), size: Number(stats.size), stamp };
  }
}

export function isDocument(names: readonly string[]): boolean {
  const name = names.at(-1)?.toLowerCase() ?? '';
  const isInDocs = names.slice(0, -1).some((folder) => /^docs?$/i.test(folder));
  return isInDocs || /\.(?:md|mdx|markdown|txt|rst|adoc|asciidoc|org)$/.test(name) || /^readme(?:\.|$)/.test(name);
}
