import { expect, test } from 'vitest';
import { sampleCard } from '../board/testing/sample-card.ts';
import { entered, smallTree } from '../model/testing/small-run.ts';
import { runTitleText } from './run-words.ts';

const titled = (title: string) => sampleCard({ run: 'r', title });

test('[U2] a fork is called by what it is about: where it comes from stands beside its title', () => {
  const forked = { kind: 'run.forked', from: { run: 'other', seq: 2 }, input: {}, by: 'me' };
  const fork = smallTree(entered('code', 1), forked);
  expect(runTitleText(fork, titled('fork of other at review#2: Add: a function'))).toBe('Add: a function');
  expect(runTitleText(fork, titled('fork of other at record 73: Add it'))).toBe('Add it');
  expect(runTitleText(fork, titled('fork of other at review'))).toBe('fork of other at review');
  expect(runTitleText(fork, titled('My own title'))).toBe('My own title');
  expect(runTitleText(smallTree(), titled('fork of a road: which?'))).toBe('fork of a road: which?');
  expect(runTitleText(smallTree(), null)).toBe('r');
});
