import { expect, test } from 'vitest';
import { DEFAULT_RETRY } from '../../core/step/retry.ts';
import type { Definition } from '../../core/model/definition.ts';
import { DEFAULT_LIMITS } from '../../core/model/workflow.ts';
import { EMPTY_CONFIG, mergeConfig, type RetrySettings } from './config.ts';
import { adaptDefinition } from '../library/wanted-definition.ts';

const definition: Definition = {
  workflow: {
    name: 'w',
    description: '',
    family: 'test',
    inputs: [],
    output: null,
    data: {},
    contexts: [],
    agents: [],
    start: 'start',
    states: {},
    limits: DEFAULT_LIMITS,
  },
  library: {},
  roles: {},
};

const retrying = (retry: RetrySettings): Definition => adaptDefinition(definition, { ...EMPTY_CONFIG, retry }, {});

test('[PH6] how often tools are tried is set by itself', () => {
  expect(retrying({ toolTries: 5 })).toEqual({ ...definition, toolTries: 5 });
});

test('[PH6] without settings the definition is the same, so its hash is too', () => {
  expect(retrying({})).toEqual(definition);
  expect(retrying(mergeConfig(EMPTY_CONFIG, EMPTY_CONFIG).retry)).toEqual(definition);
});

test('[PH6] what is not configured stays as it is built in', () => {
  expect(retrying({ tries: { rate: 2 } }).retry).toEqual({ ...DEFAULT_RETRY, tries: { rate: 2 } });
  expect(retrying({ baseMs: 5 }).retry).toEqual({ tries: {}, baseMs: 5, maxMs: DEFAULT_RETRY.maxMs });
});

test('[PH6] one wait that is set moves the other where the built-in one would contradict it', () => {
  expect(retrying({ maxMs: 10 }).retry).toEqual({ tries: {}, baseMs: 10, maxMs: 10 });
  expect(retrying({ baseMs: 90_000 }).retry).toEqual({ tries: {}, baseMs: 90_000, maxMs: 90_000 });
});

test("[PH6] the project's settings lie above the user's, key by key", () => {
  const user = { ...EMPTY_CONFIG, retry: { baseMs: 5, tries: { rate: 2, server: 3 } } };
  const project = { ...EMPTY_CONFIG, retry: { maxMs: 50, tries: { rate: 9 } } };
  expect(mergeConfig(user, project).retry).toEqual({ baseMs: 5, maxMs: 50, tries: { rate: 9, server: 3 } });
});
