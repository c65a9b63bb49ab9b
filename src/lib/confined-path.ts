/**
 * Splits an untrusted path into plain names, or refuses it. Text only: nothing is looked up here. `HeldFolder`, which
 * follows no link, handles what the names lead to on the disk.
 */
export function splitPath(path: string, rules: PathRules = {}): readonly string[] {
  const wrong = wrongText(path);
  if (wrong !== null) throw new PathRefused(wrong, path, TEXT_REASONS[wrong]);
  const names = path.replace(/\/$/, '').split('/');
  const kept = names.filter((name) => name !== '.');
  for (const name of kept) {
    const reason = wrongName(name);
    if (reason !== null) throw new PathRefused(reason, path, NAME_REASONS[reason]);
    if (isReserved(name, rules.reserved ?? [])) throw new PathRefused('reserved', path, NAME_REASONS.reserved);
  }
  if (kept.length > MAX_DEPTH) throw new PathRefused('too-long', path, TEXT_REASONS['too-long']);
  return kept;
}

export interface PathRules {
  /** Names that must not occur anywhere in the path, compared without case. */
  readonly reserved?: readonly string[];
}

/** The path was understood but is refused. `reason` is for programs, the message for people. */
export class PathRefused extends Error {
  override readonly name = 'PathRefused';
  readonly reason: RefusalReason;
  readonly path: string;

  constructor(reason: RefusalReason, path: string, because: string) {
    super(`${shownPath(path)} ${because}`);
    this.reason = reason;
    this.path = path;
  }
}

export type RefusalReason = TextReason | NameReason | DiskReason;
type TextReason = 'empty' | 'absolute' | 'home' | 'backslash' | 'nul' | 'not-text' | 'too-long';
type NameReason = 'empty-name' | 'parent' | 'trailing' | 'encoded' | 'reserved';
type DiskReason =
  | 'missing'
  | 'link'
  | 'not-a-folder'
  | 'is-a-folder'
  | 'special'
  | 'hard-link'
  | 'too-large'
  | 'moved'
  | 'denied';

const MAX_DEPTH = 100;
const MAX_BYTES = 4096;

const TEXT_REASONS: Record<TextReason, string> = {
  empty: 'is an empty path.',
  absolute: 'is an absolute path; give it relative to the folder, such as src/main.ts.',
  home: 'starts with ~, which is not expanded; give a path relative to the folder.',
  backslash: 'contains a backslash; separate names with /.',
  nul: 'contains a NUL character.',
  'not-text': 'contains half of a surrogate pair, which no file name can hold.',
  'too-long': 'is too long or too deep.',
};

const NAME_REASONS: Record<NameReason, string> = {
  'empty-name': 'contains an empty name (//).',
  parent: 'contains .., which leaves the folder.',
  trailing: 'contains a name that ends in a dot or a space.',
  encoded: 'contains a percent-encoded dot, slash or backslash; write the name plainly.',
  reserved: 'lies in a folder that must not be changed.',
};

function wrongText(path: string): TextReason | null {
  if (path === '') return 'empty';
  if (path.startsWith('/')) return 'absolute';
  if (path.startsWith('~')) return 'home';
  if (path.includes('\\')) return 'backslash';
  if (path.includes('\0')) return 'nul';
  if (!path.isWellFormed()) return 'not-text';
  return Buffer.byteLength(path) > MAX_BYTES ? 'too-long' : null;
}

function wrongName(name: string): NameReason | null {
  if (name === '') return 'empty-name';
  if (name === '..') return 'parent';
  if (/[. ]$/.test(name)) return 'trailing';
  // Never decoded here, but a later reader of the result might.
  return /%(?:2e|2f|5c|00)/i.test(name) ? 'encoded' : null;
}

/** Compared without case and without characters that some file systems ignore, so that `.GIT` is `.git`. */
export function isReserved(name: string, reserved: readonly string[]): boolean {
  const plain = name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase();
  return reserved.includes(plain);
}

/** A file's name for use in text: unchanged, or quoted with every control or direction character escaped. */
export function shownPath(path: string | Buffer): string {
  if (typeof path === 'string') return needsQuotes(path) ? quoted(path) : path;
  const text = path.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(path)) return shownPath(text);
  return `"${path.toString('latin1').replaceAll(/[^\x20-\x7e]|["\\]/g, hexEscape)}"`;
}

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

function needsQuotes(text: string): boolean {
  return text === '' || UNSAFE.test(text);
}

function quoted(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(new RegExp(UNSAFE, 'gu'), unicodeEscape);
  return `"${escaped}"`;
}

function unicodeEscape(character: string): string {
  if (character === '\n') return String.raw`\n`;
  return String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function hexEscape(character: string): string {
  return String.raw`\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;
}
