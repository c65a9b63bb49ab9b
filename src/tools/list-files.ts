import { shownPath } from '../lib/confined-path.ts';
import { kindOf } from '../lib/walk-folder.ts';
import type { HeldFolder, Name } from '../lib/held-folder.ts';
import { defineTool } from './define-tool.ts';
import { inFolder } from './folder-access.ts';

export const listFilesTool = defineTool<{ path?: string }>({
  name: 'list_files',
  description: 'List one folder, with the size of files in bytes.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string' },
    },
    additionalProperties: false,
  },
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
