import type { TreeEntry } from './port.ts';

export function isSameEntry(a: TreeEntry | null, b: TreeEntry | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && modeOf(a) === modeOf(b) && blobOf(a) === blobOf(b) && whyOf(a) === whyOf(b);
}

export function modeOf(entry: TreeEntry): number | null {
  return entry.kind === 'file' || entry.kind === 'folder' ? entry.mode : null;
}

export function blobOf(entry: TreeEntry): string | null {
  return entry.kind === 'file' || entry.kind === 'link' ? entry.blob : null;
}

function whyOf(entry: TreeEntry): string | null {
  return entry.kind === 'unkept' ? entry.why : null;
}
