import { rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { withHomeFolder } from '../home-folder.ts';
import { removePlanted } from '../planted-settings.ts';
import { codexFolder } from './codex-environment.ts';

/** The settings of a turn, where the client finds them by their name. */
export interface TurnProfile {
  readonly name: string;
  remove(): Promise<void>;
}

/** Whatever an earlier turn left as settings of its own is gone before: it would apply to everybody in the run. */
export async function writeTurnProfile(home: string, name: string, text: string): Promise<TurnProfile> {
  const way = [basename(codexFolder(home))];
  const file = `${name}.config.toml`;
  await removePlanted(home, { way, names: CODEX_SETTINGS });
  await withHomeFolder(home, way, (folder) => writeFile(folder.at(file), text, { mode: 0o600, flag: 'wx' }));
  return { name, remove: () => withHomeFolder(home, way, (folder) => rm(folder.at(file), { force: true })) };
}

/** Files and folders of its own folder by which it is told what to do. */
export const CODEX_SETTINGS = [
  'config.toml',
  'hooks.json',
  'AGENTS.md',
  'AGENTS.override.md',
  'rules',
  'prompts',
  'skills',
];
