import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A git project of so many source files of one to two kilobytes, committed and packed. Returns the files' paths in it. */
export function makeSourceProject(project: string, files: number): readonly string[] {
  const made: string[] = [];
  for (let at = 0; at < files; at += 1) {
    const place = join('src', `m${at % 20}`, `p${Math.floor(at / 20) % Math.max(1, files / 400)}`);
    mkdirSync(join(project, place), { recursive: true });
    made.push(join(place, `file${at}.ts`));
    writeFileSync(join(project, made.at(-1) ?? ''), `export const value${at} = ${at};\n`.repeat(10 + (at % 50)));
  }
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, '-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid', 'commit', '-qm', 'all');
  git(project, 'repack', '-adq');
  return made;
}

export function git(project: string, ...words: readonly string[]): void {
  execFileSync('git', words, { cwd: project, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Changes ten files and lets the clock of the disk move on, as it does between two turns of an agent. */
export async function changeTen(folder: string, paths: readonly string[]): Promise<void> {
  for (let at = 0; at < CHANGES; at += 1) {
    const path = paths[Math.floor(Math.random() * paths.length)] ?? '';
    appendFileSync(join(folder, path), `// ${Math.random()}\n`);
  }
  await delay(PAUSE_MS);
}

const CHANGES = 10;
const PAUSE_MS = 60;
