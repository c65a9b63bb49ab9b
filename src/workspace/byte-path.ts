import { shownPath } from '../lib/confined-path.ts';

/**
 * A relative path as a string of bytes (one character for each byte), since a file's name need not be text.
 * Equal strings are equal files, sorting is by bytes, and it can be a key.
 */
export type BytePath = string;

export function toBytePath(names: readonly Buffer[]): BytePath {
  return names.map((name) => name.toString('latin1')).join('/');
}

export function toNames(path: BytePath): readonly Buffer[] {
  return path.split('/').map((name) => Buffer.from(name, 'latin1'));
}

export function folderOf(path: BytePath): BytePath {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

/** The last name of a path. */
export function nameIn(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function lastName(path: BytePath): Buffer {
  return Buffer.from(nameIn(path), 'latin1');
}

/** An entry of a folder; '' is the root. */
export function pathBelow(folder: BytePath, name: BytePath): BytePath {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The nearest first. */
export function foldersAbove(path: BytePath): readonly BytePath[] {
  const folders: BytePath[] = [];
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.push(folder);
  return folders;
}

/** Where a path lies below a folder on the disk: plain text where it is, since bytes take twice as long. */
export function diskPath(folder: string, path: BytePath): string | Buffer {
  return PLAIN.test(path)
    ? `${folder}/${path}`
    : Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

const PLAIN = /^[ -~]*$/;

/** As text, for other programs and for people; bytes that are none are replaced. */
export function pathText(path: BytePath): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

export function shownBytes(path: BytePath): string {
  return shownPath(Buffer.from(path, 'latin1'));
}

/** The path itself, or something in it. */
export function isWithin(path: BytePath, folder: BytePath): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** For JSON and people: plain text, or `{ bytes }` in hex where it is not UTF-8. */
export type WrittenPath = string | { readonly bytes: string };

export function toWritten(path: BytePath): WrittenPath {
  const bytes = Buffer.from(path, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : { bytes: bytes.toString('hex') };
}

export function fromWritten(path: WrittenPath): BytePath {
  return (typeof path === 'string' ? Buffer.from(path, 'utf8') : Buffer.from(path.bytes, 'hex')).toString('latin1');
}

/**
 * Whether a link stays in the folder it belongs to. By the text alone: from the link's folder up at most to the root, then
 * only down. A `..` further on is refused, since it would be taken from wherever another link leads.
 */
export function staysInside(path: BytePath, target: BytePath): boolean {
  if (target === '' || target.startsWith('/')) return false;
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  const ups = names.findIndex((name) => name !== '..');
  const up = ups === -1 ? names.length : ups;
  return up <= path.split('/').length - 1 && !names.slice(up).includes('..');
}
