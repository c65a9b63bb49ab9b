import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface PageSize {
  readonly files: number;
  /** As `troupe serve` sends them. */
  readonly sentBytes: number;
}

/** All JavaScript that a browser loads before anything is shown: what the page names, and what that imports. */
export function pageSize(folder: string): PageSize {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = new Set<string>();
  for (const [, path] of html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)) addWith(files, join(folder, path ?? ''));
  const sentBytes = [...files].reduce((sum, file) => sum + sentSize(file), 0);
  return { files: files.size, sentBytes };
}

/** `import "./a.js"`, `import{b}from"./a.js"` and `export*from"./a.js"`; those that come later are `import("./a.js")`. */
const IMPORTS = /(?:\bimport|\bfrom)\s*"(\.\/[^"]+\.js)"/g;

function addWith(files: Set<string>, file: string): void {
  if (files.has(file)) return;
  files.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORTS)) addWith(files, join(dirname(file), path ?? ''));
}

/** The smallest files are not compressed. */
const sentSize = (file: string): number => (statSync(`${file}.br`, { throwIfNoEntry: false }) ?? statSync(file)).size;
