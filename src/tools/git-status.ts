import { defineTool, refused } from './define-tool.ts';
import { NO_REPOSITORY, withRepository } from './git/ask-git.ts';

export const gitStatusTool = defineTool<Record<string, never>>({
  name: 'git_status',
  description: 'Show the branch and the changed, staged and untracked files.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
  repeat: 'safe',
  access: 'read',
  async run(_input, context) {
    const text = await withRepository(context, async (ask) => {
      const { output } = await ask(['status', '--short', '--branch', '--ignore-submodules=all', '--no-renames']);
      return output.trimEnd().includes('\n') ? output.trimEnd() : `${output.trimEnd()}\nNothing is changed.`;
    });
    return text ?? refused(NO_REPOSITORY);
  },
});
