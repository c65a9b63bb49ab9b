import type { ToolSpec } from '../../core/role.ts';
import type { SeenMessage } from '../../core/view.ts';

/** A model call as the script sees it, whichever wire it came over. What a client did not tell is undefined. */
export interface ScriptedRequest {
  readonly model: string;
  readonly run?: string;
  readonly role?: string;
  readonly agent?: string;
  readonly state?: string;
  readonly visit?: number;
  readonly call?: number;
  readonly attempt?: number;
  readonly messages: readonly SeenMessage[];
  readonly tools: readonly ToolSpec[];
  /** Names of the tools whose call is the answer. */
  readonly parsingTools: readonly string[];
  /** Characters of all that is sent, the instructions included: tokens are counted from them. */
  readonly size: number;
  /** Same call, same key: ids in the answer are made from it. */
  readonly key: string;
}

export function newestText(request: ScriptedRequest): string {
  return request.messages.at(-1)?.content ?? '';
}

export function newestUserText(request: ScriptedRequest): string {
  return request.messages.findLast((message) => message.role === 'user')?.content ?? '';
}

/** How often tools have answered since the user last spoke. Results of parallel calls are one round. */
export function toolRounds(request: ScriptedRequest): number {
  let rounds = 0;
  let isInRound = false;
  for (let index = request.messages.length - 1; index >= 0; index -= 1) {
    const role = request.messages[index]?.role;
    if (role === 'user') break;
    if (role === 'tool' && !isInRound) rounds += 1;
    isInRound = role === 'tool';
  }
  return rounds;
}
