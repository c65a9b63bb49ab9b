import { ALLOW_STEERING, BY, NO_SETUP, SANDBOX, VERIFY } from './changes-commands.ts';
import type { OptionSpec } from './invocation.ts';

export const LIMITS: readonly OptionSpec[] = [
  { flags: '--max-usd <amount>', description: 'pause when the run has cost this much', kind: 'number' },
  { flags: '--max-tokens <count>', description: 'pause after this many tokens', kind: 'number' },
  { flags: '--max-duration <seconds>', description: 'pause after this time', kind: 'number' },
  { flags: '--max-iterations <count>', description: 'pause when one state is entered more often', kind: 'number' },
  { flags: '--max-tool-rounds <count>', description: 'pause when one turn makes more model calls', kind: 'number' },
];

export const DRIVING: readonly OptionSpec[] = [
  { flags: '--model <level=name>', description: 'use another configured model for a level', kind: 'list' },
  { flags: '--allow-partial', description: 'count a partial outcome as success' },
  NO_SETUP,
  BY,
];

/** Who plays a new run. */
export const ACTOR: OptionSpec = {
  flags: '--actor <who=actor>',
  description: 'who plays a role or an agent, such as coder=codex; only the actor: all of them',
  kind: 'list',
};

/** What becomes of the files at a good end. */
export const HAND_OVER: readonly OptionSpec[] = [
  { flags: '--apply', description: 'at a good end put the changed files into the project' },
  ALLOW_STEERING,
  { flags: '--out <folder>', description: 'at a good end copy the changed files there as well' },
  VERIFY,
];

/** How much of a new run goes on at once, and which worker drives it. */
const QUEUEING: readonly OptionSpec[] = [
  { flags: '--slots <count>', description: 'how many steps may run at the same time', kind: 'number' },
  {
    flags: '--labels <labels>',
    description: 'on a shared journal: what its worker has to offer, such as gpu,linux',
    kind: 'list',
  },
  {
    flags: '--priority <number>',
    description: 'on a shared journal: lower numbers go first (default: 100)',
    kind: 'number',
  },
];

/** The terms of a run, no matter who starts it. */
export const WISHES: readonly OptionSpec[] = [...LIMITS, ACTOR, ...QUEUEING, ...DRIVING, ...HAND_OVER, SANDBOX];

export const INPUT: readonly OptionSpec[] = [
  { flags: '--input <key=value>', description: 'one field of the input', kind: 'list' },
  { flags: '--input-file <file>', description: 'the input, as JSON or YAML; other files as text' },
];
