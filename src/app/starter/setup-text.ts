import type { FoundSetup } from '../../workspace/setup/find-setup.ts';

/** What a new `config.yaml` says about setup: the command for the lock files that were found. */
export function setupText(setups: readonly FoundSetup[]): string {
  const command = setupCommand(setups);
  return [
    '',
    '# Runs in each new workspace before an agent works there, in the sandbox and with the network. What git ignores, such as',
    '# node_modules, is in no workspace otherwise, and tests fail there.',
    command === null ? '# setup: npm ci' : `setup: ${JSON.stringify(command)}`,
    '',
  ].join('\n');
}

export function setupLine(setups: readonly FoundSetup[], isTrusted: boolean): string {
  const command = setupCommand(setups);
  if (command === null)
    return 'Setup: no lock file found, so workspaces get no packages (see "setup" in .troupe/config.yaml)';
  const found = `Setup: ${command} (${setups.map(({ lock }) => lock).join(', ')}). It runs in the sandbox, with the network`;
  return isTrusted
    ? `${found}; init has written it and trusts it. To take that back: troupe trust --revoke`
    : `${found}; this project has other code or settings too, so agree to all of it with: troupe trust`;
}

export const setupCommand = (setups: readonly FoundSetup[]): string | null =>
  setups.length === 0 ? null : setups.map(({ command }) => command).join(' && ');
