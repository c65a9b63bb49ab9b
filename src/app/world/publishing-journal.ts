import type { FaultCode } from '../../core/codes/codes.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { isFault } from '../../core/model/fault.ts';
import type { Fact } from '../../core/record/fact.ts';
import type { TreeId } from '../../core/model/ids.ts';
import type { Batch, Journal } from '../../journal/port.ts';

export interface Publishing {
  readonly publish: (tree: TreeId) => Promise<unknown>;
  readonly tell: (sentence: string) => void;
}

const PAUSE_MS = 1000;

/** Faults that pass once a person has fixed the cause. The journal waits for that, so that finished work is not lost. */
const PASSING: ReadonlySet<FaultCode> = new Set(['STORE_UNREACHABLE', 'DISK_FULL']);

/** A journal in which no record names files before other machines can have them. */
export function publishingJournal(journal: Journal, { publish, tell }: Publishing): Journal {
  const publishPatiently = async (tree: TreeId): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        await publish(tree);
        if (tries > 1) tell('The shared store takes files again.');
        return;
      } catch (error) {
        if (!isFault(error) || !PASSING.has(error.code)) throw error;
        if (tries === 1) tell(`Waiting until the shared store takes files: ${error.message}`);
      }
      await delay(PAUSE_MS);
    }
  };
  const published = new Set<TreeId>();
  const publishAll = async (batch: Batch): Promise<void> => {
    for (const tree of new Set(batch.records.flatMap(({ fact }) => treesIn(fact)))) {
      if (published.has(tree)) continue;
      await publishPatiently(tree);
      published.add(tree);
    }
  };
  return {
    ...journal,
    create: async (run, owner, first) => {
      if (first !== undefined) await publishAll(first);
      return await journal.create(run, owner, first);
    },
    append: async (lease, batch) => {
      await publishAll(batch);
      await journal.append(lease, batch);
    },
  };
}

function treesIn(fact: Fact): readonly TreeId[] {
  if (fact.kind === 'workspace.made') return [fact.tree];
  if (fact.kind !== 'files.changed') return [];
  return fact.before === undefined ? [fact.tree] : [fact.before, fact.tree];
}
