import { unreachable } from '../../core/fault.ts';
import type { Json } from '../../core/json.ts';

/** What can be done to runs from outside. Each is a command of the command line, word for word (U2). */
export type Action =
  | {
      readonly kind: 'start';
      readonly workflow: string;
      readonly input: Readonly<Record<string, Json>>;
      readonly options?: readonly string[];
    }
  | {
      readonly kind: 'answer';
      readonly run: string;
      readonly question: string;
      readonly text: string;
      /** The mark of the files that the person saw it asked for. */
      readonly files?: string;
    }
  | { readonly kind: 'tell'; readonly run: string; readonly agent: string; readonly text: string }
  | { readonly kind: 'cancel' | 'pause'; readonly run: string; readonly reason?: string }
  | {
      readonly kind: 'resume';
      readonly run: string;
      readonly definition?: 'started' | 'new';
      readonly limits?: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'fork';
      readonly run: string;
      readonly at: string;
      readonly input?: Readonly<Record<string, Json>>;
      readonly title?: string;
      /** What an agent of it is told before anything else happens. */
      readonly tell?: { readonly agent: string; readonly text: string };
    }
  | {
      readonly kind: 'merge';
      readonly run: string;
      readonly workspace?: string;
      readonly to: MergeTarget;
      readonly verify?: string;
      readonly ours?: readonly string[];
      readonly theirs?: readonly string[];
      /** What is refused or held back otherwise. */
      readonly allow?: readonly ('unverified' | 'conflicts' | 'steering')[];
    }
  | {
      readonly kind: 'rollback';
      readonly run: string;
      readonly to: string;
      readonly only?: 'files' | 'conversation';
      readonly isPreview?: boolean;
    };

export type MergeTarget =
  | { readonly kind: 'branch'; readonly name?: string }
  | { readonly kind: 'patch'; readonly file: string }
  | { readonly kind: 'apply' };

/** The words after `troupe`; those that only the server adds (`--json`, `--detach`) are not among them. */
export function commandWords(action: Action): readonly string[] {
  switch (action.kind) {
    case 'start':
      return command('run', [action.workflow], startWords(action));
    case 'answer':
      return command('answer', [action.run, action.question, action.text], optionWords('--files', action.files));
    case 'tell':
      return command('tell', [action.run, action.agent, action.text]);
    case 'cancel':
    case 'pause':
      return command(action.kind, [action.run], optionWords('--reason', action.reason));
    case 'resume':
      return command('resume', [action.run], resumeWords(action));
    case 'fork':
      return command('fork', [action.run], forkWords(action));
    case 'merge':
      return mergeWords(action);
    case 'rollback':
      return command('rollback', [action.run], rollbackWords(action));
    default:
      return unreachable(action);
  }
}

/** As it may be pasted into a shell. */
export const commandText = (action: Action): string => ['troupe', ...commandWords(action)].map(quoted).join(' ');

/** A text that begins like an option is none: it comes after all of them. */
function command(name: string, words: readonly string[], options: readonly string[] = []): readonly string[] {
  const isPlain = words.every((word) => !word.startsWith('-'));
  return isPlain ? [name, ...words, ...options] : [name, ...options, '--', ...words];
}

/** Joined where it looks like an option itself: whoever takes options out of a command must not find one there. */
export function optionWords(flag: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
}

const inputWords = (input: Readonly<Record<string, Json>>): readonly string[] =>
  Object.entries(input).flatMap(([name, value]) =>
    optionWords('--input', `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
  );

const limitWords = (limits: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(limits).flatMap(([name, value]) => [`--max-${name}`, String(value)]);

type Of<Kind extends Action['kind']> = Extract<Action, { readonly kind: Kind }>;

const startWords = ({ input, options = [] }: Of<'start'>): readonly string[] => [...inputWords(input), ...options];

const forkWords = ({ at, input = {}, title, tell }: Of<'fork'>): readonly string[] => [
  ...optionWords('--at', at),
  ...inputWords(input),
  ...optionWords('--title', title),
  ...optionWords('--tell', tell === undefined ? undefined : `${tell.agent}=${tell.text}`),
];

const rollbackWords = ({ to, only, isPreview }: Of<'rollback'>): readonly string[] => [
  ...optionWords('--to', to),
  ...(only === undefined ? [] : [`--${only}`]),
  isPreview === true ? '--dry-run' : '--yes',
];

const resumeWords = ({ definition, limits = {} }: Of<'resume'>): readonly string[] => [
  ...optionWords('--definition', definition),
  ...limitWords(limits),
];

function mergeWords(action: Of<'merge'>): readonly string[] {
  const { to, run, workspace, verify, ours = [], theirs = [], allow = [] } = action;
  const target =
    to.kind === 'apply'
      ? ['--apply']
      : to.kind === 'patch'
        ? optionWords('--patch', to.file)
        : optionWords('--branch', to.name);
  return [
    'merge',
    run,
    ...optionWords('--workspace', workspace),
    ...target,
    ...optionWords('--verify', verify),
    ...ours.flatMap((path) => optionWords('--ours', path)),
    ...theirs.flatMap((path) => optionWords('--theirs', path)),
    ...allow.map((name) => ALLOWED[name]),
  ];
}

const ALLOWED = { unverified: '--unverified', conflicts: '--with-conflicts', steering: '--allow-steering' } as const;

const quoted = (word: string): string => (/^[\w@%+=:,./#-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
