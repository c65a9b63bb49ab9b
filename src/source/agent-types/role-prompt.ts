import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { readDocument } from '../read-document.ts';
import { readSourceFile } from '../read-source-file.ts';
import type { PromptLine } from './prompt-library.ts';

export interface RoleName {
  readonly name: string;
  readonly systemMessage: string;
}

/** Where the prompt of a plain role is written: searched in files and folders of roles, highest priority first. */
export async function findRolePrompt(role: RoleName, places: readonly string[]): Promise<readonly PromptLine[]> {
  for (const place of places) {
    for (const file of filesFor(role.name, place)) {
      const text = await readSourceFile(file);
      const lines = text.ok ? linesIn(text.value, file, role) : null;
      if (lines !== null) return lines;
    }
  }
  return role.systemMessage.split('\n').map((text) => ({ text, origin: null }));
}

/** The same files as `load-roles` reads. */
function filesFor(name: string, place: string): readonly string[] {
  if (statSync(place, { throwIfNoEntry: false })?.isFile() === true) return [place];
  const endings = ['yaml', 'yml', 'json'];
  return [
    `${name}.md`,
    ...endings.map((ending) => `${name}.${ending}`),
    ...endings.map((ending) => `${name}/role.${ending}`),
    ...['ROLE.md', 'CLAUDE.md', 'AGENTS.md'].map((file) => `${name}/${file}`),
    ...endings.map((ending) => `roles.${ending}`),
  ].map((file) => join(place, file));
}

interface Source {
  readonly text: string;
  readonly file: string;
}

function linesIn(text: string, file: string, role: RoleName): readonly PromptLine[] | null {
  const source = { text, file };
  return /\.md$/i.test(file) ? asText(source, role, () => true) : asValue(source, role);
}

/** Line by line, from a line on at which it may begin. */
function asText(
  { text, file }: Source,
  { systemMessage }: RoleName,
  mayBegin: (line: number) => boolean,
): readonly PromptLine[] | null {
  const lines = text.split(/\r?\n/).map(bare);
  const message = systemMessage.trim().split('\n');
  const isHere = (at: number): boolean => message.every((word, index) => lines[at + index] === bare(word));
  const at = lines.findIndex((_, index) => mayBegin(index + 1) && isHere(index));
  return at === -1 ? null : message.map((word, index) => ({ text: word, origin: { file, line: at + index + 1 } }));
}

/** Without indentation and byte order mark. */
const bare = (line: string): string => line.replace(/^\uFEFF/, '').trim();

/** A value that is written literally (a block of YAML) is found line by line; any other where it begins. */
function asValue(source: Source, role: RoleName): readonly PromptLine[] | null {
  const read = readDocument(source.text, { file: source.file });
  if (!read.ok) return null;
  const { document, locate } = read.value;
  const path = [['systemMessage'], [role.name, 'systemMessage']].find(
    (keys) => valueAt(document, keys) === role.systemMessage,
  );
  if (path === undefined) return null;
  const line = locate(path)?.line ?? 1;
  const whole = role.systemMessage.trim().split('\n');
  return (
    asText(source, role, (first) => first === line || first === line + 1) ??
    whole.map((text) => ({ text, origin: { file: source.file, line } }))
  );
}

function valueAt(document: Json, keys: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const key of keys) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}
