import type { Message } from '../model/message.ts';
import { PROJECT_READING_TOOLS, WEB_TOOLS } from '../model/tool-names.ts';

/** The text that replaces a cleared tool result, with the exit code of its command. */

const CLEARED = '[Cleared by troupe to make room:';

/** A command's exit code stays. Only tools that just read are worth calling again. */
export function clearedText(content: string, tool: string | undefined): string {
  const again = tool !== undefined && READING_TOOLS.has(tool) ? ` Call ${tool} again if you need it.` : '';
  const exit = exitLine(content);
  return `${CLEARED} a result of ${content.length} characters.${again}]${exit === null ? '' : `\n${exit}`}`;
}

/** Tools that change nothing. */
export const READING_TOOLS: ReadonlySet<string> = new Set([...PROJECT_READING_TOOLS, ...WEB_TOOLS]);

export const isCleared = ({ content }: Message): boolean => content.startsWith(CLEARED);

/** Put before the result of a call that was repeated. */
export const REPEATED =
  '(The engine stopped while this call was under way. The files of the project were put back and it was done again; files that git ignores and temporary files were not put back.)';

/** The line in which a command's result names its exit code: the first one that is not the engine's remark. */
export function exitLine(content: string): string | null {
  const lines = content.slice(0, 1000).split('\n', 3);
  const first = lines.find((line) => line !== REPEATED && !line.startsWith(CLEARED)) ?? '';
  return /^Exit code -?\d+$/.test(first) ? first : null;
}
