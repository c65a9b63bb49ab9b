import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import { MCP_PREFIX } from '../../core/model/mcp-names.ts';
import type { Message } from '../../core/model/message.ts';
import type { ReplyNeed } from '../../core/step/turn/reply-needs.ts';
import type { ParsingTool } from '../../core/model/role.ts';
import { SIGNAL_TOOL } from '../../core/model/signal.ts';
import { schemaFaults } from '../../core/check/schema-faults.ts';
import { checked, drafted, type Drafted } from '../checked.ts';
import { defined } from '../defined.ts';
import { nameHint } from '../closest-name.ts';
import { type Origin, problemReport, type ProblemReport } from '../problem-report.ts';
import { reportIssues } from '../schema-problems.ts';
import { FORBIDDEN_KEYS } from '../source-error.ts';
import { sourcePathText, type SourcePath } from '../place.ts';
import { trim } from '../trim.ts';
import { readDocument } from '../read-document.ts';
import { type RolePart, type RoleParts, type RolePlace, type RolePlaces, SHIPPED_TOOLS } from './placed-role.ts';
import { type RoleDocument, roleSchema } from './role-schema.ts';

/**
 * Reports parts of a tool's parameters that cannot be sent to models. A provider refuses or ignores an unknown keyword, and
 * in YAML it is easily written by accident: inside braces the comma of an unquoted sentence starts the next key.
 */
export function checkToolSchema(schema: JsonObject, path: SourcePath, report: ProblemReport): void {
  for (const { code, path: below, message, hint, known = [] } of schemaFaults(schema)) {
    const meant = hint ?? nameHint(String(below.at(-1)), known);
    const part = code === 'SCHEMA_KEYWORD' ? { part: 'key' as const } : {};
    report.error(code, message, { path: [...path, ...below], ...part, hint: meant });
  }
}

/** A file with several roles by name, such as `roles.json`. */
export function parseRoles(document: Json, origin: Origin): Drafted<RoleParts> {
  const report = problemReport(origin);
  if (!isJsonObject(document)) {
    report.error('VALUE_INVALID', 'A file of roles must be a mapping of names to roles.', { path: [] });
    return checked({}, report.sorted());
  }
  const roles = Object.entries(document)
    .filter(([name]) => name !== '$schema')
    .map(([name, entry]) => [name, readRole(name, entry, { base: [name], report })] as const);
  return drafted(Object.fromEntries(roles), report.sorted());
}

/** A file with one role; its name is the file's. */
export function parseRole(name: string, document: Json, origin: Origin): Drafted<RolePart> {
  const report = problemReport(origin);
  const entry = isJsonObject(document) ? withoutSchemaKey(document) : document;
  return drafted(readRole(name, entry, { base: [], report }), report.sorted());
}

function withoutSchemaKey(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([key]) => key !== '$schema'));
}

interface Place {
  readonly base: SourcePath;
  readonly report: ProblemReport;
}

function readRole(name: string, document: Json, place: Place): RolePart {
  const { base, report } = place;
  if (name.trim() === '' || FORBIDDEN_KEYS.has(name)) {
    report.error('VALUE_INVALID', `"${name}" cannot be the name of a role.`, { path: base, part: 'key' });
  }
  const parsed = roleSchema.safeParse(document);
  if (!parsed.success) {
    reportIssues(parsed.error.issues, { schema: roleSchema, document, base }, report);
    // The parts that the schema accepts are checked too, so that the author gets all problems at once.
    const rest = trim(roleSchema, document);
    return rest === null ? {} : readParts(name, rest.value, place);
  }
  return readParts(name, parsed.data, place);
}

function readParts(
  name: string,
  { examples, parsingTools, ...plain }: RoleDocument,
  { base, report }: Place,
): RolePart {
  for (const [index, tool] of (plain.ask ?? []).entries()) checkAsked(tool, [...base, 'ask', index], report);
  return {
    ...defined(plain),
    ...(examples === undefined ? {} : { examples: examples.map((example) => readExample(name, example)) }),
    ...(parsingTools === undefined ? {} : { parsingTools: readTools(parsingTools, { base, report }) }),
    ...placesOf(plain, { base, report }),
  };
}

/** Keys that name other roles or actors: whether they exist is known only when everything is read. */
const NAMING = ['actor', 'followups', 'tasks', 'fallback'] as const;

function placesOf(role: RoleDocument, { base, report }: Place): { readonly places?: RolePlaces } {
  const { file, locate } = report.origin;
  const placed = (path: SourcePath): readonly (readonly [string, RolePlace])[] => {
    const at = locate([...base, ...path]);
    return at === undefined ? [] : [[sourcePathText(path), { file, at }]];
  };
  const places = NAMING.flatMap((key) => {
    const names = role[key];
    if (names === undefined) return [];
    return typeof names === 'string' ? placed([key]) : names.flatMap((_, index) => placed([key, index]));
  });
  const ofTools = TOOL_LISTS.flatMap((list) => serverPlaces(role[list] ?? [], [...base, list], report));
  return places.length + ofTools.length === 0 ? {} : { places: Object.fromEntries([...places, ...ofTools]) };
}

const TOOL_LISTS = ['includedTools', 'excludedTools', 'ask'] as const;

/** Where tools of MCP servers are named: the servers are not known here. */
export function serverPlaces(
  tools: readonly string[],
  path: SourcePath,
  { origin: { file, locate } }: ProblemReport,
): readonly (readonly [string, RolePlace])[] {
  return tools.flatMap((tool, index) => {
    const at = tool.startsWith(MCP_PREFIX) ? locate([...path, index]) : undefined;
    return at === undefined ? [] : [[`tools.${tool}`, { file, at }] as const];
  });
}

/** A name that no tool has would never ask, while the tool that was meant runs without permission. */
function checkAsked(tool: string, path: SourcePath, report: ProblemReport): void {
  if (SHIPPED_TOOLS.includes(tool) || tool.startsWith(MCP_PREFIX)) return;
  report.warning('TOOL_UNKNOWN', `No tool that comes with Troupe is named "${tool}".`, {
    path,
    hint: `${nameHint(tool, SHIPPED_TOOLS) ?? ''} Your own tool by that name will be asked for.`.trim(),
  });
}

function readExample(name: string, { role, content }: NonNullable<RoleDocument['examples']>[number]): Message {
  return { author: role === 'assistant' ? name : 'workflow', role, content };
}

const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {} };

function readTools(tools: NonNullable<RoleDocument['parsingTools']>, place: Place): readonly ParsingTool[] {
  const seen = new Set<string>();
  return tools.map(({ function: tool, needs }, index) => {
    const path = [...place.base, 'parsingTools', index, 'function'];
    const parameters = (tool.parameters ?? NO_ARGUMENTS) as JsonObject;
    if (seen.has(tool.name)) {
      place.report.error('TOOL_DUPLICATE', `Two parsing tools are named "${tool.name}".`, { path: [...path, 'name'] });
    }
    if (tool.name === SIGNAL_TOOL) {
      place.report.error(
        'TOOL_RESERVED',
        `A role has "${SIGNAL_TOOL}" from its "signals"; it cannot be another tool.`,
        {
          path: [...path, 'name'],
          hint: 'Name the signals it may send under "signals", or give the tool another name.',
        },
      );
    }
    if (tool.name.startsWith(MCP_PREFIX)) {
      const message = `"${tool.name}" cannot be a reply: names that begin with ${MCP_PREFIX} are those of MCP servers.`;
      const hint = `Call it "${tool.name.slice(MCP_PREFIX.length) || 'reply'}".`;
      place.report.error('TOOL_RESERVED', message, { path: [...path, 'name'], hint });
    }
    seen.add(tool.name);
    if (parameters['type'] !== 'object') {
      place.report.error('VALUE_INVALID', `The parameters of "${tool.name}" must have the type "object".`, {
        path: [...path, 'parameters'],
        hint: 'A tool is called with named arguments: {"type": "object", "properties": {…}}.',
      });
    }
    checkToolSchema(parameters, [...path, 'parameters'], place.report);
    if (needs !== undefined) checkNeeds(needs, parameters, { ...place, base: [...path.slice(0, -1), 'needs'] });
    const plain = { name: tool.name, description: tool.description ?? '', parameters };
    return needs === undefined ? plain : { ...plain, needs };
  });
}

/** A condition on an unknown argument of the tool would never hold. */
function checkNeeds(needs: readonly ReplyNeed[], { properties }: JsonObject, { base, report }: Place): void {
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  for (const [index, { when, fields }] of needs.entries()) {
    const named = [
      ...Object.keys(when).map((name) => [name, ['when', name]] as const),
      ...fields.map((name, at) => [name, ['fields', at]] as const),
    ];
    for (const [name, below] of named) {
      if (known.includes(name)) continue;
      const message = `"needs" names "${name}", which is not one of the properties.`;
      report.error('SCHEMA_REQUIRED', message, { path: [...base, index, ...below], hint: nameHint(name, known) });
    }
  }
}

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
      code: 'ROLE_DUPLICATE',
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
