import { expect, test } from 'vitest';
import { unitName } from './unit-name.ts';

test('[U1] a numbered unit is called by the title or text of its item, any other by its id', () => {
  expect(unitName({ id: '0', item: 'base' })).toBe('base');
  expect(unitName({ id: 'item_2', item: { id: 'item_2', text: 'empty titles' } })).toBe('empty titles');
  expect(unitName({ id: '3', item: { title: 'x'.repeat(50) } })).toBe(`${'x'.repeat(39)}…`);
  expect(unitName({ id: 'step-1', item: { title: 'Write it' } })).toBe('step-1');
  expect(unitName({ id: 'runner_1', item: { model: 'base' } })).toBe('runner_1');
  expect(unitName({ id: '4', item: null })).toBe('4');
});
