import manifest from '../../package.json' with { type: 'json' };

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
