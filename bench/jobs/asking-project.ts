import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TROUPE = fileURLToPath(new URL('../../bin/troupe.js', import.meta.url));

/** Asks at once, then ends. */
const ASKING = {
  workflow_name: 'asking',
  states: [
    { name: 'start', action: { ask: { question: "'Which colour?'" } }, transition: [{ target: 'stop' }] },
    { name: 'stop' },
  ],
};

export interface AskingProject {
  readonly folder: string;
  readonly home: string;
}

export function askingProject(base: string): AskingProject {
  const [folder, home] = [join(base, 'project'), join(base, 'home')];
  mkdirSync(join(folder, '.troupe/workflows'), { recursive: true });
  writeFileSync(join(folder, '.troupe/workflows/asking.json'), JSON.stringify(ASKING));
  return { folder, home };
}

/** The command line as a process of its own. */
export async function runCommand({ folder, home }: AskingProject, words: readonly string[]): Promise<string> {
  const environment = { ...process.env, TROUPE_HOME: home, NODE_ENV: 'production' };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(process.execPath, [TROUPE, ...words, '--json'], { cwd: folder, env: environment }, (error, stdout) => {
    // A run that waits ends its command with 3.
    if (error === null || error.code === 3) resolve(stdout);
    else reject(error);
  });
  return await promise;
}

/** The id of a run that asks and that no process drives. */
export async function waitingRun(project: AskingProject): Promise<string> {
  const [first = ''] = (await runCommand(project, ['run', 'asking', '--no-input'])).split('\n');
  return (JSON.parse(first) as { readonly run: string }).run;
}
