import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FrozenRules } from '../ignore/frozen-rules.ts';
import { gitOutput } from '../git.ts';
import type { TreeStore } from '../store/port.ts';

/**
 * A repository that stands for the user's on a machine that does not have it: one commit, with what the run began with. Its
 * objects are copies, since agents may read them and the store holds more than their own run. Nothing where the project is no
 * git project, or the stand-in is there.
 */
export async function makeStandIn(folder: string, store: TreeStore, rules: FrozenRules): Promise<void> {
  if (rules.source !== 'git' || existsSync(folder)) return;
  const draft = `${folder}-${randomBytes(6).toString('hex')}`;
  const own = join(draft, '.git');
  try {
    await Promise.all(
      ['objects/pack', 'info', 'refs/heads'].map((name) => mkdir(join(own, name), { recursive: true })),
    );
    await Promise.all([
      writeFile(join(own, 'config'), configText(rules)),
      writeFile(join(own, 'HEAD'), 'ref: refs/heads/main\n'),
      writeFile(join(own, 'info', 'exclude'), excludeText(rules), 'latin1'),
      writeFile(join(own, NO_EXCLUDES), ''),
    ]);
    await commitTree(draft, store, rules);
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another run of the same tree was faster.
    if (!existsSync(folder)) throw error;
  }
}

/** An empty file, so that global ignore rules of this machine do not apply. */
const NO_EXCLUDES = 'info/no-excludes';

function configText({ ignoreCase }: FrozenRules): string {
  const core = ['repositoryformatversion = 0', 'bare = false', `ignorecase = ${ignoreCase}`];
  const lines = [...core, `excludesfile = .git/${NO_EXCLUDES}`].map((line) => `\t${line}\n`).join('');
  return `[core]\n${lines}[user]\n\tname = Troupe\n\temail = troupe@troupe.invalid\n`;
}

/** The first two are those that stand in no tree. */
const excludeText = ({ files }: FrozenRules): string =>
  files
    .slice(0, 2)
    .map(({ text }) => `${text}\n`)
    .join('');

async function commitTree(folder: string, store: TreeStore, { began }: FrozenRules): Promise<void> {
  // Brings the tree here where it is not.
  await store.entries(began);
  const pack = join(folder, '.git/objects/pack/pack');
  const inStore = { cwd: store.gitDir, env: { GIT_DIR: store.gitDir } };
  const files = await text(gitOutput(['rev-parse', '--verify', `${began}:files`], inStore));
  await gitOutput(['pack-objects', '-q', '--revs', '--window=0', pack], { ...inStore, input: `${files}\n` });
  const here = { cwd: folder, env: { GIT_DIR: join(folder, '.git') } };
  const commit = await text(gitOutput(['commit-tree', '-m', 'The project as the run began', files], here));
  await gitOutput(['update-ref', 'refs/heads/main', commit], here);
  await gitOutput(['read-tree', files], here);
}

const text = async (output: Promise<Buffer>): Promise<string> => (await output).toString('latin1').trim();
