import type { Paint } from '../terminal/colour.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import { questText } from '../../app/quest/quest-text.ts';
import type { ShownQuest } from '../../app/quest/shown-quest.ts';

export interface LinesOptions {
  readonly width: number;
  readonly paint: Paint;
  /** Where all of it is. */
  readonly file: string;
}

const MOST_HISTORY = 40;

/** `quest.md` on a terminal: headings stand out, and long lines go on below where their text began. */
export function questLines(view: ShownQuest, { width, paint, file }: LinesOptions): string {
  const more = view.history.length - MOST_HISTORY;
  const text = questText(more > 0 ? { ...view, history: view.history.slice(-MOST_HISTORY) } : view).trimEnd();
  const lines = text
    .split('\n')
    .map((line) => (line.startsWith('#') ? paint('bold', wrapped(line, width)) : wrapped(line, width)));
  return [...lines, ...(more > 0 ? ['', `${more} earlier lines of the history are in ${file}`] : [])].join('\n');
}

function wrapped(line: string, width: number): string {
  const indent = ' '.repeat(/^(?:\s*(?:[-#>]+|\d+\.)?\s*)/.exec(line)?.[0].length ?? 0);
  return wrapWords(line, { width, indent });
}
