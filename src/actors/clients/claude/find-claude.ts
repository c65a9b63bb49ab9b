import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { isProgram, type FoundProgram } from '../found-program.ts';

/** The user's `claude`: on the path, or where its installers put it. Null where there is none. */
export function findClaude(environment: NodeJS.ProcessEnv): FoundProgram | null {
  const home = environment['HOME'] ?? homedir();
  const onPath = (environment['PATH'] ?? '').split(':').filter((entry) => isAbsolute(entry));
  const places = [...onPath, join(home, '.local/bin'), join(home, '.claude/local')];
  const path = places.map((folder) => join(folder, 'claude')).find((file) => existsSync(file));
  return path === undefined ? null : resolveClaude(path);
}

/** What a path leads to: links are followed, and from the npm package's script to the program beside it. */
export function resolveClaude(path: string): FoundProgram {
  const real = realpathSync(path);
  if (isProgram(real)) return { path: real, isNative: true };
  const beside = candidates(real).find((file) => existsSync(file) && isProgram(file));
  return beside === undefined ? { path: real, isNative: false } : { path: realpathSync(beside), isNative: true };
}

/** Where npm puts the package with the program, from the script upwards. */
function candidates(script: string): readonly string[] {
  const name = `claude-code-${process.platform}-${process.arch}`;
  const names = [name, `${name}-musl`].map((each) => join(each, 'claude'));
  const found: string[] = [];
  for (let folder = dirname(script); folder !== dirname(folder); folder = dirname(folder)) {
    for (const each of names) found.push(join(folder, each), join(folder, 'node_modules/@anthropic-ai', each));
  }
  return found;
}
