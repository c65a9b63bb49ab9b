import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import { defaultLevel } from '../../sandbox/choose-sandbox.ts';
import { describeSandbox } from '../../sandbox/describe-sandbox.ts';
import { findSandbox } from '../../sandbox/find-sandbox.ts';
import type { FoundLevel } from '../../sandbox/found-level.ts';
import { openProject } from '../config/project.ts';
import { storeHome } from '../session/store.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Finding } from './finding.ts';

/** Which sandboxes work here: each is tried out anew. What was found is kept for the next runs. */
export async function examineSandbox(terminal: Terminal): Promise<readonly Finding[]> {
  const home = storeHome(terminal);
  makeFolder(home, 0o700);
  const { levels } = await findSandbox({
    scratch: join(home, 'sandbox'),
    cacheFile: join(home, 'sandbox.json'),
    fresh: true,
  });
  const wish = await wishedLevel(terminal);
  const wanted = wish === 'best' ? levels.find(({ failures }) => failures.length === 0)?.level : wish;
  return levels.map((found) => ({ about: 'sandbox', ...judged(found, found.level === wanted) }));
}

/** As a run here would have it. A configuration that cannot be read is told where it is looked at. */
async function wishedLevel(terminal: Terminal): Promise<string> {
  const configured = await openProject(terminal).then(
    ({ config }) => config.sandbox,
    () => null,
  );
  return terminal.environment['TROUPE_SANDBOX'] || (configured ?? defaultLevel());
}

/** Only the level that commands are run in makes the difference between well and not. */
function judged(found: FoundLevel, isWanted: boolean): Omit<Finding, 'about'> {
  if (!isWanted) return { level: 'ok', text: describeSandbox(found) };
  const text = `${describeSandbox(found)} (used for commands)`;
  if (found.failures.length > 0) {
    return { level: 'error', text: `${text}\nCommands are refused; choose another level with --sandbox LEVEL.` };
  }
  return { level: found.level === 'none' ? 'warning' : 'ok', text: `${text}\n${reachText(found)}` };
}

function reachText({ level }: FoundLevel): string {
  if (level !== 'bubblewrap') return 'Agents that are programs have the whole network, whatever their role says.';
  return 'Agents that are programs reach their own endpoint only, unless their role has network: true.';
}
