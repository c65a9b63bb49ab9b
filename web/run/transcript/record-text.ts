import type { Fact } from '../../../src/core/record/fact.ts';
import type { ToolCall } from '../../../src/core/model/message.ts';
import type { Cut, PageRecord } from '../../../src/protocol/web/record-page.ts';

type Path = Cut['path'];

/** Where in a fact the words stand that a transcript shows of it. */
function wordsPath(fact: Fact): Path {
  switch (fact.kind) {
    case 'task.started':
      return ['work', 'input'];
    case 'call.answered':
    case 'message.added':
      return ['message', 'content'];
    case 'tool.finished':
      return ['content'];
    case 'question.answered':
      return ['answer'];
    default:
      return ['text'];
  }
}

/** Where a text stands of which only the beginning was sent, and how long it really is: by its usual place, else by its words. */
export function cutOf({ cut = [], record: { fact } }: PageRecord, text: string): Cut | null {
  const usual = wordsPath(fact);
  const atPlace = cut.find(({ path }) => path.length === usual.length && isBelow(path, usual));
  return atPlace ?? cut.find(({ path }) => textAt(fact, path) === text) ?? null;
}

export const callIn = (fact: Fact, id: string): ToolCall | undefined =>
  fact.kind === 'call.answered' ? fact.message.toolCalls?.find((call) => call.id === id) : undefined;

/** How many characters the texts have of which a call was sent the beginning alone. */
export function cutInCall({ cut = [], record: { fact } }: PageRecord, id: string): number {
  if (fact.kind !== 'call.answered') return 0;
  const place = fact.message.toolCalls?.findIndex((call) => call.id === id) ?? -1;
  const own = cut.filter(({ path }) => isBelow(path, ['message', 'toolCalls', place]));
  return own.reduce((sum, { length }) => sum + length, 0);
}

const isBelow = (path: Path, top: Path): boolean => top.every((key, place) => key === path[place]);

export function textAt(value: unknown, path: Path): string {
  let at: unknown = value;
  for (const key of path)
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string | number, unknown>>)[key] : undefined;
  return typeof at === 'string' ? at : at === undefined ? '' : JSON.stringify(at, null, 2);
}
