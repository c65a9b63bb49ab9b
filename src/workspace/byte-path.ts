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
