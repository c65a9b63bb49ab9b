import type { FoundLevel } from '../found-level.ts';
import type { ProcessLimit } from '../limits/box-limits.ts';
import { openSandbox } from '../open-sandbox.ts';
import { overlayWorks } from './try-overlay.ts';
import { processLimitWorks } from './try-process-limit.ts';
import { tryProtections } from './try-protections.ts';
import type { Breaches } from './try-protections.ts';

/** Tries out a level that could work, and says what it is worth. */
export async function testLevel(candidate: FoundLevel, scratch: string): Promise<FoundLevel> {
  if (candidate.failures.length > 0) return candidate;
  const breaches = await tryProtections(openSandbox(candidate, scratch), scratch);
  const failures = REQUIRED[candidate.level].flatMap((name) => breaches[name] ?? []);
  if (failures.length > 0) return { ...candidate, failures };
  const hasOverlay = candidate.level === 'bubblewrap' && (await tryOverlay(candidate, scratch));
  const processLimit = await tryProcessLimit(candidate, scratch);
  return { ...candidate, hasOverlay, processLimit, gaps: gapsOf({ ...candidate, processLimit }, breaches) };
}

/** What a level has to keep from happening to be used at all. The rest is told as a gap. */
const REQUIRED: Readonly<Record<FoundLevel['level'], readonly (keyof Breaches)[]>> = {
  bubblewrap: ['broken', 'writing', 'reading', 'network', 'processes', 'survivors'],
  landlock: ['broken', 'writing'],
  none: ['broken'],
};

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
  const { reading, network, processes, survivors } = breaches;
  return [
    ...[reading, network, processes, survivors].filter((breach) => breach !== null),
    ...(found.level === 'bubblewrap' ? [] : ['UDP is open']),
    ...(found.containment === 'namespace-bound' ? [] : [OUTLIVE[found.level]]),
    ...(found.level === 'bubblewrap' && !found.canForbidNamespaces
      ? ['namespaces inside (bubblewrap is older than 0.8)']
      : []),
    ...(found.processLimit === 'none' ? ['the number of processes is not limited'] : []),
  ];
}
