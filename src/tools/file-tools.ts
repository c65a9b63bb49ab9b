import { defineTool, refusedTool, objectSchema } from './define-tool.ts';
import {
  CONTROL_FOLDERS,
  inFolder,
  isBinary,
  plainPath,
  readInFolder,
  textOf,
  writeInFolder,
} from './folder-access.ts';
import type { ToolResult } from './port.ts';
import { shownPath, splitPath } from '../lib/confined-path.ts';
import { kindOf } from '../workspace/walk-folder.ts';
import type { HeldFolder, Name } from '../lib/held-folder.ts';

export const readFileTool = defineTool<{ path: string; offset?: number; limit?: number }>({
  name: 'read_file',
  description: 'Read a text file. The middle of a long one is left out; read it by offset and limit.',
  parameters: objectSchema(['path'], {
    path: { type: 'string' },
    offset: { type: 'integer', minimum: 1, description: 'First line, from 1' },
    limit: { type: 'integer', minimum: 1, description: 'Number of lines' },
  }),
  repeat: 'safe',
  access: 'read',
  async run({ path, offset, limit }, { folder }) {
    const bytes = await readInFolder(folder, path, MAX_FILE_BYTES);
    if (isBinary(bytes)) return refusedTool(`${path} is a binary file of ${bytes.length} bytes.`);
    if (bytes.length === 0) return 'The file is empty.';
    const text = bytes.toString('utf8');
    return offset === undefined && limit === undefined ? text : part(text, offset ?? 1, limit ?? Infinity);
  },
});

const MAX_FILE_BYTES = 16 * 1024 * 1024;

function part(text: string, offset: number, limit: number): ToolResult {
  const lines = text.split('\n');
  if (offset > lines.length) return refusedTool(`The file has ${lines.length} lines; there is no line ${offset}.`);
  const shown = lines.slice(offset - 1, offset - 1 + limit).join('\n');
  const last = offset + shown.split('\n').length - 1;
  const remark = last < lines.length ? `\n[lines ${offset} to ${last} of ${lines.length}]` : '';
  return { content: shown + remark, isError: false };
}

export const writeFileTool = defineTool<{ path: string; content: string }>({
  name: 'write_file',
  description: 'Write a whole file. Makes missing folders and replaces an existing file.',
  parameters: objectSchema(['path', 'content'], {
    path: { type: 'string' },
    content: { type: 'string' },
  }),
  repeat: 'safe',
  access: 'write',
  onlyFiles: true,
  async run({ path, content }, { folder }) {
    const bytes = Buffer.byteLength(content);
    if (bytes > MAX_BYTES) return refusedTool(`The content has ${bytes} bytes; at most ${MAX_BYTES} are written.`);
    const { created } = await writeInFolder(folder, path, content);
    const report = `${created ? 'Created' : 'Replaced'} ${path} (${bytes} bytes).`;
    return { content: report, isError: false, changed: [plainPath(path)] };
  },
});

export const editFileTool = defineTool<{ path: string; old: string; new: string }>({
  name: 'edit_file',
  description: 'Replace one piece of a text file. `old` must occur in it exactly once, character by character.',
  parameters: objectSchema(['path', 'old', 'new'], {
    path: { type: 'string' },
    old: { type: 'string', minLength: 1 },
    new: { type: 'string' },
  }),
  // Done twice, an edit whose new text contains the old one would be applied twice.
  repeat: 'unsafe',
  access: 'write',
  onlyFiles: true,
  async run({ path, old, new: replacement }, { folder }) {
    splitPath(path, { reserved: CONTROL_FOLDERS });
    const text = textOf(await readInFolder(folder, path, MAX_BYTES));
    if (text === null) return refusedTool(`${path} is not UTF-8 text; it cannot be edited.`);
    if (old === replacement) return refusedTool('old and new are the same; nothing to do.');
    const edit = fitLineEnds(text, { old, new: replacement });
    const count = occurrences(text, edit.old);
    if (count === 0) return refusedTool(notFound(path, text, old));
    if (count > 1)
      return refusedTool(
        `old occurs ${count} times in ${path}; include more of its surroundings so that it is unique.`,
      );
    await writeInFolder(
      folder,
      path,
      text.replace(edit.old, () => edit.new),
    );
    return { content: `Edited ${path}.`, isError: false, changed: [plainPath(path)] };
  },
});

const MAX_BYTES = 10 * 1024 * 1024;

interface Edit {
  readonly old: string;
  readonly new: string;
}

/** Agents write plain line feeds; in a file that has CRLF everywhere that is what they mean. */
function fitLineEnds(text: string, edit: Edit): Edit {
  const isCrlf = text.includes('\r\n') && !/[^\r]\n/.test(text);
  if (!isCrlf || edit.old.includes('\r')) return edit;
  return { old: edit.old.replaceAll('\n', '\r\n'), new: edit.new.replaceAll(/\r?\n/g, '\r\n') };
}

function occurrences(text: string, piece: string): number {
  let count = 0;
  // Overlapping ones count: which of them is meant would be a guess.
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + 1)) count += 1;
  return count;
}

function notFound(path: string, text: string, old: string): string {
  const squeeze = (value: string) => value.replaceAll(/\s+/g, ' ').trim();
  const isOnlyBlanks = squeeze(text).includes(squeeze(old));
  const advice = isOnlyBlanks
    ? 'It is there with other blanks or line ends; copy it exactly.'
    : 'Read the file and copy the text exactly.';
  return `old does not occur in ${path}. ${advice}`;
}

export const listFilesTool = defineTool<{ path?: string }>({
  name: 'list_files',
  description: 'List one folder, with the size of files in bytes.',
  parameters: objectSchema([], {
    path: { type: 'string' },
  }),
  repeat: 'safe',
  access: 'read',
  async run({ path = '.' }, { folder }) {
    return inFolder(folder, path, async (held) => {
      const entries = await held.entries();
      const lines = await Promise.all(entries.slice(0, MAX_ENTRIES).map(({ name }) => describe(held, name)));
      if (entries.length > MAX_ENTRIES) lines.push(`[… ${entries.length - MAX_ENTRIES} more left out …]`);
      return lines.length === 0 ? 'The folder is empty.' : lines.join('\n');
    });
  },
});

const MAX_ENTRIES = 1000;

async function describe(held: HeldFolder, name: Name): Promise<string> {
  const stats = await held.look(name);
  const shown = shownPath(name);
  if (stats === null) return `${shown} (gone)`;
  const kind = kindOf(stats);
  if (kind === 'folder') return `${shown}/`;
  return kind === 'file'
    ? `${shown} (${stats.size})`
    : `${shown} (${kind === 'link' ? 'symbolic link' : 'special file'})`;
}
