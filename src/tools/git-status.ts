import { shownPath } from '../lib/confined-path.ts';
import { defineTool, refusedTool } from './define-tool.ts';
import { NO_REPOSITORY, withRepository } from './git/ask-git.ts';

export const gitStatusTool = defineTool<Record<string, never>>({
  name: 'git_status',
  description:
    "Show the branch, the files changed since the run began, and apart from them the user's own uncommitted files from before.",
  parameters: { type: 'object', properties: {}, additionalProperties: false },
  repeat: 'safe',
  access: 'read',
  async run(_input, context) {
    const changed = await context.services?.changes?.({ path: null, isStat: true });
    const entries = await withRepository(context, async (ask) => {
      const { rawOutput } = await ask([
        'status',
        '--short',
        '--branch',
        '-z',
        '--ignore-submodules=all',
        '--no-renames',
        '--untracked-files=all',
      ]);
      return rawOutput.toString('latin1').split('\0').filter(Boolean);
    });
    if (entries === null) return refusedTool(NO_REPOSITORY);
    const [branch = '', ...files] = entries;
    // Without the beginning of the run all that git sees is shown as one list.
    const before = files.filter((entry) => !changed?.paths.includes(bytesOf(entry).toString('utf8')));
    const list = before.map((entry) => `${entry.slice(0, 3)}${shownPath(bytesOf(entry))}`).join('\n');
    if (changed === undefined) return `${branch}\n${list === '' ? 'Nothing is changed.' : list}`;
    const users = list === '' ? '' : `\n\nUncommitted by the user before the run began, not part of the work:\n${list}`;
    return `${branch}\n\nSince the run began: ${changed.text}${users}`;
  },
});

/** Behind the two letters of its state. */
const bytesOf = (entry: string): Buffer => Buffer.from(entry.slice(3), 'latin1');
