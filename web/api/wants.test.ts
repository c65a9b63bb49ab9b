import { expect, test } from 'vitest';
import type { StreamBatch } from '../../src/protocol/web/stream.ts';
import { Wants } from './wants.ts';

const batch = (...records: readonly (readonly [string, number])[]): StreamBatch => ({
  records: records.map(([run, seq]) => ({
    run,
    record: { seq, at: 0, commit: seq, fact: { kind: 'run.resumed', epoch: 1 } },
  })),
  cards: [],
  texts: [],
  lost: [],
});

test('[U2] without subscriptions there is no stream', () => {
  const wants = new Wants();
  expect(wants.request()).toBeNull();
  expect(wants.take('a', { cards: false, roots: {} })).toBe(false);
  expect(wants.request()).toBeNull();
});

test('[U2] what all tabs want is one request, from where they stand', () => {
  const wants = new Wants();
  expect(wants.take('a', { cards: true, roots: {} })).toBe(true);
  expect(wants.take('b', { cards: false, roots: { r1: { r1: 10, 'r1/t2': 3 } } })).toBe(true);
  expect(wants.request()).toEqual({ cards: true, after: { r1: 10, 'r1/t2': 3 } });
  wants.passed(batch(['r1', 11], ['r1/t2', 4], ['r1/t3', 1]));
  expect(wants.request()).toEqual({ cards: true, after: { r1: 11, 'r1/t2': 4, 'r1/t3': 1 } });
});

test('[U2] a tab that is as far as the stream changes nothing; one that is behind draws it back', () => {
  const wants = new Wants();
  wants.take('a', { cards: false, roots: { r1: { r1: 10 } } });
  wants.passed(batch(['r1', 20]));
  expect(wants.take('b', { cards: false, roots: { r1: { r1: 20 } } })).toBe(false);
  expect(wants.take('c', { cards: false, roots: { r1: { r1: 15 } } })).toBe(true);
  expect(wants.request()?.after).toEqual({ r1: 15 });
});

test('[U2] a tab ahead of the stream does not make it leave anything out', () => {
  const wants = new Wants();
  wants.take('a', { cards: false, roots: { r1: { r1: 5 } } });
  expect(wants.take('b', { cards: false, roots: { r1: { r1: 9 } } })).toBe(false);
  expect(wants.request()?.after).toEqual({ r1: 5 });
});

test('[U2] what only a closed tab wanted is not asked for again', () => {
  const wants = new Wants();
  wants.take('a', { cards: true, roots: {} });
  wants.take('b', { cards: false, roots: { r1: { r1: 5, 'r1/t1': 2 }, r10: { r10: 1 } } });
  wants.take('c', { cards: false, roots: { r10: { r10: 1 } } });
  wants.drop('b');
  expect(wants.request()).toEqual({ cards: true, after: { r10: 1 } });
  expect(wants.tabs()).toEqual(['a', 'c']);
});

test('[U2] an unknown run begins at its beginning', () => {
  const wants = new Wants();
  wants.take('a', { cards: false, roots: { r1: {} } });
  expect(wants.request()).toEqual({ cards: false, after: { r1: 0 } });
});

test('[U2] a run that began below while a tab was reading is sent to it from its beginning', () => {
  const wants = new Wants();
  wants.take('a', { cards: false, roots: { r1: { r1: 10 }, r10: { r10: 1 } } });
  wants.passed(batch(['r1/t5', 1], ['r1/t5', 2], ['r10/t5', 1]));
  expect(wants.take('b', { cards: false, roots: { r1: { r1: 10 } } })).toBe(true);
  expect(wants.request()?.after).toEqual({ r1: 10, 'r1/t5': 0, r10: 1, 'r10/t5': 1 });
  wants.passed(batch(['r1/t5', 1], ['r1/t5', 2]));
  expect(wants.take('b', { cards: false, roots: { r1: { r1: 10, 'r1/t5': 2 } } })).toBe(false);
});
