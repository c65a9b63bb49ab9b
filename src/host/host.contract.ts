import { describe } from 'vitest';
import { hostClients } from './clients.contract.ts';
import { hostFixing } from './fixing.contract.ts';
import { hostPeople } from './people.contract.ts';
import { hostRules } from './rules.contract.ts';
import { hostSlots } from './slots.contract.ts';
import { hostStopping } from './stopping.contract.ts';
import { hostTelling } from './telling.contract.ts';
import { hostBench, type HostUnderTest } from './testing/host-bench.ts';
import { hostWork } from './work.contract.ts';

/** What every host must do, whatever it runs on. Cites the rules of the port. */
export function hostContract(name: string, subject: HostUnderTest): void {
  describe(`${name} as a host`, () => {
    const bench = hostBench(subject);
    hostRules(bench);
    hostWork(bench);
    hostPeople(bench);
    hostTelling(bench);
    hostSlots(bench);
    hostClients(bench);
    hostStopping(bench);
    hostFixing(bench);
  });
}
