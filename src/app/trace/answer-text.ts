import type { CallAnswered, CallFailed } from '../../core/fact.ts';
import { oneLine } from '../../protocol/plain-text.ts';

type Answer = CallAnswered | CallFailed | undefined;

/** What came back, in short: the beginning of the text, and the tools that were called. Null where nothing did. */
export function shortAnswer(answer: Answer): string | null {
  if (answer?.kind !== 'call.answered') return null;
  const said = oneLine(answer.message.content.trim(), MOST_CHARACTERS);
  return [...(said === '' ? [] : [said]), ...callsOf(answer).map(({ name, fate }) => `→ ${name}${fate}`)].join(' ');
}

/** All of it. */
export function wholeAnswer(answer: Answer): string | null {
  if (answer?.kind === 'call.failed') return `failed with ${answer.failure.code}: ${answer.failure.message}`;
  if (answer === undefined) return null;
  const calls = callsOf(answer).map(({ name, fate, given }) => `→ ${name}${fate} ${JSON.stringify(given)}`);
  return [answer.message.content, ...calls].filter((part) => part !== '').join('\n');
}

const MOST_CHARACTERS = 40;

/** The calls, with those marked that were not taken. */
function callsOf({ message, rejected = {}, refused = {} }: CallAnswered) {
  const isIn = (list: Readonly<Record<string, string>>, id: string): boolean => Object.hasOwn(list, id);
  return (message.toolCalls ?? []).map(({ id, name, arguments: given }) => {
    const fate = isIn(rejected, id) ? ' (does not fit its schema)' : isIn(refused, id) ? ' (not accepted)' : '';
    return { name, given, fate };
  });
}
