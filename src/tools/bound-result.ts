import type { Json } from '../core/model/json.ts';

/** Tokens that one result may take of a window that is large enough. */
export const RESULT_TOKENS = 8000;

/** Bytes of UTF-8 a token: few tool outputs have more tokens than that, most have fewer. */
export const BYTES_A_TOKEN = 3;

/** A call and the room that its result has. */
export interface ResultBound {
  readonly tool: string;
  readonly input: Json;
  readonly tokens?: number;
}

/**
 * A tool's result as it is sent: its beginning and its end, with a line between them that says what was left out and how
 * to get it (A6). One place for all tools, before the result is journaled.
 */
export function boundResult(content: string, bound: ResultBound): string {
  const most = (bound.tokens ?? RESULT_TOKENS) * BYTES_A_TOKEN;
  // Each character is one byte at least, and three at most.
  if (content.length * 3 <= most || Buffer.byteLength(content) <= most) return content;
  const room = Math.max(most - REMARK_BYTES, 0);
  const head = headOf(content, Math.ceil((room * 2) / 3));
  const tail = tailOf(content.slice(head.length), Math.floor(room / 3));
  const left = content.length - head.length - tail.length;
  const first = lineAt(content, head.length);
  const last = lineAt(content, content.length - tail.length - 1);
  const lines = first === last ? '' : ` (lines ${first} to ${last} of ${lineAt(content, content.length)})`;
  const remark = `[… ${left} of ${content.length} characters left out here${lines}. ${waysToRest(bound, first)} …]`;
  return [head.replace(/\n$/, ''), remark, tail].filter((part) => part !== '').join('\n');
}

const REMARK_BYTES = 300;

/** How to get at the rest, by tool. */
const WAYS: Readonly<Record<string, string>> = {
  execute_terminal:
    'Run the command again and print only the part you need, for instance with grep, head, tail or sed -n.',
  grep: 'Search again with a narrower pattern or path.',
  glob: 'Use a narrower pattern.',
  list_files: 'List a folder below it.',
  git_diff: 'Ask for the diff of single paths.',
  git_log: 'Ask for fewer commits, or for single paths.',
};

function waysToRest({ tool, input }: ResultBound, line: number): string {
  if (tool !== 'read_file') return WAYS[tool] ?? 'Call it again and ask for less at once.';
  const offset = (input as { readonly offset?: number } | null)?.offset ?? 1;
  return `Read on with offset ${offset + line - 1} and a limit, or search with grep.`;
}

/** At a line's end where one is near, and never inside a character. */
function headOf(text: string, bytes: number): string {
  const kept = Buffer.from(text.slice(0, bytes)).subarray(0, bytes).toString('utf8').replace(/�$/, '');
  const end = kept.lastIndexOf('\n');
  return end > kept.length / 2 ? kept.slice(0, end + 1) : kept;
}

function tailOf(text: string, bytes: number): string {
  if (bytes === 0) return '';
  const kept = Buffer.from(text.slice(-bytes)).subarray(-bytes).toString('utf8').replace(/^�+/, '');
  const start = kept.indexOf('\n');
  return start !== -1 && start < kept.length / 2 ? kept.slice(start + 1) : kept;
}

/** The line, counted from 1, that the character at `index` stands in. */
function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
