import { expect, test } from 'vitest';
import { Tickets } from './tickets.ts';

test('[U2] a ticket is good once, and for a while', () => {
  const tickets = new Tickets();
  const [one, two] = [tickets.issue(), tickets.issue()];
  expect(one).not.toBe(two);
  expect(tickets.take(undefined)).toBe(false);
  expect(tickets.take('Bearer ')).toBe(false);
  expect(tickets.take(`Bearer ${one}x`)).toBe(false);
  expect(tickets.take(`Bearer ${one}`)).toBe(true);
  expect(tickets.take(`Bearer ${one}`)).toBe(false);
  expect(tickets.take(`Bearer ${two}`)).toBe(true);
  const late = new Tickets(0);
  expect(late.take(`Bearer ${late.issue()}`)).toBe(false);
});
