import { createShell } from '../../../../tools/shell.ts';
import { testSandbox } from '../../../../tools/testing/test-sandbox.ts';
import type { World } from '../../../world.ts';

/** For tests: commands run for real, in the sandbox of this machine. */
export function testShell(): Required<Pick<World, 'shell' | 'sandbox' | 'hasOverlay'>> {
  const sandbox = testSandbox();
  return {
    shell: createShell({ sandbox, hidden: [], environment: process.env }),
    sandbox: async () => (await sandbox()).level,
    hasOverlay: async () => (await sandbox()).hasOverlay,
  };
}
