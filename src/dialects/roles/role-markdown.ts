import { checked, drafted, type Drafted } from '../source/checked.ts';
import { readDocument } from '../source/read-document.ts';
import { parseRole } from './parse-roles.ts';
import type { RolePart } from './role-part.ts';

const FRONT_MATTER = /^---[ \t]*\r?\n(?<yaml>[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** A Markdown file is a system message; YAML between two lines of dashes at its top gives the other keys of the role. */
export function parseRoleMarkdown(name: string, source: string, options: { readonly file: string }): Drafted<RolePart> {
  const { head, body } = split(source);
  if (head.trim() === '') return checked({ systemMessage: body }, []);
  // The first line of dashes starts the YAML document too, so its lines keep the numbers they have in the file.
  const read = readDocument(`---\n${head}`, { file: options.file });
  if (!read.ok) return read;
  const role = parseRole(name, read.value.document, { file: options.file, locate: read.value.locate });
  if (!role.ok || body === '') return role;
  if (role.value.systemMessage === undefined) return checked({ ...role.value, systemMessage: body }, role.warnings);
  return drafted(role.value, [
    ...role.warnings,
    {
      code: 'ROLE_TWICE',
      message: `The role "${name}" has a systemMessage and a text below it.`,
      severity: 'error',
      file: options.file,
      hint: 'Keep one of the two.',
    },
  ]);
}

function split(source: string): { readonly head: string; readonly body: string } {
  const text = source.replace(/^\uFEFF/, '');
  const found = FRONT_MATTER.exec(text);
  return { head: found?.groups?.['yaml'] ?? '', body: text.slice(found?.[0].length ?? 0).trim() };
}
