import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export const TABS = [
  'agents',
  'step',
  'transcript',
  'requests',
  'debate',
  'changes',
  'artifacts',
  'events',
  'problems',
] as const;

export type Tab = (typeof TABS)[number];

const TEXTS = [
  /** A run below the root. */
  'run',
  'state',
  'task',
  'agent',
  'context',
  /** The agent from whose view a conversation is read. */
  'as',
  'file',
  /** Of which version of the file: `old` for a line that was removed, else the new one. */
  'side',
  'finding',
  'artifact',
  /** What the changes are compared with: `start`, `step`, `project`, a record, or `ref:` and a branch, tag or commit. */
  'base',
  'workspace',
  /** Which dialog is open. */
  'dialog',
  'q',
  /** Which records are shown: their kind, the run they are of, a text in them. */
  'kind',
  'only',
  'text',
  /** The unfolded parts of the picture, as `openText` writes them; by default the page chooses. */
  'open',
] as const;

/** Which visit of the state, from 1; a record; a line of the file; a request. */
const NUMBERS = ['visit', 'seq', 'line', 'request'] as const;

/** The selection on the page of a run, kept in the address so that a link shows the same. */
export type Selection = { readonly tab?: Tab } & {
  readonly [Key in (typeof TEXTS)[number]]?: string;
} & { readonly [Key in (typeof NUMBERS)[number]]?: number };

/** Parses the valid parts of an address. */
export function parseSelection(search: Readonly<Record<string, unknown>>): Selection {
  const texts = TEXTS.flatMap((key) => {
    const value = search[key];
    return ['string', 'number', 'boolean'].includes(typeof value) ? [[key, String(value)] as const] : [];
  });
  const numbers = NUMBERS.flatMap((key) => {
    const value = Number(search[key]);
    return search[key] !== undefined && Number.isSafeInteger(value) && value >= 0 ? [[key, value] as const] : [];
  });
  const tab = TABS.find((one) => one === search['tab']);
  return { ...Object.fromEntries(texts), ...Object.fromEntries(numbers), ...(tab === undefined ? {} : { tab }) };
}

/** `undefined` in a change takes a key away. */
export type SelectionChange = { readonly [Key in keyof Selection]?: Selection[Key] | undefined };

export function useSelection(): readonly [Selection, (change: SelectionChange) => void] {
  const selection = useSearch({ strict: false, select: parseSelection, structuralSharing: true });
  const navigate = useNavigate();
  const select = useCallback(
    (change: SelectionChange) =>
      void navigate({
        to: '.',
        search: (before: Readonly<Record<string, unknown>>) => withChange(before, change),
        // Back closes a dialog and returns to the part shown before; a finer selection adds no entry to the history.
        replace: change.dialog === undefined && change.tab === undefined,
      }),
    [navigate],
  );
  return [selection, select];
}

export function withChange(
  before: Readonly<Record<string, unknown>>,
  change: SelectionChange,
): Record<string, unknown> {
  // A link to a record must show it, so an earlier filter is cleared.
  const isToRecord = change.tab === 'events' && change.seq !== undefined;
  const opened = isToStep(change) && [undefined, 'agents'].includes(tabIn(before)) ? { tab: 'step' } : {};
  const after = { ...before, ...(isToRecord ? NO_FILTER : {}), ...opened, ...change };
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined));
}

/** A visit is chosen: the agents' columns would say nothing about it, and all other parts follow it or are about something else. */
const isToStep = (change: SelectionChange): boolean =>
  change.state !== undefined && 'visit' in change && !('dialog' in change) && !('tab' in change);

const tabIn = ({ tab }: Readonly<Record<string, unknown>>): Tab | undefined => TABS.find((one) => one === tab);

const NO_FILTER = { kind: undefined, only: undefined, text: undefined };

/** Nothing unfolded is not the same as nothing said, and no part is called so. */
const NOTHING_OPEN = '-';

export const openText = (open: readonly string[]): string => (open.length === 0 ? NOTHING_OPEN : open.join(','));

/** Null: no choice was made. */
export const openIn = (text: string | undefined): readonly string[] | null =>
  text === undefined ? null : text.split(',').filter((id) => id !== '' && id !== NOTHING_OPEN);
