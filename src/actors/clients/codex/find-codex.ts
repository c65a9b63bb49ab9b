import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isProgram, type FoundProgram } from '../found-program.ts';

/** The user's `codex`: on the path, or where its installers put it. Null where there is none. */
export function findCodex(environment: NodeJS.ProcessEnv): FoundProgram | null {
  const home = environment['HOME'] ?? homedir();
  const onPath = (environment['PATH'] ?? '').split(':').filter((entry) => isAbsolute(entry));
  const places = [...onPath, join(home, '.local/bin')];
  const path = places.map((folder) => join(folder, 'codex')).find((file) => existsSync(file));
  return path === undefined ? null : resolveCodex(path);
}

/** What a path leads to: links are followed, and from the npm package's script to the program beside it. */
export function resolveCodex(path: string): FoundProgram {
  const real = realpathSync(path);
  if (isProgram(real)) return { path: real, isNative: true };
  const beside = vendorFolders(real).flatMap(programsIn).find(isProgram);
  return beside === undefined ? { path: real, isNative: false } : { path: realpathSync(beside), isNative: true };
}

/** Where npm puts the package with the program, from the script upwards. */
function vendorFolders(script: string): readonly string[] {
  const name = `codex-${process.platform}-${process.arch}`;
  const found: string[] = [];
  for (let folder = dirname(script); folder !== dirname(folder); folder = dirname(folder)) {
    const places = [join(folder, name), join(folder, 'node_modules/@openai', name), folder];
    found.push(...places.map((place) => join(place, 'vendor')));
  }
  return found;
}

/** One folder a target, such as `x86_64-unknown-linux-musl`. */
function programsIn(vendor: string): readonly string[] {
  return existsSync(vendor) ? readdirSync(vendor).map((target) => join(vendor, target, 'bin/codex')) : [];
}

/** What belongs to the program: its helpers lie in folders beside the one that it is in. */
export function installationFolder(program: string): string | null {
  const around = dirname(dirname(program));
  return basename(dirname(program)) === 'bin' && existsSync(join(around, 'codex-path')) ? around : null;
}
