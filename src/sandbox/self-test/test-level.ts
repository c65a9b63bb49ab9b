import type { FoundLevel } from '../found-level.ts';
import type { ProcessLimit } from '../limits/box-limits.ts';
import { openSandbox } from '../open-sandbox.ts';
import { overlayWorks } from './try-overlay.ts';
import { processLimitWorks } from './try-process-limit.ts';
import { tryProtections } from './try-protections.ts';
import type { Breaches } from './breaches.ts';

/** Tries out a level that could work, and says what it is worth. */
export async function testLevel(candidate: FoundLevel, scratch: string): Promise<FoundLevel> {
  if (candidate.failures.length > 0) return candidate;
  const breaches = await tryProtections(openSandbox(candidate, scratch), scratch);
  const failures = required(candidate).flatMap((name) => breaches[name] ?? []);
  if (failures.length > 0) return { ...candidate, failures };
  const hasOverlay = candidate.level === 'bubblewrap' && (await tryOverlay(candidate, scratch));
  const processLimit = await tryProcessLimit(candidate, scratch);
  return { ...candidate, hasOverlay, processLimit, gaps: gapsOf({ ...candidate, processLimit }, breaches) };
}

/** What a level has to keep from happening to be used at all. The rest is reported as a gap. */
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
    ...open.filter((breach) => breach !== null),
    ...(found.level === 'bubblewrap' ? [] : ['UDP is open']),
    ...(found.containment === 'namespace-bound' ? [] : [OUTLIVE[found.level]]),
    ...(found.processLimit === 'none' ? ['the number of processes is not limited'] : []),
  ];
}
