import type { EngineProgram } from '../../world.ts';
import { PhaseMessages } from './phase-messages.ts';
import { busSchema, programInput } from './program-input.ts';

/** `bus.send`: puts a message on the bus; one that belongs to a phase has the phase's correlation id. */
export const busSend: EngineProgram = async (performance, effect) => {
  const messages = new PhaseMessages(performance, effect);
  const { phase, ...message } = programInput(busSchema, effect);
  const correlationId = message.correlationId ?? messages.correlationId(phase ?? effect.task);
  const sent = messages.bus({ ...message, correlationId });
  return { output: { id: sent.message.id }, notes: [sent] };
};
