import { splitPath } from '../lib/confined-path.ts';
import { defineTool, refusedTool } from './define-tool.ts';
import { NO_REPOSITORY, withRepository } from './git/ask-git.ts';
import type { AskGit } from './git/ask-git.ts';
import { commitId, headOrNothing, REVISION } from './git/revision.ts';

interface DiffInput {
  readonly from?: string;
  readonly to?: string;
  readonly path?: string;
  readonly stat?: boolean;
}

export const gitDiffTool = defineTool<DiffInput>({
  name: 'git_diff',
  description:
    "Show what changed since the run began, new files included. The user's own uncommitted work is part of that beginning. With from: since that commit.",
  parameters: {
    type: 'object',
    properties: {
      from: { ...REVISION, description: 'A commit to compare with. Default: the beginning of the run' },
      to: { ...REVISION, description: 'A commit, beside from. Default: the files as they are' },
      path: { type: 'string', minLength: 1, description: 'A file or folder' },
      stat: { type: 'boolean', description: 'Only names and numbers of lines' },
    },
    additionalProperties: false,
  },
  repeat: 'safe',
  access: 'read',
  async run(input, context) {
    const path = splitPath(input.path ?? '.').join('/') || null;
    const changes = context.services?.changes;
    if (changes !== undefined && input.from === undefined && input.to === undefined)
      return (await changes({ path, isStat: input.stat === true })).text;
    const text = await withRepository(context, async (ask) => {
      const scope = path === null ? [] : [path];
      if (input.to === undefined) await addNewFiles(ask, scope);
      const { output } = await ask([...COMMAND, ...(await choice(ask, input)), '--', ...scope]);
      return output === '' ? 'Nothing is changed.' : output;
    });
    return text ?? refusedTool(NO_REPOSITORY);
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

async function choice(ask: AskGit, { from, to, stat }: DiffInput): Promise<readonly string[]> {
  const start = from === undefined ? await headOrNothing(ask) : await commitId(ask, from);
  return [...(stat === true ? ['--stat=120'] : []), start, ...(to === undefined ? [] : [await commitId(ask, to)])];
}
