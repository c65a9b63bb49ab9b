import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codexFolder } from './codex-environment.ts';

/** The settings of a turn, where the client finds them by their name. */
export interface TurnProfile {
  readonly name: string;
  remove(): Promise<void>;
}

/** Whatever an earlier turn left as settings of its own is gone before: it would apply to everybody in the run. */
export async function writeTurnProfile(home: string, name: string, text: string): Promise<TurnProfile> {
  const folder = codexFolder(home);
  const file = join(folder, `${name}.config.toml`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await Promise.all(PLANTED.map((each) => rm(join(folder, each), { recursive: true, force: true })));
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return { name, remove: () => rm(file, { force: true }) };
}

const PLANTED = ['config.toml', 'hooks.json', 'AGENTS.md', 'AGENTS.override.md', 'rules'];
