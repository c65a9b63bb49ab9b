import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** What is selected on the page of a run: all of it stands in the address, so that a link shows the same. */
export interface Selection {
  readonly tab?: Tab;
  /** A run below the root. */
  readonly run?: string;
  readonly state?: string;
  /** Which visit of the state, from 1. */
  readonly visit?: number;
  readonly task?: string;
  readonly agent?: string;
  readonly context?: string;
  /** Whose eyes a conversation is read through. */
  readonly as?: string;
  /** A record. */
  readonly seq?: number;
  readonly file?: string;
  readonly line?: number;
  readonly finding?: string;
  readonly artifact?: string;
  /** What the changes are compared with: `start`, `step` or a branch. */
  readonly base?: string;
  readonly workspace?: string;
  /** Which dialog is open. */
  readonly dialog?: string;
  readonly q?: string;
}

export const TABS = ['agents', 'transcript', 'debate', 'changes', 'artifacts', 'events', 'problems'] as const;

export type Tab = (typeof TABS)[number];

const TEXTS = [
  'run',
  'state',
  'task',
  'agent',
  'context',
  'as',
  'file',
  'finding',
  'artifact',
  'base',
  'workspace',
  'dialog',
  'q',
] as const;
const NUMBERS = ['visit', 'seq', 'line'] as const;

/** What an address says, as far as it makes sense. */
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
        replace: true,
      }),
    [navigate],
  );
  return [selection, select];
}

export function withChange(
  before: Readonly<Record<string, unknown>>,
  change: SelectionChange,
): Record<string, unknown> {
  const after = { ...before, ...change };
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined));
}
