import { defineTool, refusedTool } from './define-tool.ts';
import { isBinary } from './file-text.ts';
import { readInFolder } from './folder-access.ts';
import type { ToolResult } from './port.ts';

export const readFileTool = defineTool<{ path: string; offset?: number; limit?: number }>({
  name: 'read_file',
  description: 'Read a text file. The middle of a long one is left out; read it by offset and limit.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      offset: { type: 'integer', minimum: 1, description: 'First line, from 1' },
      limit: { type: 'integer', minimum: 1, description: 'Number of lines' },
    },
    required: ['path'],
    additionalProperties: false,
  },
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
  const wanted = lines.slice(offset - 1, offset - 1 + limit).join('\n');
  const last = offset + wanted.split('\n').length - 1;
  const remark = last < lines.length ? `\n[lines ${offset} to ${last} of ${lines.length}]` : '';
  return { content: wanted + remark, isError: false };
}
