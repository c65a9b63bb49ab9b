import type { Plugin } from 'vite';
import { LANGUAGES } from '../run/changes/languages.ts';

/**
 * The diff view can colour hundreds of languages by dozens of themes and three engines, and would bring them all. This leaves
 * what the page uses: some languages, two themes, one engine.
 */
export function fewLanguages(): Plugin {
  return {
    name: 'troupe:few-languages',
    enforce: 'pre',
    resolveId: (id) => (id in MODULES ? `\0few:${id}` : null),
    load: (id) => (id.startsWith('\0few:') ? (MODULES[id.slice('\0few:'.length)] ?? null) : null),
  };
}

export const THEMES = ['pierre-light', 'pierre-dark'] as const;

const loaders = (names: readonly string[], from: string): string =>
  names.map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`${from}/${name}`)})`).join(',\n');

const MODULES: Readonly<Record<string, string>> = {
  'shiki/langs': `export const bundledLanguages = {${loaders(LANGUAGES, '@shikijs/langs')}};`,
  '@pierre/theming/themes': `const loaders = {${loaders(THEMES, '@pierre/theme')}};
export const themes = { getTheme: (name) => name in loaders ? { load: loaders[name] } : null };`,
  // The engines that are not chosen are named in the code all the same.
  'shiki/wasm': 'export default {};',
  'shiki/engine/oniguruma': 'export const createOnigurumaEngine = () => { throw new Error("not there"); };',
  '@pierre/highlights/themes/loader': 'export const themes = {};',
  '@pierre/highlights': `export class LiveTokenizer {}
export const codeToTokens = () => { throw new Error("not there"); };
export const isSupportedLanguage = () => false;`,
};
