import { expect, test } from 'vitest';
import { keyNames, Shortcuts, type Pressed } from './shortcuts.ts';

const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  isMod: false,
  isAlt: false,
  isBusy: false,
  ...more,
});

const shortcut = (keys: string, isEverywhere = false) => ({ keys, label: keys, run: () => undefined, isEverywhere });

test('[U2] a single key, a sequence and a key with Ctrl are found', () => {
  const shortcuts = new Shortcuts();
  for (const keys of ['j', 'g r', 'mod+k', 'r']) shortcuts.add(shortcut(keys));
  expect(shortcuts.press(press('j'), 0)?.keys).toBe('j');
  expect(shortcuts.press(press('g'), 10)).toBeNull();
  expect(shortcuts.press(press('r'), 20)?.keys).toBe('g r');
  expect(shortcuts.press(press('r'), 30)?.keys).toBe('r');
  expect(shortcuts.press(press('K', { isMod: true }), 40)?.keys).toBe('mod+k');
});

test('[U2] a sequence is forgotten after a while', () => {
  const shortcuts = new Shortcuts();
  shortcuts.add(shortcut('g r'));
  shortcuts.press(press('g'), 0);
  expect(shortcuts.press(press('r'), 5000)).toBeNull();
});

test('[U2] while somebody writes, only what is for everywhere is heard', () => {
  const shortcuts = new Shortcuts();
  shortcuts.add(shortcut('a'));
  shortcuts.add(shortcut('mod+k', true));
  expect(shortcuts.press(press('a', { isBusy: true }), 0)).toBeNull();
  expect(shortcuts.press(press('k', { isBusy: true, isMod: true }), 0)?.keys).toBe('mod+k');
  expect(shortcuts.press(press('a', { isAlt: true }), 0)).toBeNull();
});

test('[U2] the newest wins, and an older one comes back when it goes', () => {
  const shortcuts = new Shortcuts();
  const old = shortcut('a');
  const young = shortcut('a');
  shortcuts.add(old);
  const remove = shortcuts.add(young);
  expect(shortcuts.press(press('a'), 0)).toBe(young);
  remove();
  expect(shortcuts.press(press('a'), 0)).toBe(old);
});

test('[U2] keys have names on every machine', () => {
  expect(keyNames('mod+k', true)).toEqual(['⌘', 'k']);
  expect(keyNames('mod+k', false)).toEqual(['Ctrl', 'k']);
  expect(keyNames('g r', false)).toEqual(['g', 'r']);
  expect(keyNames('+', false)).toEqual(['+']);
});

test('[U2] between the keys of a sequence the next one is taken', () => {
  const shortcuts = new Shortcuts();
  shortcuts.add(shortcut('g r'));
  expect(shortcuts.isBegun(0)).toBe(false);
  shortcuts.press(press('g'), 0);
  expect([shortcuts.isBegun(100), shortcuts.isBegun(5000)]).toEqual([true, false]);
  shortcuts.press(press('r'), 200);
  expect(shortcuts.isBegun(300)).toBe(false);
});
