import manifest from '../../package.json' with { type: 'json' };
import type { Surroundings } from './terminal/terminal.ts';

/** Where the command line begins. Asking for the version must cost next to nothing, so all else is loaded after it. */
export async function main(words: readonly string[]): Promise<void> {
  const isVersion = words.length === 1 && (words[0] === '--version' || words[0] === '-V');
  if (isVersion) {
    process.stdout.write(`${manifest.version}\n`);
    return;
  }
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine(words, manifest.version);
}

/** Runs one command in this process, as if it were started in these surroundings, and gives its exit code. */
export async function perform(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { performCommandLine } = await import('./command-line.ts');
  return performCommandLine(words, manifest.version, surroundings);
}
