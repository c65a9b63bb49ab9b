import type { ProblemCode } from '../core/codes/problem-codes.ts';
import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../core/model/fault.ts';
import { checked, type Checked, refusedSource } from './checked.ts';
import { MAX_SOURCE_BYTES } from './source-error.ts';
import { errorCode } from '../lib/held-folder.ts';

/** The text of a file: UTF-8, of bounded size, a real file. Never reads more than the limit. */
export async function readSourceFile(path: string, options: { readonly file?: string } = {}): Promise<Checked<string>> {
  const file = options.file ?? path;
  const refuse = (code: ProblemCode, message: string): Checked<string> => refusedSource([problem(file, code, message)]);
  try {
    const bytes = await readBytes(path);
    if (bytes === 'not a file') return refuse('SOURCE_UNREADABLE', 'This is not a file.');
    if (bytes.length > MAX_SOURCE_BYTES) {
      return refuse('SOURCE_TOO_LARGE', `The file is larger than ${MAX_SOURCE_BYTES} bytes.`);
    }
    return checked(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), []);
  } catch (error) {
    if (error instanceof TypeError) return refuse('SOURCE_NOT_TEXT', 'The file is not UTF-8 text.');
    return refuse('SOURCE_UNREADABLE', `The file cannot be read: ${reason(error)}.`);
  }
}

/** At most one byte more than the limit; growth of the file meanwhile is ignored; a pipe is never waited for. */
async function readBytes(path: string): Promise<Uint8Array | 'not a file'> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) return 'not a file';
    if (found.size > MAX_SOURCE_BYTES) return new Uint8Array(MAX_SOURCE_BYTES + 1);
    const buffer = new Uint8Array(found.size + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}

function reason(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EACCES') return 'permission is denied';
  return code === '' ? String(error) : code;
}

function problem(file: string, code: ProblemCode, message: string): Problem {
  return { code, message, severity: 'error', file };
}

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** The entries of a folder, without hidden files, in the order of names. A missing folder is empty; an unreadable one is a problem. */
export async function listFolder(folder: string): Promise<Checked<readonly FolderEntry[]>> {
  try {
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
    return checked(await Promise.all(names.map((name) => entry(folder, name))), []);
  } catch (error) {
    const code = errorCode(error) || String(error);
    if (code === 'ENOENT') return checked([], []);
    const message = `The folder cannot be read: ${code}.`;
    return refusedSource([{ code: 'SOURCE_UNREADABLE', message, severity: 'error', file: folder }]);
  }
}

/** A link counts as its target; a broken one is reported when it is read. */
async function entry(folder: string, name: string): Promise<FolderEntry> {
  const found = await stat(join(folder, name)).catch(() => null);
  return { name, isFolder: found?.isDirectory() === true };
}
