import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import { carefulImplementer, plainImplementer, poorImplementer } from './implementer-mind.ts';
import { reviewer } from './reviewer-mind.ts';

/** What somebody answers; `hang`: it never does. */
export type Part = (request: CallRequest) => CallReply | 'hang';

/** Everybody's part, by the name of the agent. */
export const CAST: Readonly<Record<string, Part>> = {
  impl_1: (request) => carefulImplementer(request),
  impl_2: poorImplementer,
  impl_3: plainImplementer,
  rev_1: (request) => reviewer(request, { knows: ['mixedCase', 'noChecksum'], reads: true }),
  rev_2: (request) => reviewer(request, { knows: ['noTests', 'untestedMend'] }),
};
