import { basename, extname, join } from 'node:path';
import type { Problem } from '../../core/fault.ts';
import { checked, type Checked } from '../source/checked.ts';
import { listFolder } from '../source/list-folder.ts';
import { readDocument } from '../source/read-document.ts';
import { readSourceFile } from '../source/read-source-file.ts';
import { parseRole, parseRoles } from './parse-roles.ts';
import { parseRoleMarkdown } from './role-markdown.ts';
import type { RolePart, RoleParts } from './role-part.ts';

/** Files that may hold the system message of a role that is a folder (ST4), the first one found counts. */
const MESSAGE_FILES = ['ROLE.md', 'CLAUDE.md', 'AGENTS.md'];
const SETTINGS_FILES = ['role.yaml', 'role.yml', 'role.json'];
const DATA_FILE = /\.(?:json|ya?ml)$/i;

/**
 * All roles of a folder: `roles.json` with several, a file with one (`coder.yaml`, `coder.md`), or a folder with one
 * (`coder/CLAUDE.md` and perhaps `coder/role.yaml`). A folder that does not exist holds no roles.
 */
export async function loadRoles(folder: string): Promise<Checked<RoleParts>> {
  const entries = await listFolder(folder);
  if (!entries.ok) return entries;
  const found: FoundRole[] = [];
  const problems: Problem[] = [];
  for (const entry of entries.value) {
    const result = await loadEntry(join(folder, entry.name), entry.isFolder);
    if (!result.ok) problems.push(...result.problems);
    else {
      problems.push(...result.warnings);
      found.push(...result.value);
    }
  }
  problems.push(...findTwice(found));
  return checked(Object.fromEntries(found.map(({ name, part }) => [name, part])), problems);
}

interface FoundRole {
  readonly name: string;
  readonly part: RolePart;
  readonly file: string;
}

async function loadEntry(path: string, isFolder: boolean): Promise<Checked<readonly FoundRole[]>> {
  if (isFolder) return loadRoleFolder(path);
  const isMarkdown = /\.md$/i.test(path);
  if (!isMarkdown && !DATA_FILE.test(path)) return checked([], []);
  const name = basename(path, extname(path));
  if (isMarkdown && name.toLowerCase() === 'readme') return checked([], []);
  if (isMarkdown) return single(name, path, await loadMarkdown(name, path));
  return name === 'roles' ? loadRolesFile(path) : single(name, path, await loadRoleFile(name, path));
}

/** A file with several roles by name. */
export async function loadRolesFile(path: string): Promise<Checked<readonly FoundRole[]>> {
  const text = await readSourceFile(path);
  if (!text.ok) return text;
  const read = readDocument(text.value, { file: path });
  if (!read.ok) return read;
  const roles = parseRoles(read.value.document, { file: path, locate: read.value.locate });
  if (!roles.ok) return roles;
  const found = Object.entries(roles.value).map(([name, part]) => ({ name, part, file: path }));
  return checked(found, roles.warnings);
}

async function loadRoleFile(name: string, path: string): Promise<Checked<RolePart>> {
  const text = await readSourceFile(path);
  if (!text.ok) return text;
  const read = readDocument(text.value, { file: path });
  if (!read.ok) return read;
  return parseRole(name, read.value.document, { file: path, locate: read.value.locate });
}

async function loadMarkdown(name: string, path: string): Promise<Checked<RolePart>> {
  const text = await readSourceFile(path);
  return text.ok ? parseRoleMarkdown(name, text.value, { file: path }) : text;
}

async function loadRoleFolder(folder: string): Promise<Checked<readonly FoundRole[]>> {
  const name = basename(folder);
  const entries = await listFolder(folder);
  if (!entries.ok) return entries;
  const names = new Set(entries.value.filter((entry) => !entry.isFolder).map((entry) => entry.name));
  const messageFile = MESSAGE_FILES.find((file) => names.has(file));
  const settingsFile = SETTINGS_FILES.find((file) => names.has(file));
  const parts: RolePart[] = [];
  const problems: Problem[] = [];
  const results = [
    ...(messageFile === undefined ? [] : [await loadMarkdown(name, join(folder, messageFile))]),
    ...(settingsFile === undefined ? [] : [await loadRoleFile(name, join(folder, settingsFile))]),
  ];
  for (const result of results) {
    if (result.ok) parts.push(result.value);
    problems.push(...(result.ok ? result.warnings : result.problems));
  }
  if (results.length === 0) return checked([], []);
  return checked([{ name, part: Object.assign({}, ...parts) as RolePart, file: folder }], problems);
}

function single(name: string, file: string, result: Checked<RolePart>): Checked<readonly FoundRole[]> {
  return result.ok ? checked([{ name, part: result.value, file }], result.warnings) : result;
}

function findTwice(found: readonly FoundRole[]): readonly Problem[] {
  const first = new Map<string, FoundRole>();
  return found.flatMap((role): readonly Problem[] => {
    const other = first.get(role.name);
    first.set(role.name, other ?? role);
    if (other === undefined) return [];
    const message = `The role "${role.name}" is defined in ${other.file} and in ${role.file}.`;
    return [{ code: 'ROLE_TWICE', message, severity: 'error', file: role.file, hint: 'Keep one of the two.' }];
  });
}
