import { afterEach } from 'vitest';
import type { Fact } from '../../core/record/fact.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Journal } from '../../journal/port.ts';
import type { Host } from '../port.ts';
import type { World } from '../world.ts';

export interface HostUnderTest {
  readonly makeHost: (world: World) => Host;
  readonly makeJournal: () => Journal | Promise<Journal>;
}

/** What the tests of the contract work with. */
export interface HostBench extends HostUnderTest {
  /** A host that is shut down after the test. */
  readonly host: (world: World) => Host;
  /** The kinds of the facts a run has in the journal. */
  readonly kinds: (journal: Journal, run: RunId) => Promise<readonly Fact['kind'][]>;
}

export function hostBench(subject: HostUnderTest): HostBench {
  const open: Host[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.shutdown()));
  });
  return {
    ...subject,
    host(world) {
      const made = subject.makeHost(world);
      open.push(made);
      return made;
    },
    kinds: async (journal, run) => (await journal.read(run)).map((record) => record.fact.kind),
  };
}
