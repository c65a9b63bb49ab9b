import { jsonText, type JsonObject } from '../../../core/model/json.ts';
import type { ReviewState } from './review-state.ts';

/** The inputs of a review are read when they are needed, since a fork may have other ones. */

export const taskIn = ({ task }: JsonObject): string => jsonText(task);

/** The user's command; may be empty. Blanks are no command, and would succeed on everything. */
export const commandIn = ({ verify }: JsonObject, { command }: Pick<ReviewState, 'command'>): string =>
  command ?? jsonText(verify).trim();
