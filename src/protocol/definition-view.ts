import { z } from 'zod';
import { list, type Wire } from './operations/parts.ts';

/** Which definition a run has, and what its files give now (ST5). */
export const definitionViewSchema = z.object({
  hash: z.string().describe('Of the definition it goes by; the same for all runs that began with the same'),
  since: z.number().exactOptional().describe('The record since which it has this one, where it began with another'),
  state: z
    .enum(['same', 'changed', 'gone', 'broken', 'unread'])
    .describe(
      '`same`: the files still say so. `changed`: they give another one. `gone`, `broken`: they give none. `unread`: it is code, other than before, which was not run to look at it.',
    ),
  file: z.string().exactOptional(),
  isCode: z.literal(true).exactOptional().describe('A program defined it: no file has it'),
  files: list(z.string()).exactOptional().describe('The files that made the difference'),
  changes: list(z.string()).exactOptional().describe('What changed, or what is wrong, one line each'),
});

export type DefinitionView = Wire<typeof definitionViewSchema>;

interface NamedFiles extends Pick<DefinitionView, 'state' | 'files' | 'isCode'> {
  readonly file?: string | null;
}

/** One sentence on how a run's files have changed since it started; `shown` is a path as the reader would type it. */
export function changeSentence(
  { state, file = null, files = [], isCode }: NamedFiles,
  shown: (path: string) => string,
): string {
  const own = file === null ? 'this version of troupe' : shown(file);
  const others = files.length === 0 ? own : files.map(shown).join(', ');
  const texts: Readonly<Record<DefinitionView['state'], string>> = {
    same: isCode === true ? 'by the program that started it' : `as ${own} has it`,
    changed: `${others} changed since it began`,
    gone: `${own} is gone`,
    broken: `${others} has errors now`,
    unread: `the code of ${own} has changed`,
  };
  return texts[state];
}
