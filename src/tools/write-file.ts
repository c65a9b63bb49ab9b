import { defineTool, refusedTool } from './define-tool.ts';
import { plainPath, writeInFolder } from './folder-access.ts';

export const writeFileTool = defineTool<{ path: string; content: string }>({
  name: 'write_file',
  description: 'Write a whole file. Makes missing folders and replaces an existing file.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      content: { type: 'string' },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  repeat: 'safe',
  access: 'write',
  onlyFiles: true,
  async run({ path, content }, { folder }) {
    const bytes = Buffer.byteLength(content);
    if (bytes > MAX_BYTES) return refusedTool(`The content has ${bytes} bytes; at most ${MAX_BYTES} are written.`);
    const { created } = await writeInFolder(folder, path, content);
    const told = `${created ? 'Created' : 'Replaced'} ${path} (${bytes} bytes).`;
    return { content: told, isError: false, changed: [plainPath(path)] };
  },
});

const MAX_BYTES = 10 * 1024 * 1024;
