import type { Plugin } from 'vite';
import { LANGUAGES } from '../run/changes/languages.ts';

/**
 * The diff view can colour hundreds of languages by dozens of themes and three engines, and would bring them all. This leaves
 * what the page uses: some languages, its own themes, one engine.
 */
export function fewLanguages({ isWorker = false } = {}): Plugin {
  const modules = modulesFor(isWorker);
  return {
    name: 'troupe:few-languages',
    enforce: 'pre',
    resolveId: (id) => (id in modules ? `\0few:${id}` : null),
    load: (id) => (id.startsWith('\0few:') ? (modules[id.slice('\0few:'.length)] ?? null) : null),
  };
}

const loaders = (names: readonly string[], from: string): string =>
  names.map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`${from}/${name}`)})`).join(',\n');

/** A worker gets its languages from the page. */
const modulesFor = (isWorker: boolean): Readonly<Record<string, string>> => ({
  'shiki/langs': `export const bundledLanguages = {${loaders(isWorker ? [] : LANGUAGES, '@shikijs/langs')}};`,
  '@pierre/theming/themes': 'export const themes = { getTheme: () => null };',
  // The code still names the engines that are not chosen.
  'shiki/wasm': 'export default {};',
  'shiki/engine/oniguruma': 'export const createOnigurumaEngine = () => { throw new Error("not there"); };',
  '@pierre/highlights/themes/loader': 'export const themes = {};',
  '@pierre/highlights': `export class LiveTokenizer {}
export const codeToTokens = () => { throw new Error("not there"); };
export const isSupportedLanguage = () => false;`,
});
