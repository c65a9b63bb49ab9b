import { defineTool, refused } from './define-tool.ts';
import { plainPath, writeInFolder } from './folder-access.ts';

export const writeFileTool = defineTool<{ path: string; content: string }>({
  name: 'write_file',
  description: 'Write a file with exactly this content. Makes missing folders; replaces a file that is there.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Relative to the project folder, such as src/main.ts' },
      content: { type: 'string', description: 'The whole new content of the file' },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  repeat: 'safe',
  access: 'write',
  onlyFiles: true,
  async run({ path, content }, { folder }) {
    const bytes = Buffer.byteLength(content);
    if (bytes > MAX_BYTES) return refused(`The content has ${bytes} bytes; at most ${MAX_BYTES} are written.`);
    const { created } = await writeInFolder(folder, path, content);
    const told = `${created ? 'Created' : 'Replaced'} ${path} (${bytes} bytes).`;
    return { content: told, isError: false, changed: [plainPath(path)] };
  },
});

const MAX_BYTES = 10 * 1024 * 1024;
