import type { FormatOptions } from '../stages/programs/stage-programs.ts';
import type { Formats } from '../../host/world.ts';
import { PHASE_PROGRAMS } from '../phases/programs/phase-programs.ts';
import { QUEST_PROGRAMS } from '../quest/programs/quest-programs.ts';
import { judgementFault } from '../review/programs/check-judgement.ts';
import { REVIEW_PROGRAMS } from '../review/programs/review-programs.ts';

/** Parts of all families for the host. A further family is a line here. */
export function createFormats(options: FormatOptions): Formats {
  return {
    program: async (name) => {
      const found = PHASE_PROGRAMS[name] ?? QUEST_PROGRAMS[name] ?? REVIEW_PROGRAMS[name];
      if (found !== undefined) return found;
      const { stageProgram } = await import('../stages/programs/stage-programs.ts');
      return stageProgram(name, options);
    },
    replyProblem: async (context, { check, agent, call }) =>
      (await REPLY_CHECKS[check]?.(context, agent, call)) ?? null,
  };
}

/** By the names that turns of lowered workflows have. */
const REPLY_CHECKS: Readonly<Record<string, typeof judgementFault>> = { review: judgementFault };
