import { splitPath } from '../lib/confined-path.ts';
import { defineTool, refusedTool } from './define-tool.ts';
import { NO_REPOSITORY, withRepository } from './git/ask-git.ts';
import { commitId, hasCommits, REVISION } from './git/revision.ts';

interface LogInput {
  readonly from?: string;
  readonly path?: string;
  readonly count?: number;
  readonly full?: boolean;
}

export const gitLogTool = defineTool<LogInput>({
  name: 'git_log',
  description: 'Show the commits up to the present one: id, date, author, subject.',
  parameters: {
    type: 'object',
    properties: {
      from: { ...REVISION, description: 'The newest commit, branch or tag to show' },
      path: { type: 'string', minLength: 1, description: 'A file or folder' },
      count: { type: 'integer', minimum: 1, maximum: 200, description: 'Default: 20' },
      full: { type: 'boolean', description: 'Whole messages and changed files' },
    },
    additionalProperties: false,
  },
  repeat: 'safe',
  access: 'read',
  async run({ from = 'HEAD', path, count = 20, full = false }, context) {
    const paths = path === undefined ? [] : [splitPath(path).join('/')];
    const text = await withRepository(context, async (ask) => {
      if (!(await hasCommits(ask))) return 'There are no commits yet.';
      const commit = await commitId(ask, from);
      const { output } = await ask([
        ...COMMAND,
        ...(full ? FULL : SHORT),
        `--max-count=${count}`,
        commit,
        '--',
        ...paths,
      ]);
      return output.trim() === '' ? 'No commit fits.' : output.trimEnd();
    });
    return text ?? refusedTool(NO_REPOSITORY);
  },
});

const COMMAND = ['log', '--no-color', '--no-show-signature', '--no-ext-diff', '--no-textconv', '--date=iso-strict'];
const SHORT = ['--format=%h %ad %an%d: %s'];
const FULL = ['--format=%n%h %ad %an <%ae>%d%n%n%w(0,4,4)%B', '--stat=120', '--ignore-submodules=all'];
