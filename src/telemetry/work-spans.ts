import type { ResolvedWork } from '../core/fact.ts';
import { cut, messagesText } from './gen-ai.ts';
import type { Attributes } from './span.ts';

/** Null for what has no time of its own: a child run tells for itself, a pool is its state's whole work. */
export function workName(work: ResolvedWork): string | null {
  if (work.kind === 'turn') return `invoke_agent ${work.agent}`;
  return WITHOUT_SPAN.has(work.kind) ? null : work.kind;
}

const WITHOUT_SPAN: ReadonlySet<ResolvedWork['kind']> = new Set(['call', 'pool', 'tell', 'clear']);

export function workAttributes(
  work: ResolvedWork,
  { run, hasContent }: { readonly run: string; readonly hasContent: boolean },
): Attributes {
  if (work.kind === 'turn') {
    const input = hasContent && work.input !== null ? messagesText([{ role: 'user', content: work.input }]) : undefined;
    return {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': work.agent,
      'gen_ai.conversation.id': `${run}/${work.context}`,
      'gen_ai.input.messages': input,
    };
  }
  if (work.kind !== 'command') return {};
  return { 'troupe.command': hasContent ? cut(work.command) : undefined };
}
