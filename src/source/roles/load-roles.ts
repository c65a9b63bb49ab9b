import { basename, extname, join } from 'node:path';
import type { Problem } from '../../core/model/fault.ts';
import { checked, draftOf, drafted, problemsOf, refusedSource, type Drafted } from '../checked.ts';
import { listFolder, readSourceFile } from '../read-source-file.ts';
import { readDocument } from '../read-document.ts';
import { laidOver, type RolePart, type RoleParts } from './placed-role.ts';
import { parseRole, parseRoleMarkdown, parseRoles } from './parse-roles.ts';

/** Files that may hold the system message of a role that is a folder (ST4), the first one found counts. */
const MESSAGE_FILES = ['ROLE.md', 'CLAUDE.md', 'AGENTS.md'];
const SETTINGS_FILES = ['role.yaml', 'role.yml', 'role.json'];
const DATA_FILE = /\.(?:json|ya?ml)$/i;

/**
 * All roles of a folder: `roles.json` with several, a file with one (`coder.yaml`, `coder.md`), or a folder with one
 * (`coder/CLAUDE.md` and perhaps `coder/role.yaml`). A folder that does not exist holds no roles.
 */
export async function loadRoles(folder: string): Promise<Drafted<RoleParts>> {
  const entries = await listFolder(folder);
  if (!entries.ok) return entries;
  const found: FoundRole[] = [];
  const problems: Problem[] = [];
  let isWhole = true;
  for (const entry of entries.value) {
    const result = await loadEntry(join(folder, entry.name), entry.isFolder);
    const roles = draftOf(result);
    problems.push(...problemsOf(result));
    found.push(...(roles ?? []));
    isWhole &&= roles !== undefined;
  }
  problems.push(...findTwice(found));
  // If not even the names are known, missing roles cannot be reported.
  if (!isWhole) return refusedSource(problems);
  return drafted(Object.fromEntries(found.map(({ name, part }) => [name, part])), problems);
}

interface FoundRole {
  readonly name: string;
  readonly part: RolePart;
  readonly file: string;
}

async function loadEntry(path: string, isFolder: boolean): Promise<Drafted<readonly FoundRole[]>> {
  if (isFolder) return loadRoleFolder(path);
  const isMarkdown = /\.md$/i.test(path);
  if (!isMarkdown && !DATA_FILE.test(path)) return checked([], []);
  const name = basename(path, extname(path));
  if (isMarkdown && name.toLowerCase() === 'readme') return checked([], []);
  if (isMarkdown) return single(name, path, await loadMarkdown(name, path));
  return name === 'roles' ? loadRolesFile(path) : single(name, path, await loadRoleFile(name, path));
}

/** A file with several roles by name. */
export async function loadRolesFile(path: string): Promise<Drafted<readonly FoundRole[]>> {
  const text = await readSourceFile(path);
  if (!text.ok) return text;
  const read = readDocument(text.value, { file: path });
  if (!read.ok) return read;
  const roles = parseRoles(read.value.document, { file: path, locate: read.value.locate });
  const found = Object.entries(draftOf(roles) ?? {}).map(([name, part]) => ({ name, part, file: path }));
  return drafted(found, problemsOf(roles));
}

async function loadRoleFile(name: string, path: string): Promise<Drafted<RolePart>> {
  const text = await readSourceFile(path);
  if (!text.ok) return text;
  const read = readDocument(text.value, { file: path });
  if (!read.ok) return read;
  return parseRole(name, read.value.document, { file: path, locate: read.value.locate });
}

async function loadMarkdown(name: string, path: string): Promise<Drafted<RolePart>> {
  const text = await readSourceFile(path);
  return text.ok ? parseRoleMarkdown(name, text.value, { file: path }) : text;
}

async function loadRoleFolder(folder: string): Promise<Drafted<readonly FoundRole[]>> {
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
    parts.push(draftOf(result) ?? {});
    problems.push(...problemsOf(result));
  }
  if (results.length === 0) return checked([], []);
  return drafted([{ name, part: parts.reduce(laidOver, {}), file: folder }], problems);
}

/** The file names the role, whatever its content. */
function single(name: string, file: string, result: Drafted<RolePart>): Drafted<readonly FoundRole[]> {
  return drafted([{ name, part: draftOf(result) ?? {}, file }], problemsOf(result));
}

function findTwice(found: readonly FoundRole[]): readonly Problem[] {
  const first = new Map<string, FoundRole>();
  return found.flatMap((role): readonly Problem[] => {
    const other = first.get(role.name);
    first.set(role.name, other ?? role);
    if (other === undefined) return [];
    const message = `The role "${role.name}" is defined in ${other.file} and in ${role.file}.`;
    return [{ code: 'ROLE_DUPLICATE', message, severity: 'error', file: role.file, hint: 'Keep one of the two.' }];
  });
}
