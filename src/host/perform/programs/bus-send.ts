import type { EngineProgram } from './engine-program.ts';
import { PhaseMessages } from './phase-messages.ts';
import { busSchema, programInput } from './program-input.ts';

/** `bus.send`: puts a message on the bus. */
export const busSend: EngineProgram = async (performance, effect) => {
  const sent = new PhaseMessages(performance, effect).bus(programInput(busSchema, effect));
  return { output: { id: sent.message.id }, notes: [sent] };
};
