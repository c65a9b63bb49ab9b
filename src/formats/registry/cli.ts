import type { CommandSpec } from '../../cli/invocation.ts';
import { QUEST_COMMAND } from '../quest/cli/quest-command.ts';
import { REVIEW_COMMANDS } from '../review/cli/review-commands.ts';

type FamilyCommand = Omit<CommandSpec, 'group'>;

/** Commands of single families that begin runs. A further one is a line here. */
export const FAMILY_STARTS: readonly FamilyCommand[] = [QUEST_COMMAND];

/** Commands that show runs. */
export const FAMILY_LOOKS: readonly FamilyCommand[] = [...REVIEW_COMMANDS];
