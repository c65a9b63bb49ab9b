import { shownPath } from '../lib/confined-path.ts';
import { defineTool } from './define-tool.ts';
import { inFolder } from './folder-access.ts';
import { globMatcher } from './glob-pattern.ts';
import { joined, walkFiles } from './walk-files.ts';

export const globTool = defineTool<{ pattern: string }>({
  name: 'glob',
  description: 'Find files by a pattern such as src/**/*.{ts,js}. Skips .git, .troupe and node_modules.',
  parameters: {
    type: 'object',
    properties: { pattern: { type: 'string', minLength: 1, maxLength: 1000 } },
    required: ['pattern'],
    additionalProperties: false,
  },
  repeat: 'safe',
  access: 'read',
  async run({ pattern }, { folder, signal }) {
    const matches = globMatcher(pattern);
    return inFolder(folder, '.', async (held) => {
      const found: string[] = [];
      for await (const { names } of walkFiles(held, signal)) {
        const path = joined(names);
        if (matches(path.toString('utf8'))) found.push(shownPath(path));
        if (found.length > MAX_FOUND) break;
      }
      if (found.length === 0) return 'No file matches.';
      if (found.length <= MAX_FOUND) return found.join('\n');
      return `${found.slice(0, MAX_FOUND).join('\n')}\n[… more left out; use a narrower pattern …]`;
    });
  },
});

const MAX_FOUND = 1000;
