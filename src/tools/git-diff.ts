import { splitPath } from '../lib/confined-path.ts';
import { defineTool, refused } from './define-tool.ts';
import { NO_REPOSITORY, withRepository } from './git/ask-git.ts';
import type { AskGit } from './git/ask-git.ts';
import { commitId, headOrNothing, REVISION } from './git/revision.ts';

interface DiffInput {
  readonly from?: string;
  readonly to?: string;
  readonly staged?: boolean;
  readonly path?: string;
  readonly stat?: boolean;
}

export const gitDiffTool = defineTool<DiffInput>({
  name: 'git_diff',
  description: 'Show changes as a patch: of all files since the last commit, new files included, or between commits.',
  parameters: {
    type: 'object',
    properties: {
      from: { ...REVISION, description: 'A commit, branch or tag; the last commit when left out' },
      to: { ...REVISION, description: 'A commit, branch or tag; the files as they are now when left out' },
      staged: { type: 'boolean', description: 'Only what is staged' },
      path: { type: 'string', minLength: 1, description: 'Only this file or folder, relative to the project folder' },
      stat: { type: 'boolean', description: 'Only how many lines changed in which files' },
    },
    additionalProperties: false,
  },
  repeat: 'safe',
  access: 'read',
  async run(input, context) {
    if (input.staged === true && input.to !== undefined) return refused('Give either staged or to.');
    const path = input.path === undefined ? null : splitPath(input.path).join('/');
    const text = await withRepository(context, async (ask) => {
      const scope = path === null ? [] : [path];
      if (input.to === undefined && input.staged !== true) await addNewFiles(ask, scope);
      const { output } = await ask([...COMMAND, ...(await choice(ask, input)), '--', ...scope]);
      return output === '' ? 'Nothing is changed.' : output;
    });
    return text ?? refused(NO_REPOSITORY);
  },
});

/** No program of the repository's choosing compares or converts; no other repository is looked into. */
const COMMAND = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=all',
  '--submodule=short',
];

/** In the throw-away copy of the index only. A name that ends with a slash is another repository. */
async function addNewFiles(ask: AskGit, scope: readonly string[]): Promise<void> {
  const { rawOutput, truncated } = await ask(['ls-files', '--others', '--exclude-standard', '-z', '--', ...scope]);
  const names = rawOutput
    .toString('utf8')
    .split('\0')
    .slice(0, truncated ? -1 : undefined);
  const files = names.filter((name) => name !== '' && !name.endsWith('/') && !name.includes('\uFFFD'));
  if (files.length > 0) await ask(['add', '--intent-to-add', '--force', '--', ...files.slice(0, MOST_NEW)]);
}

const MOST_NEW = 500;

async function choice(ask: AskGit, { from, to, staged, stat }: DiffInput): Promise<readonly string[]> {
  const start = from === undefined ? await headOrNothing(ask) : await commitId(ask, from);
  return [
    ...(stat === true ? ['--stat=120'] : []),
    ...(staged === true ? ['--cached'] : []),
    start,
    ...(to === undefined ? [] : [await commitId(ask, to)]),
  ];
}
