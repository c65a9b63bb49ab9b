import { defineTool, refused } from './define-tool.ts';
import { isBinary } from './file-text.ts';
import { readInFolder } from './folder-access.ts';
import type { ToolResult } from './port.ts';

export const readFileTool = defineTool<{ path: string; offset?: number; limit?: number }>({
  name: 'read_file',
  description:
    'Read a text file. Gives at most 256 KB; use offset (first line, from 1) and limit (number of lines) for a part of a longer one.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Relative to the project folder, such as src/main.ts' },
      offset: { type: 'integer', minimum: 1, description: 'The first line to give, counted from 1' },
      limit: { type: 'integer', minimum: 1, description: 'How many lines to give' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  repeat: 'safe',
  access: 'read',
  async run({ path, offset, limit }, { folder }) {
    const bytes = await readInFolder(folder, path, MAX_FILE_BYTES);
    if (isBinary(bytes)) return refused(`${path} is a binary file of ${bytes.length} bytes.`);
    if (bytes.length === 0) return 'The file is empty.';
    const text = bytes.toString('utf8');
    return offset === undefined && limit === undefined ? whole(text) : part(text, offset ?? 1, limit ?? Infinity);
  },
});

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_TEXT_BYTES = 256 * 1024;

function whole(text: string): ToolResult {
  const kept = cut(text);
  if (kept === text) return { content: text, isError: false };
  const lines = text.split('\n').length;
  const seen = kept.split('\n').length;
  const remark = `[… cut after line ${seen} of ${lines}; read on with offset ${seen} …]`;
  return { content: `${kept}\n${remark}`, isError: false };
}

function part(text: string, offset: number, limit: number): ToolResult {
  const lines = text.split('\n');
  if (offset > lines.length) return refused(`The file has ${lines.length} lines; there is no line ${offset}.`);
  const wanted = lines.slice(offset - 1, offset - 1 + limit).join('\n');
  const kept = cut(wanted);
  const last = offset + kept.split('\n').length - 1;
  const remark = last < lines.length || kept !== wanted ? `\n[lines ${offset} to ${last} of ${lines.length}]` : '';
  return { content: kept + remark, isError: false };
}

/** At a line's end where possible, and never inside a character. */
function cut(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= MAX_TEXT_BYTES) return text;
  const kept = bytes.subarray(0, MAX_TEXT_BYTES).toString('utf8').replace(/�$/, '');
  const end = kept.lastIndexOf('\n');
  return end > 0 ? kept.slice(0, end) : kept;
}
