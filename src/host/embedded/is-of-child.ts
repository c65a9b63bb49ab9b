import { SUB_AGENT_TOOL } from '../../core/fold/open-children.ts';
import type { Effect } from '../../core/model/effect.ts';

/** Performed by a separate run. */
export function isOfChild(effect: Effect): boolean {
  return effect.kind === 'child.start' || (effect.kind === 'tool.run' && effect.toolCall.name === SUB_AGENT_TOOL);
}
