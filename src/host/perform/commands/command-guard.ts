import type { TreeId } from '../../../core/model/ids.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import { folderOf, foldersAbove } from '../../../workspace/byte-path.ts';
import { GlobInvalid, globMatcher } from '../../../tools/glob.ts';
import type { TreeEntry, TreeStore } from '../../../workspace/store/port.ts';
import { guardedPartsOf, type Parts } from './guarded-parts.ts';
import { reachedCommands, scriptsNamed } from './reached-commands.ts';
import { isRunnerConfig, isTestFile } from './steering-files.ts';
import { asBytes, asText } from '../files/text-path.ts';

/** The files of a project that decide what a command does. */
export interface Guard {
  readonly whole: (path: string) => boolean;
  readonly parts: (path: string) => Parts | null;
  /** A new file that steers existing ones. */
  readonly added: (path: string) => boolean;
}

export interface GuardOrder {
  /** The tree that the implementer started with. */
  readonly base: TreeId;
  readonly command: string;
  /** Patterns of the user's: a plain one guards, one after `!` frees what a rule would guard. */
  readonly protect: readonly string[];
}

/**
 * Guards the existing tests, the scripts and settings that the command leads to, and what the user named. New settings next
 * to them are guarded too; but in a project without tests, the tests and how they run are part of the work.
 */
export async function guardOf(store: TreeStore, { base, command, protect }: GuardOrder): Promise<Guard> {
  const entries = await store.entries(base);
  const paths = [...entries].filter(([, { kind }]) => kind !== 'folder').map(([path]) => asText(path));
  const commands = reachedCommands(command, await scriptsOf(store, entries.get('package.json')));
  const scripts = new Set(scriptsNamed(commands, (path) => entries.has(asBytes(path))));
  const named = matcher(protect.filter((pattern) => !pattern.startsWith('!')));
  const freed = matcher(protect.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)));
  const isSteering = (path: string): boolean => isTestFile(path) || isRunnerConfig(path, commands) || scripts.has(path);
  const folders = new Set(paths.some(isTestFile) ? ['', ...paths.filter(isSteering).flatMap(foldersAbove)] : []);
  return {
    whole: (path) => named(path) || (isSteering(path) && !freed(path)),
    parts: (path) => (freed(path) ? null : guardedPartsOf(path)),
    added: (path) => isRunnerConfig(path, commands) && folders.has(folderOf(path)) && !freed(path),
  };
}

async function scriptsOf(store: TreeStore, entry: TreeEntry | undefined): Promise<Readonly<Record<string, string>>> {
  const text = entry?.kind === 'file' ? (await store.read(entry.blob)).toString('utf8') : null;
  try {
    const parsed = JSON.parse(text ?? '{}') as Json;
    const scripts = isJsonObject(parsed) && isJsonObject(parsed['scripts']) ? parsed['scripts'] : {};
    return Object.fromEntries(
      Object.entries(scripts).filter((one): one is [string, string] => typeof one[1] === 'string'),
    );
  } catch {
    return {};
  }
}

/** The name of a folder stands for everything in it. */
function matcher(patterns: readonly string[]): (path: string) => boolean {
  const matches = patterns.flatMap((pattern) => {
    const plain = pattern.replace(/^\.?\//, '').replace(/\/$/, '');
    try {
      return [globMatcher(plain), globMatcher(`${plain}/**`)];
    } catch (error) {
      if (error instanceof GlobInvalid) return [(path: string) => path === plain];
      throw error;
    }
  });
  return (path) => matches.some((match) => match(path));
}
