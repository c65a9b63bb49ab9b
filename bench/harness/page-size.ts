import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface PageSize {
  readonly files: number;
  readonly gzipBytes: number;
}

/** All JavaScript that a browser loads before anything is shown: what the page names, and what that imports. */
export function pageSize(folder: string): PageSize {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = new Set<string>();
  for (const [, path] of html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)) addWith(files, join(folder, path ?? ''));
  const gzipBytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  return { files: files.size, gzipBytes };
}

/** `import "./a.js"`, `import{b}from"./a.js"` and `export*from"./a.js"`; those that come later are `import("./a.js")`. */
const IMPORTS = /(?:\bimport|\bfrom)\s*"(\.\/[^"]+\.js)"/g;

function addWith(files: Set<string>, file: string): void {
  if (files.has(file)) return;
  files.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORTS)) addWith(files, join(dirname(file), path ?? ''));
}
