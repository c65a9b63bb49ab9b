import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import { staysInside } from '../inside-link.ts';

/** A file that notes bring in with `@path`; null where the path leads out of the project. */
export interface NoteImport {
  readonly shown: string;
  readonly path: BytePath | null;
}

/** The imports in notes, in order. What stands in code is an example and imports nothing. */
export function importsIn(text: string, file: BytePath): readonly NoteImport[] {
  const prose = text.replaceAll(/^(```|~~~).*?^\1/gms, '').replaceAll(/`[^`\n]*`/g, '');
  const found = [...prose.matchAll(/(?:^|\s)@([^\s"'<>()[\]]+)/g)].map(([, path = '']) =>
    path.replace(/[.,;:!?]+$/, ''),
  );
  return [...new Set(found)].filter((path) => path !== '').map((shown) => ({ shown, path: insidePath(shown, file) }));
}

/** The path in the project that a relative path in a file, or the target of a link, leads to; null where it leads out. */
export function insidePath(path: string, file: BytePath): BytePath | null {
  const bytes = Buffer.from(path).toString('latin1');
  if (path.startsWith('~') || path.includes('\0') || !staysInside(file, bytes)) return null;
  const names = folderOf(file)
    .split('/')
    .filter((name) => name !== '');
  for (const name of bytes.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}
