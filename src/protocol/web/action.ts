import type { Json } from '../../core/model/json.ts';
import { quoteForShell } from '../../core/model/shell-quote.ts';
import type { Act, Order } from '../operations/acts.ts';
import type { Wishes } from '../operations/wishes.ts';

export type Action = Act;

export type DeliverTo = NonNullable<Extract<Action, { readonly kind: 'deliver' }>['to']>;

/** The same on the command line: the words after `troupe` (U2). */
export const commandWords = (action: Action): readonly string[] =>
  (WORDS[action.kind] as (action: Action) => readonly string[])(action);

/** As it may be pasted into a shell. */
export const commandText = (action: Action): string => ['troupe', ...commandWords(action)].map(quoted).join(' ');

/** Arguments that look like options come after all options. */
function command(name: string, args: readonly string[], options: readonly string[] = []): readonly string[] {
  const isPlain = args.every((word) => !word.startsWith('-'));
  return isPlain ? [name, ...args, ...options] : [name, ...options, '--', ...args];
}

/** Joined where the value looks like an option itself: a parser must not mistake it for one. */
export function optionArgs(flag: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
}

const inputWords = (input: Readonly<Record<string, Json>>): readonly string[] =>
  Object.entries(input).flatMap(([name, value]) =>
    optionArgs('--input', `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
  );

const limitWords = (limits: NonNullable<Order['limits']>): readonly string[] =>
  Object.entries(limits).flatMap(([name, value]) => [`--max-${dashed(name)}`, String(value)]);

const dashed = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Further options of a run. */
const wishArgs = ({
  limits = {},
  models = [],
  actors = [],
  slots,
  deliver = {},
  ...own
}: Wishes): readonly string[] => [
  ...limitWords(limits),
  ...(own.labels ?? []).flatMap((label) => optionArgs('--labels', label)),
  ...optionArgs('--priority', own.priority === undefined ? undefined : String(own.priority)),
  ...models.flatMap((model) => optionArgs('--model', model)),
  ...actors.flatMap((actor) => optionArgs('--actor', actor)),
  ...optionArgs('--slots', slots === undefined ? undefined : String(slots)),
  ...(deliver.to === 'apply' ? ['--apply'] : []),
  ...optionArgs('--verify', deliver.verify),
  ...(deliver.allowsPartial === true ? ['--allow-partial'] : []),
];

const textOf = (input: Of<'start'>['input']): readonly string[] => (typeof input === 'string' ? [input] : []);

type Of<Kind extends Action['kind']> = Extract<Action, { readonly kind: Kind }>;

const startWords = (action: Of<'start'>): readonly string[] => [
  ...(typeof action.input === 'string' ? [] : inputWords(action.input ?? {})),
  ...wishArgs(action),
];

const forkWords = ({ at, input = {}, title, tell = [], ...wishes }: Of<'fork'>): readonly string[] => [
  ...optionArgs('--at', at),
  ...inputWords(input),
  ...optionArgs('--title', title),
  ...tell.flatMap(({ agent, text }) => optionArgs('--tell', `${agent}=${text}`)),
  ...wishArgs(wishes),
];

const rollbackWords = ({ to, only, isPreview }: Of<'rollback'>): readonly string[] => [
  ...optionArgs('--to', to),
  ...(only === undefined ? [] : [`--${only}`]),
  isPreview === true ? '--dry-run' : '--yes',
];

const resumeWords = (action: Of<'resume'>): readonly string[] => [
  ...optionArgs('--definition', action.definition),
  ...wishArgs(action),
];

function deliverWords(action: Of<'deliver'>): readonly string[] {
  const { to, run, agent, workspace, verify, ours = [], theirs = [], allow = [] } = action;
  return [
    'deliver',
    run,
    ...optionArgs('--agent', agent),
    ...optionArgs('--workspace', workspace),
    ...targetWords(to),
    ...optionArgs('--verify', verify),
    ...ours.flatMap((path) => optionArgs('--ours', path)),
    ...theirs.flatMap((path) => optionArgs('--theirs', path)),
    ...allow.map((name) => ALLOWED[name]),
  ];
}

function targetWords(to: DeliverTo | undefined): readonly string[] {
  if (to?.kind === 'apply') return ['--apply'];
  return to?.kind === 'patch' ? optionArgs('--patch', to.file) : optionArgs('--branch', to?.name);
}

const ALLOWED = { unverified: '--unverified', conflicts: '--with-conflicts', steering: '--allow-steering' } as const;

const undoWords = ({ isUndone }: { readonly isUndone?: true }, otherwise: readonly string[] = []): readonly string[] =>
  isUndone === true ? ['--undo'] : otherwise;

const WORDS: { readonly [Kind in Action['kind']]: (action: Of<Kind>) => readonly string[] } = {
  start: (action) => command('run', [action.workflow, ...textOf(action.input)], startWords(action)),
  answer: ({ run, question, text, files }) => command('answer', [run, question, text], optionArgs('--files', files)),
  tell: ({ run, agent, text }) => command('tell', [run, agent, text]),
  cancel: ({ run, reason }) => command('cancel', [run], optionArgs('--reason', reason)),
  pause: ({ run, reason }) => command('pause', [run], optionArgs('--reason', reason)),
  resume: (action) => command('resume', [action.run], resumeWords(action)),
  fork: (action) => command('fork', [action.run], forkWords(action)),
  deliver: deliverWords,
  discard: (action) => command('discard', [action.run], undoWords(action, ['--yes'])),
  archive: (action) => command('archive', [action.run], undoWords(action)),
  rollback: (action) => command('rollback', [action.run], rollbackWords(action)),
};

const quoted = (word: string): string => (/^[\w@%+=:,./#-]+$/.test(word) ? word : quoteForShell(word));
