import type { Column } from '../../src/protocol/web/run-card.ts';

export const COLUMN_WORDS: Readonly<Record<Column, { readonly title: string; readonly why: string }>> = {
  running: { title: 'Running', why: 'Nothing is at work now. Runs show here while a process drives them.' },
  'needs-you': { title: 'Needs you', why: 'No run waits for you. Questions, limits and stopped runs show here.' },
  review: { title: 'Review', why: 'No result waits. Runs that failed, or whose result was not taken yet, show here.' },
  done: { title: 'Done', why: 'No run has come to its end and been taken yet.' },
};
