import { expect, test } from 'vitest';
import type { Progress } from '../../app/world/progress-teller.ts';
import { createRunPrinter, type PrinterOptions } from './run-printer.ts';
import { DEFAULT_MODE } from './terminal.ts';

const READING: Progress = { id: 1, what: 'project', run: null, workspace: null, state: 'started' };
const MAKING: Progress = { id: 2, what: 'workspace', run: 'r1', workspace: 'main', state: 'started' };
const SETUP: Progress = { ...MAKING, id: 3, what: 'setup', command: 'npm ci' };
const ALL: readonly Progress[] = [
  READING,
  { ...READING, state: 'ended', ms: 2100, files: 10_000 },
  MAKING,
  SETUP,
  { ...SETUP, state: 'ended', ms: 12_345 },
  { ...MAKING, state: 'ended', ms: 13_000 },
];

/** What is written, and where. */
function printed(parts: Partial<PrinterOptions> = {}, isTTY = false) {
  const texts = { out: '', err: '' };
  const stdout = { write: (text: string) => (texts.out += text) };
  const stderr = { isTTY, columns: 80, write: (text: string) => (texts.err += text) };
  const printer = createRunPrinter({ mode: DEFAULT_MODE, root: 'r1', stdout, stderr, environment: {}, ...parts });
  return { printer, texts };
}

test('[U1] in a pipe long work has a line at its start and one at its end, with the time', () => {
  const { printer, texts } = printed({ patienceMs: 0 });
  for (const progress of ALL) printer.progress(progress);
  expect(texts.err.split('\n')).toEqual([
    '      [troupe] reading the project …',
    '      [troupe] read the project: 10000 files in 2.1 s',
    '      [troupe] making the workspace main …',
    '      [troupe] setting up main: npm ci …',
    '      [troupe] main is set up after 12 s',
    '      [troupe] the workspace main is ready after 13 s',
    '',
  ]);
  expect(texts.out).toBe('');
});

test('[U1] with --json they are events with the run', () => {
  const { printer, texts } = printed({ mode: { ...DEFAULT_MODE, json: true }, patienceMs: 0 });
  for (const progress of ALL.slice(0, 4)) printer.progress(progress);
  expect(
    texts.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { kind: 'progress.started', run: 'r1', what: 'project', workspace: null },
    { kind: 'progress.ended', run: 'r1', what: 'project', workspace: null, ms: 2100, files: 10_000 },
    { kind: 'progress.started', run: 'r1', what: 'workspace', workspace: 'main' },
    { kind: 'progress.started', run: 'r1', what: 'setup', workspace: 'main', command: 'npm ci' },
  ]);
});

test('[U1] short work is not shown, a setup always, and long work that blocked the timer at its end', () => {
  const { printer, texts } = printed();
  printer.progress(READING);
  printer.progress({ ...READING, state: 'ended', ms: 20, files: 3 });
  printer.progress({ ...SETUP, state: 'failed', ms: 20 });
  printer.progress(MAKING);
  printer.progress({ ...MAKING, state: 'ended', ms: 3000 });
  expect(texts.err).toBe(
    '      [troupe] setting up main: npm ci: failed after 20 ms\n      [troupe] the workspace main is ready after 3.0 s\n',
  );
});

test('[U1] a workspace is shown before its setup begins', () => {
  const { printer, texts } = printed();
  printer.progress(MAKING);
  printer.progress(SETUP);
  expect(texts.err).toBe('      [troupe] making the workspace main …\n      [troupe] setting up main: npm ci …\n');
});

test('[U1] on a terminal it is one line that is rewritten, and what took long leaves a line', () => {
  const { printer, texts } = printed({ environment: { NO_COLOR: '1' } }, true);
  for (const progress of ALL.slice(0, 4)) printer.progress(progress);
  expect(texts.err).toContain('• troupe  reading the project …\n');
  expect(texts.err).toContain('      [troupe] read the project: 10000 files in 2.1 s\n');
  const last = texts.err.slice(texts.err.lastIndexOf('\u001B[?2026h'));
  expect(last).toContain('• troupe  setting up main: npm ci …\n');
  expect(last).not.toContain('making the workspace');
  printer.rest();
  expect(texts.err.endsWith('\u001B[1A\u001B[2K\r\u001B[?2026l')).toBe(true);
});
