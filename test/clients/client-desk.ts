import { afterAll, beforeAll } from 'vitest';
import { runId, taskId } from '../../src/core/model/ids.ts';
import type { ToolSpec } from '../../src/core/model/role.ts';
import { openDeskOffice } from '../../src/host/desk/desk-office.ts';
import type { DeskOffice, OpenDesk } from '../../src/host/desk/port.ts';

const SIGNAL: ToolSpec = {
  name: 'signal_back',
  description: 'Tells how the step stands.',
  parameters: { type: 'object', properties: { signal: { type: 'string' } }, required: ['signal'] },
};

/** Desks that take whatever has the right shape, for the tests of one group. */
export function clientDesks(): (tools?: readonly ToolSpec[]) => Promise<OpenDesk> {
  let office: DeskOffice | null = null;
  beforeAll(async () => {
    office = await openDeskOffice();
  });
  afterAll(() => office?.close());
  return async (tools = [SIGNAL]) => {
    if (office === null) throw new Error('The office is not open yet.');
    const take = async () => ({ isAccepted: true, text: 'Received.' });
    return await office.open({ run: runId('run-1'), task: taskId('task-1'), tools, take });
  };
}
