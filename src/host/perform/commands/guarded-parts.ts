import { isJsonObject, type Json, parseObject } from '../../../core/model/json.ts';

/**
 * Some files mix settings that steer the tests with others: an implementer may add a dependency to `package.json`, but not
 * redefine `npm test`.
 */
export function guardedPartsOf(path: string): Parts | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const keys = JSON_KEYS[name];
  if (keys !== undefined) return (before, after) => withKeys(before, after, keys);
  const sections = SECTIONS[name];
  return sections === undefined ? null : (before, after) => withSections(before, after, sections);
}

/** The new text with the guarded parts of `before` restored; null if those did not change. */
export type Parts = (before: string, after: string) => string | null;

const JSON_KEYS: Readonly<Record<string, readonly string[]>> = {
  'package.json': ['scripts', 'jest', 'vitest', 'mocha', 'ava', 'tap', 'nyc', 'c8'],
  'deno.json': ['tasks', 'test'],
  'composer.json': ['scripts'],
};

const SECTIONS: Readonly<Record<string, RegExp>> = {
  'pyproject.toml': /^tool\.(?:pytest|tox|nox|coverage|poe|taskipy|hatch\.envs|pdm\.scripts)\b/,
  'setup.cfg': /^(?:tool:pytest|pytest|coverage:.*)$/,
};

function withKeys(before: string, after: string, keys: readonly string[]): string | null {
  const [old, made] = [parseObject(before), parseObject(after)];
  if (old === null || made === null) return before === after ? null : before;
  const guarded: Record<string, Json> = { ...made };
  for (const key of keys) {
    const value = key === 'scripts' || key === 'tasks' ? withScripts(old[key], made[key]) : old[key];
    if (value === undefined) delete guarded[key];
    else guarded[key] = value;
  }
  const isSame = keys.every((key) => JSON.stringify(guarded[key]) === JSON.stringify(made[key]));
  return isSame ? null : `${JSON.stringify(guarded, null, 2)}\n`;
}

/** New ones may be added, except those that run before or after an existing one. */
function withScripts(old: Json | undefined, made: Json | undefined): Json | undefined {
  if (!isJsonObject(made)) return old;
  const was = isJsonObject(old) ? old : {};
  const isHook = (name: string): boolean => {
    const of = /^(?:pre|post)(.+)$/.exec(name)?.[1];
    return of !== undefined && (Object.hasOwn(was, of) || of === 'test');
  };
  const names = Object.keys(made);
  const kept = names.filter((name) => Object.hasOwn(was, name) || !isHook(name));
  const lost = Object.keys(was).filter((name) => !Object.hasOwn(made, name));
  return Object.fromEntries([...kept, ...lost].map((name) => [name, was[name] ?? made[name] ?? null]));
}

function withSections(before: string, after: string, guarded: RegExp): string | null {
  const pick = (text: string, isWanted: boolean): string =>
    text
      .split(/^(?=\[)/m)
      .filter((section) => guarded.test(/^\[+\s*([^\]\n]+)/.exec(section)?.[1]?.trim() ?? '') === isWanted)
      .map((section) => section.trimEnd())
      .filter((section) => section !== '')
      .join('\n\n');
  const was = pick(before, true);
  if (was === pick(after, true)) return null;
  return `${[pick(after, false), was].filter((part) => part !== '').join('\n\n')}\n`;
}
