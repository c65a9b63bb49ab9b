/** What a person typed. */
export type ChatLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'role'; readonly name: string | null }
  | { readonly kind: 'workflow'; readonly name: string | null; readonly input: string | null }
  | { readonly kind: 'help' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'end' }
  | { readonly kind: 'unknown'; readonly command: string };

export const CHAT_HELP = `/role [NAME]              talk to another role; alone: the list
/workflow [NAME ["…"]]    run a workflow and tell the agent how it came out; alone: the list
/help                     this
/exit                     leave; "troupe chat --resume" goes on
/end                      end the chat for good
`;

export function parseLine(line: string): ChatLine {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  if (!text.startsWith('/')) return { kind: 'say', text };
  const [command, rest] = splitOnce(text);
  const read = COMMANDS[command];
  return read === undefined ? { kind: 'unknown', command } : read(rest);
}

const COMMANDS: Readonly<Record<string, (rest: string) => ChatLine>> = {
  '/role': (rest) => ({ kind: 'role', name: rest || null }),
  '/workflow': (rest) => {
    const [name, input] = splitOnce(rest);
    return { kind: 'workflow', name: name || null, input: unquoted(input) || null };
  },
  '/help': () => ({ kind: 'help' }),
  '/exit': () => ({ kind: 'exit' }),
  '/quit': () => ({ kind: 'exit' }),
  '/end': () => ({ kind: 'end' }),
};

function splitOnce(text: string): readonly [string, string] {
  const cut = text.search(/\s/);
  return cut === -1 ? [text, ''] : [text.slice(0, cut), text.slice(cut).trim()];
}

function unquoted(text: string): string {
  const match = /^(["'])(.*)\1$/s.exec(text);
  return match?.[2] ?? text;
}
