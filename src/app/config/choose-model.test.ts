import { expect, test } from 'vitest';
import { Fault } from '../../core/model/fault.ts';
import type { Definition } from '../../core/model/definition.ts';
import { mapValues } from '../../core/model/map-values.ts';
import { chooseModel, parseOverrides, withKey, withModel } from './choose-model.ts';
import { EMPTY_CONFIG, type ApiModel, type Config } from './config.ts';

const model = (name: string): ApiModel => ({
  kind: 'api',
  apiKeyEnv: 'THE_KEY',
  config: { name, provider: 'openai', model: name },
});

const configWith = (...names: readonly string[]): Config => ({
  ...EMPTY_CONFIG,
  models: Object.fromEntries(names.map((name) => [name, model(name)])),
});

function faultOf(action: () => unknown): Fault {
  try {
    action();
  } catch (error) {
    if (error instanceof Fault) return error;
  }
  throw new Error('There was no fault.');
}

test('[SM7] a level that is not configured falls back to base', () => {
  expect(chooseModel(configWith('base'), 'smart').name).toBe('base');
  expect(chooseModel(configWith('base', 'smart'), 'smart').name).toBe('smart');
});

test('[SM7] an override names another configured model for a level, and base for those that fall back', () => {
  const config = configWith('base', 'offline');
  const overrides = parseOverrides(['base=offline'], config);
  expect(chooseModel(config, 'base', overrides).name).toBe('offline');
  expect(chooseModel(config, 'fast', overrides).name).toBe('offline');
});

test('[L3] with no model at all the fault says what to write', () => {
  const fault = faultOf(() => chooseModel(EMPTY_CONFIG, 'base'));
  expect(fault.code).toBe('MODEL_MISSING');
  expect(fault.hint).toContain('models:');
});

test('[L3] a name that is no level and no model is never silently replaced', () => {
  expect(faultOf(() => chooseModel(configWith('base', 'mistral'), 'mistrl'))).toMatchObject({
    code: 'MODEL_UNKNOWN',
    hint: 'Did you mean "mistral"?',
  });
  expect(faultOf(() => parseOverrides(['base=nobody'], configWith('base'))).code).toBe('MODEL_UNKNOWN');
});

test('[U4] a key that is not set is reported by the name of its variable', () => {
  const fault = faultOf(() => withKey(model('base'), {}));
  expect(fault.code).toBe('KEY_MISSING');
  expect(fault.message).toContain('THE_KEY');
  expect(withKey(model('base'), { THE_KEY: 'secret' }).apiKey).toBe('secret');
});

test('[L6] an override that is written into the roles holds later, unless there is a newer one', () => {
  const config = configWith('base', 'slow', 'quick');
  const roles = { one: { level: 'base' }, two: { level: 'smart' }, three: { level: 'quick' } };
  const kept = mapValues(roles as unknown as Definition['roles'], (role) => withModel(role, config, { base: 'slow' }));
  const later = (name: string, overrides = {}): string => chooseModel(config, kept[name]?.level ?? '', overrides).name;
  expect(['one', 'two', 'three'].map((name) => later(name))).toEqual(['slow', 'slow', 'quick']);
  expect(['one', 'two', 'three'].map((name) => later(name, { base: 'quick' }))).toEqual(['quick', 'quick', 'quick']);
  expect(faultOf(() => chooseModel(configWith('base'), kept['two']?.level ?? '')).code).toBe('MODEL_UNKNOWN');
});
