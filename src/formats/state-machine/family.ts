import { type Family, hasKey } from '../family.ts';
import { parseStateMachine } from './parse-state-machine.ts';

export const STATE_MACHINE = {
  documents: {
    recognises: (document) => hasKey(document, 'workflow_name') || hasKey(document, 'states'),
    parse: parseStateMachine,
  },
  hasPlainNames: true,
} as const satisfies Family;
