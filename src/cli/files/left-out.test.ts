import { expect, test } from 'vitest';
import { leftOutLine, stayingLines, whyLeftOut } from './left-out.ts';

const special = (path: string) => ({ path, why: 'special' as const });

test('[U1] files left out are listed by kind, with names, in one line', () => {
  const some = [special('a.sock'), { path: 'film.mkv', why: 'too-large' as const }, special('b.fifo')];
  expect(leftOutLine({ count: 3, some })).toBe(
    'Left out of the workspaces: 2 special files: a.sock, b.fifo; 1 file larger than workspaces.largest_file: film.mkv',
  );
});

test('[U1] [C35] many are counted instead of named, and no name moves the cursor', () => {
  const some = Array.from({ length: 20 }, (_, at) => special(`${at}\u001b[2J`));
  expect(leftOutLine({ count: 31, some })).toBe(
    'Left out of the workspaces: 20 special files: 0, 1, 2, 3, 4, …; and 11 more',
  );
});

test('[U1] what a run made and is not handed over says why, and what a rollback leaves says where', () => {
  expect(whyLeftOut('special')).toBe('not brought along: a special file (pipe, socket or device)');
  expect(whyLeftOut('the project ignores it')).toBe('the project ignores it');
  const stays = ['1', '2', '3', '4', '5', '6'];
  const lines = stayingLines({ workspace: 'main', stays });
  expect(lines[0]).toContain('1 stays in the workspace main: larger than workspaces.largest_file');
  expect(lines.at(-1)).toBe('… and 1 more stay');
  expect(stayingLines({ workspace: 'main', stays: [] })).toEqual([]);
});
