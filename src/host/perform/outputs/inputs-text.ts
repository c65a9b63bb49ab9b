import type { Json, JsonObject } from '../../../core/model/json.ts';
import { PathRefused, shownPath } from '../../../lib/confined-path.ts';
import { readInFolder } from '../../../tools/folder-access.ts';
import { seeFile } from './seen-file.ts';

/** A file is shown whole up to this size. */
const MOST_FILE_BYTES = 16 * 1024;
/** All of it together. */
const MOST_BYTES = 60 * 1024;

/**
 * The inputs of a phase, as its agent reads them: `NAME: value`. A value that is the path of a file is shown with the file's
 * content if there is room; otherwise with its size, so that the agent knows what to read.
 */
export async function inputsText(folder: string, inputs: JsonObject): Promise<string> {
  const items = await Promise.all(Object.entries(inputs).map(([name, value]) => itemOf(folder, name, value)));
  const heads = items.map(({ head }) => head);
  let left = MOST_BYTES - Buffer.byteLength(heads.join('\n'));
  const blocks = items.map(({ head, files }) => {
    const shown = files.map((file) => {
      const block = blockOf(file);
      const size = block === null ? Infinity : Buffer.byteLength(block) + 1;
      if (block === null || size > left) return [];
      left -= size;
      return [block];
    });
    return [head, ...shown.flat()].join('\n');
  });
  return cut(blocks.join('\n'), MOST_BYTES);
}

interface Item {
  readonly head: string;
  readonly files: readonly ShownFile[];
}

interface ShownFile {
  readonly path: string;
  readonly bytes: number;
  /** Null if it is too large, or no text. */
  readonly text: string | null;
}

async function itemOf(folder: string, name: string, value: Json): Promise<Item> {
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')) {
    return await listItem(folder, name, value);
  }
  const file = typeof value === 'string' ? await fileAt(folder, value) : null;
  if (file !== null) return { head: `${name}: ${nameOf(file)}`, files: [file] };
  return { head: `${name}: ${plain(value)}`, files: [] };
}

async function listItem(folder: string, name: string, values: readonly string[]): Promise<Item> {
  const files: ShownFile[] = [];
  const lines: string[] = [];
  for (const value of values) {
    const file = await fileAt(folder, value);
    if (file !== null) files.push(file);
    lines.push(`- ${file === null ? value : nameOf(file)}`);
  }
  return { head: [`${name}:`, ...lines].join('\n'), files };
}

const nameOf = ({ path, bytes }: ShownFile): string => `${shownPath(path)} (${bytes} bytes)`;

function plain(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return value.includes('\n') ? `\n${value}` : value;
}

/** Null for values that are no file of the workspace: most are plain text. */
async function fileAt(folder: string, value: string): Promise<ShownFile | null> {
  if (value.length > 1000 || value.includes('\n') || value.trim() !== value) return null;
  const seen = await seeFile(folder, value);
  if (seen.kind === 'none') return null;
  const { path, bytes } = seen;
  return { path, bytes, text: bytes > MOST_FILE_BYTES ? null : await textOf(folder, path) };
}

async function textOf(folder: string, path: string): Promise<string | null> {
  try {
    const bytes = await readInFolder(folder, path, MOST_FILE_BYTES);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch (error) {
    if (error instanceof PathRefused || error instanceof TypeError) return null;
    throw error;
  }
}

/** Fenced with more backticks than the text has in a row, so that nothing in it ends the block. */
function blockOf({ path, text }: ShownFile): string | null {
  if (text === null || text === '') return null;
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${shownPath(path)}\n${text.endsWith('\n') ? text : `${text}\n`}${fence}`;
}

function cut(text: string, most: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= most) return text;
  const note = `\n[… ${bytes.length - most} more bytes were left out]`;
  return `${bytes
    .subarray(0, most - NOTE_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '')}${note}`;
}

const NOTE_BYTES = 60;
