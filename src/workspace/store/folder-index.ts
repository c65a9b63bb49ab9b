import { hash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import { stampParts } from './entry-stamp.ts';
import type { FolderState, SeenEntry } from './folder-state.ts';
import { emptyState } from './folder-state.ts';
import type { TreeEntry } from './port.ts';

/**
 * What is remembered of a folder beyond the end of the process: the stamps of its files and the hashes of what is in them.
 * A hint only. Lost, damaged or of another folder it is as if there were none, and every file is read.
 */
export async function readIndex(path: string, folder: string): Promise<FolderState> {
  try {
    const bytes = await readFile(path, 'latin1');
    const end = bytes.indexOf('\0');
    const body = bytes.slice(end + 1);
    const header = JSON.parse(Buffer.from(bytes.slice(0, end), 'latin1').toString('utf8')) as IndexHeader;
    if (header.format !== FORMAT || header.folder !== folder || header.checksum !== checksumOf(body)) return NOTHING;
    const lines = body === '' ? [] : body.split('\0');
    return { ...NOTHING, entries: new Map(lines.map(parseLine)), away: header.away };
  } catch {
    return NOTHING;
  }
}

interface IndexHeader {
  readonly format: number;
  readonly folder: string;
  readonly checksum: string;
  readonly away: readonly BytePath[];
}

const FORMAT = 1;
/** Belongs to no store: all it names is looked up before it is believed. */
const NOTHING: FolderState = emptyState('of no store');

function checksumOf(body: string): string {
  return hash('sha1', Buffer.from(body, 'latin1'));
}

function parseLine(line: string): [BytePath, SeenEntry] {
  const blobAt = line.indexOf('\t') + 1;
  const pathAt = line.indexOf('\t', blobAt) + 1;
  const [stamp, blob, path] = [line.slice(0, blobAt - 1), line.slice(blobAt, pathAt - 1), line.slice(pathAt)];
  const { kind, mode } = stampParts(stamp);
  const entry: TreeEntry = kind === 'link' ? { kind, blob } : { kind: 'file', mode: mode & 0o777, blob };
  const hasSpecialBits = kind === 'file' && (mode & 0o7000) !== 0;
  return [path, { stamp, folder: folderOf(path), entry, isSettled: true, hasSpecialBits }];
}

/** Not made durable: what is lost costs time only. */
export async function writeIndex(path: string, folder: string, state: FolderState): Promise<void> {
  const lines: string[] = [];
  for (const [name, { stamp, entry, isSettled }] of state.entries) {
    if (isSettled && 'blob' in entry) lines.push(`${stamp}\t${entry.blob}\t${name}`);
  }
  const body = lines.join('\0');
  const header: IndexHeader = { format: FORMAT, folder, checksum: checksumOf(body), away: state.away };
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const start = Buffer.from(`${JSON.stringify(header)}\0`, 'utf8');
    await writeFile(temporary, Buffer.concat([start, Buffer.from(body, 'latin1')]), { mode: 0o600 });
    await rename(temporary, path);
  } catch {
    await unlink(temporary).catch(() => undefined);
  }
}
