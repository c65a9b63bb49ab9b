import type { Fact } from '../../../src/core/fact.ts';
import type { Cut, RecordLine } from '../../../src/protocol/web/record-page.ts';

export type Path = Cut['path'];

/** Where in a fact the words stand that a transcript shows of it. */
export function wordsPath(fact: Fact): Path {
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

/** How long the text at a place really is, where only its beginning was sent. */
export const cutAt = ({ cut = [] }: Pick<RecordLine, 'cut'>, path: Path): number | null =>
  cut.find((one) => one.path.length === path.length && one.path.every((key, place) => key === path[place]))?.length ??
  null;

export function textAt(value: unknown, path: Path): string {
  let at: unknown = value;
  for (const key of path)
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string | number, unknown>>)[key] : undefined;
  return typeof at === 'string' ? at : at === undefined ? '' : JSON.stringify(at, null, 2);
}
