import { splitPath } from '../lib/confined-path.ts';
import { defineTool, refusedTool } from './define-tool.ts';
import { textOf } from './file-text.ts';
import { CONTROL_FOLDERS, plainPath, readInFolder, writeInFolder } from './folder-access.ts';

export const editFileTool = defineTool<{ path: string; old: string; new: string }>({
  name: 'edit_file',
  description: 'Replace one piece of a text file. `old` must occur in it exactly once, character by character.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      old: { type: 'string', minLength: 1 },
      new: { type: 'string' },
    },
    required: ['path', 'old', 'new'],
    additionalProperties: false,
  },
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
