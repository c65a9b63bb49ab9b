import type { core } from 'zod/mini';
import { isJsonObject, type Json } from '../../core/json.ts';
import { MCP_PREFIX } from '../../core/mcp-names.ts';
import { parseRole, serverPlaces } from '../roles/parse-roles.ts';
import type { RolePart } from '../roles/role-part.ts';
import { SHIPPED_TOOLS } from '../roles/shipped-tools.ts';
import { draftOf, problemsOf } from '../source/checked.ts';
import { closestName, nameHint } from '../source/closest-name.ts';
import { problemReport, type Origin, type ProblemReport } from '../source/problem-report.ts';
import { reportIssues } from '../source/schema-problems.ts';
import { trim } from '../source/trim.ts';
import { AGENT_MODES } from './agent-mode.ts';
import { agentTypeSchema, type AgentTypeDocument } from './agent-type-schema.ts';
import { isPartName } from './part-name.ts';

/** A type as far as one file says it. Whether what it names exists shows when all files are read: hence the open report. */
export interface TypeFile {
  readonly name: string;
  /** Only the keys that were given. */
  readonly words: TypeWords;
  readonly role: RolePart;
  readonly report: ProblemReport;
}

export type TypeWords = Pick<AgentTypeDocument, 'description' | 'preset' | 'mode' | 'layers' | 'tools' | 'moreTools'>;

const LISTS = ['tools', 'moreTools'] as const;

export function parseAgentType(name: string, document: Json, origin: Origin): TypeFile {
  const report = problemReport(origin);
  if (!isPartName(name)) {
    report.error('NAME_INVALID', `"${name}" cannot be the name of a type.`, {
      path: [],
      hint: 'Use small letters, digits, dashes and underscores, such as migration.yaml.',
    });
  }
  const parsed = agentTypeSchema.safeParse(document);
  if (!parsed.success) {
    const others = parsed.error.issues.filter((issue) => !isUnknownMode(issue, document, report));
    reportIssues(others, { schema: agentTypeSchema, document }, report);
  }
  const rest = parsed.success ? parsed.data : trim(agentTypeSchema, document)?.value;
  const { $schema: _editor, description, preset, mode, layers, tools, moreTools, ...settings } = rest ?? {};
  const words = given({ description, preset, mode, layers, tools, moreTools });
  for (const list of LISTS) warnOfUnknown(rest?.[list] ?? [], list, report);
  const role = parseRole(name, settings as Json, origin);
  report.add(problemsOf(role));
  return { name, words, role: withToolPlaces(draftOf(role) ?? {}, words, report), report };
}

function withToolPlaces(role: RolePart, words: TypeWords, report: ProblemReport): RolePart {
  const places = LISTS.flatMap((list) => serverPlaces(words[list] ?? [], [list], report));
  return places.length === 0 ? role : { ...role, places: { ...role.places, ...Object.fromEntries(places) } };
}

/** Told like other names, with the one that was meant. */
function isUnknownMode({ path }: core.$ZodIssue, document: Json, report: ProblemReport): boolean {
  const mode = isJsonObject(document) ? document['mode'] : undefined;
  if (path[0] !== 'mode' || typeof mode !== 'string') return false;
  report.error('MODE_UNKNOWN', `There is no mode named "${mode}".`, {
    path: ['mode'],
    hint: nameHint(mode, AGENT_MODES),
  });
  return true;
}

const given = (words: TypeWords): TypeWords =>
  Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));

function warnOfUnknown(tools: readonly string[], list: string, report: ProblemReport): void {
  for (const [index, tool] of tools.entries()) {
    if (SHIPPED_TOOLS.includes(tool) || tool.startsWith(MCP_PREFIX)) continue;
    const meant = closestName(tool, SHIPPED_TOOLS);
    report.warning('TOOL_UNKNOWN', `No tool that comes with Troupe is named "${tool}".`, {
      path: [list, index],
      hint: meant === undefined ? 'It must be a tool of your own.' : `Did you mean "${meant}"?`,
    });
  }
}
