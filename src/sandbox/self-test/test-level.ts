import type { FoundLevel } from '../found-level.ts';
import type { ProcessLimit } from '../limits/box-limits.ts';
import { openSandbox } from '../open-sandbox.ts';
import { tryProtections } from './try-protections.ts';
import type { Breaches } from './probe.ts';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import type { Sandbox } from '../port.ts';

/** Tests a level that could work, and reports its quality. */
export async function testLevel(candidate: FoundLevel, scratch: string): Promise<FoundLevel> {
  if (candidate.failures.length > 0) return candidate;
  const breaches = await tryProtections(openSandbox(candidate, scratch), scratch);
  const failures = required(candidate).flatMap((name) => breaches[name] ?? []);
  if (failures.length > 0) return { ...candidate, failures };
  const hasOverlay = candidate.level === 'bubblewrap' && (await tryOverlay(candidate, scratch));
  const processLimit = await tryProcessLimit(candidate, scratch);
  return { ...candidate, hasOverlay, processLimit, gaps: gapsOf({ ...candidate, processLimit }, breaches) };
}

/** What a level must prevent to be used at all. The rest is reported as a gap. */
function required({ level, canForbidNamespaces }: FoundLevel): readonly (keyof Breaches)[] {
  if (level === 'none') return ['broken'];
  const isRoot = process.getuid?.() === 0;
  const always = ['broken', 'writing', 'reading', 'knobs', 'powers'] as const;
  // Only root can empty the bounding set without a user namespace.
  if (level === 'landlock') return isRoot ? [...always, 'boundingSet'] : always;
  return [
    ...always,
    ...(['boundingSet', 'changing', 'network', 'processes', 'survivors'] as const),
    ...(canForbidNamespaces ? (['namespaces'] as const) : []),
    ...(isRoot ? (['rootId'] as const) : []),
  ];
}

const tryOverlay = (candidate: FoundLevel, scratch: string): Promise<boolean> =>
  overlayWorks(openSandbox({ ...candidate, hasOverlay: true }, scratch), scratch);

async function tryProcessLimit(candidate: FoundLevel, scratch: string): Promise<ProcessLimit> {
  if (candidate.processLimit === 'none') return 'none';
  return (await processLimitWorks(openSandbox(candidate, scratch))) ? candidate.processLimit : 'none';
}

const OUTLIVE: Readonly<Record<FoundLevel['level'], string>> = {
  bubblewrap: 'an engine killed in the very moment of starting a command',
  landlock: 'processes may outlive a killed engine',
  none: 'processes may outlive a killed engine',
};

function gapsOf(found: FoundLevel, breaches: Breaches): readonly string[] {
  const { reading, changing, knobs, powers, namespaces, network, processes, survivors } = breaches;
  const rootId = process.getuid?.() === 0 && found.level !== 'none' ? breaches.rootId : null;
  const open = [reading, changing, knobs, powers, rootId, namespaces, network, processes, survivors];
  return [
    ...open.filter((breach) => typeof breach === 'string'),
    ...(found.level === 'bubblewrap' ? [] : ['UDP is open']),
    ...(found.containment === 'namespace-bound' ? [] : [OUTLIVE[found.level]]),
    ...(found.processLimit === 'none' ? ['the number of processes is not limited'] : []),
  ];
}

/** Whether a folder of the user can be lent so that writes to it are discarded and reported. */
export async function overlayWorks(sandbox: Sandbox, scratch: string): Promise<boolean> {
  makeFolder(scratch, 0o700);
  const folder = await mkdtemp(join(scratch, 'test-'));
  try {
    await Promise.all(['changed', 'removed'].map((name) => writeFile(join(folder, name), 'before')));
    const script = 'echo after > changed && rm removed && echo new > made && [ "$(cat changed)" = after ]';
    const result = await sandbox.run(['/bin/sh', '-c', script], {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin' },
      folders: [{ path: folder, access: 'throwaway' }],
      hidden: [],
      network: false,
      timeoutMs: 10_000,
    });
    const isUntouched =
      (await readdir(folder)).sort().join() === 'changed,removed' &&
      (await readFile(join(folder, 'changed'), 'utf8')) === 'before';
    return result.exitCode === 0 && isUntouched && result.discarded.length === 3;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether a command that starts many processes is stopped at the limit, and not long before. */
export async function processLimitWorks(sandbox: Sandbox): Promise<boolean> {
  const script = `i=0; while [ $i -lt ${LIMIT * 2} ]; do sleep 30 & i=$((i+1)); echo $i; done`;
  const result = await sandbox.run(['/bin/sh', '-c', script], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    folders: [],
    hidden: [],
    network: false,
    timeoutMs: 10_000,
    limits: { processes: LIMIT },
  });
  const started = Number(result.output.trim().split('\n').at(-1));
  return started > LIMIT / 3 && started <= LIMIT;
}

const LIMIT = 30;
