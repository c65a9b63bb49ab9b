import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../src/slug.js';

test('words are joined by dashes', () => {
  assert.equal(slug('Hello World'), 'hello-world');
});

test('what stands between two words becomes one dash', () => {
  assert.equal(slug('Hello,  big World'), 'hello-big-world');
});

test('nothing is left over at the ends', () => {
  assert.equal(slug('  Hello! '), 'hello');
});
