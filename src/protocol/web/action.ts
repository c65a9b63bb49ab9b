import type { Json } from '../../core/json.ts';

/** What can be done to runs from outside. Each is a command of the command line, word for word (U2). */
export type Action =
  | {
      readonly kind: 'start';
      readonly workflow: string;
      readonly input: Readonly<Record<string, Json>>;
      readonly options?: readonly string[];
    }
  | { readonly kind: 'answer'; readonly run: string; readonly question: string; readonly text: string }
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
    }
  | {
      readonly kind: 'merge';
      readonly run: string;
      readonly workspace?: string;
      readonly to: MergeTarget;
      readonly verify?: string;
      readonly ours?: readonly string[];
      readonly theirs?: readonly string[];
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
      return ['run', action.workflow, ...inputWords(action.input), ...(action.options ?? [])];
    case 'answer':
      return ['answer', action.run, action.question, action.text];
    case 'tell':
      return ['tell', action.run, action.agent, action.text];
    case 'cancel':
    case 'pause':
      return [action.kind, action.run, ...option('--reason', action.reason)];
    case 'resume':
      return ['resume', action.run, ...option('--definition', action.definition), ...limitWords(action.limits ?? {})];
    case 'fork':
      return [
        'fork',
        action.run,
        '--at',
        action.at,
        ...inputWords(action.input ?? {}),
        ...option('--title', action.title),
      ];
    case 'merge':
      return mergeWords(action);
    case 'rollback':
      return [
        'rollback',
        action.run,
        '--to',
        action.to,
        ...(action.only === undefined ? [] : [`--${action.only}`]),
        action.isPreview === true ? '--dry-run' : '--yes',
      ];
  }
}

/** As it may be pasted into a shell. */
export const commandText = (action: Action): string => ['troupe', ...commandWords(action)].map(quoted).join(' ');

const option = (flag: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [flag, value];

const inputWords = (input: Readonly<Record<string, Json>>): readonly string[] =>
  Object.entries(input).flatMap(([name, value]) => [
    '--input',
    `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);

const limitWords = (limits: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(limits).flatMap(([name, value]) => [`--max-${name}`, String(value)]);

function mergeWords(action: Extract<Action, { readonly kind: 'merge' }>): readonly string[] {
  const { to, run, workspace, verify, ours = [], theirs = [] } = action;
  const target =
    to.kind === 'apply' ? ['--apply'] : to.kind === 'patch' ? ['--patch', to.file] : option('--branch', to.name);
  return [
    'merge',
    run,
    ...option('--workspace', workspace),
    ...target,
    ...option('--verify', verify),
    ...ours.flatMap((path) => ['--ours', path]),
    ...theirs.flatMap((path) => ['--theirs', path]),
  ];
}

const quoted = (word: string): string => (/^[\w@%+=:,./#-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
