import { spawn } from 'node:child_process';
import type { Terminal } from '../terminal/terminal.ts';

/** Shows the page in the user's browser where there is one to be seen. That it cannot be is no fault: the address was printed. */
export function openBrowser(url: string, { environment }: Pick<Terminal, 'environment'>): void {
  const program = browserStarter(environment, process.platform);
  if (program === null) return;
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

/** Null in CI, without a screen, and over a remote shell. */
export function browserStarter(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | null {
  const isSet = (name: string): boolean => Boolean(environment[name]);
  if (isSet('CI') || isSet('SSH_CONNECTION')) return null;
  if (platform === 'darwin') return 'open';
  const hasScreen = isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') || isSet('WSL_DISTRO_NAME');
  return hasScreen ? 'xdg-open' : null;
}
