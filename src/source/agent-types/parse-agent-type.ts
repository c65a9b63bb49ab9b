import * as z from 'zod/mini';
import type { core } from 'zod/mini';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { MCP_PREFIX } from '../../core/model/mcp-names.ts';
import type { Problem } from '../../core/model/fault.ts';
import { parseRole, serverPlaces } from '../roles/parse-roles.ts';
import { laidOver, type RolePart, SHIPPED_TOOLS } from '../roles/placed-role.ts';
import { draftOf, problemsOf } from '../checked.ts';
import { defined } from '../defined.ts';
import { closestName, nameHint } from '../closest-name.ts';
import { type Origin, problemReport, type ProblemReport } from '../problem-report.ts';
import { reportIssues } from '../schema-problems.ts';
import { trim } from '../trim.ts';
import { listedTool, roleSchema } from '../roles/role-schema.ts';
import { describe, freeText, nameText, oneWordOf, optionalKey } from '../schema-parts.ts';
import type { SourcePath } from '../place.ts';
import { AGENT_MODES, isBeyond, isPartName, MODE_RULES } from './agent-mode.ts';
import type { PromptLibrary } from './prompt-library.ts';

/** The format of a type of agent (PH3): one file each. Every key may be left out, so that a file can change one thing of a shipped type. */

const role = roleSchema.shape;
const nameList = z.array(nameText, { error: 'must be a list of names' });
const toolList = z.array(listedTool, { error: 'must be a list of tools' });

export const agentTypeSchema = z
  .strictObject({
    $schema: optionalKey(freeText, 'The JSON Schema of this file, for editors.'),
    description: optionalKey(freeText, 'Its purpose, in one sentence.'),
    preset: optionalKey(
      nameText,
      'Which layers its prompt has: planning, execution, verification, orchestrator, or your own.',
    ),
    mode: optionalKey(oneWordOf(AGENT_MODES), 'Its mode, which decides which tools it has and what they may do.'),
    layers: optionalKey(nameList, 'The layers of its prompt, in order, instead of those of the preset.'),
    tools: optionalKey(toolList, 'Its tools, instead of those of its mode, and within what the mode lets tools do.'),
    moreTools: optionalKey(toolList, 'Tools besides those of its mode, such as tools of your own.'),
    excludedTools: role.excludedTools,
    level: role.level,
    actor: role.actor,
    network: role.network,
    tasks: role.tasks,
    ask: role.ask,
    examples: role.examples,
    parsingTools: role.parsingTools,
    signals: role.signals,
    followups: role.followups,
  })
  .check(describe('A type of agent.'));

type AgentTypeDocument = z.infer<typeof agentTypeSchema>;

/** `presets.yaml`: by name, the layers of a prompt in their order. */
export const presetsSchema = z.record(nameText, nameList, { error: 'must be a mapping of names to lists of layers' });

/** A type as one file defines it. Whether the names in it exist is known when all files are read: hence the open report. */
export interface TypeFile {
  readonly name: string;
  /** Only the keys that were given. */
  readonly settings: TypeSettings;
  readonly role: RolePart;
  readonly report: ProblemReport;
}

type TypeSettings = Pick<AgentTypeDocument, 'description' | 'preset' | 'mode' | 'layers' | 'tools' | 'moreTools'>;

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
  const { $schema: _editor, description, preset, mode, layers, tools, moreTools, ...roleKeys } = rest ?? {};
  const settings: TypeSettings = defined({ description, preset, mode, layers, tools, moreTools });
  for (const list of LISTS) warnOfUnknown(rest?.[list] ?? [], list, report);
  const role = parseRole(name, roleKeys as Json, origin);
  report.add(problemsOf(role));
  return { name, settings, role: withToolPlaces(draftOf(role) ?? {}, settings, report), report };
}

function withToolPlaces(role: RolePart, settings: TypeSettings, report: ProblemReport): RolePart {
  const places = LISTS.flatMap((list) => serverPlaces(settings[list] ?? [], [list], report));
  return places.length === 0 ? role : { ...role, places: { ...role.places, ...Object.fromEntries(places) } };
}

/** Reported like other names, with the one that was meant. */
function isUnknownMode({ path }: core.$ZodIssue, document: Json, report: ProblemReport): boolean {
  const mode = isJsonObject(document) ? document['mode'] : undefined;
  if (path[0] !== 'mode' || typeof mode !== 'string') return false;
  report.error('MODE_UNKNOWN', `There is no mode named "${mode}".`, {
    path: ['mode'],
    hint: nameHint(mode, AGENT_MODES),
  });
  return true;
}

function warnOfUnknown(tools: readonly string[], list: string, report: ProblemReport): void {
  for (const [index, tool] of tools.entries()) {
    if (SHIPPED_TOOLS.includes(tool) || tool.startsWith(MCP_PREFIX)) continue;
    const meant = closestName(tool, SHIPPED_TOOLS);
    report.warning('TOOL_UNKNOWN', `No tool that comes with Troupe is named "${tool}".`, {
      path: [list, index],
      hint: meant === undefined ? 'It must be your own tool.' : `Did you mean "${meant}"?`,
    });
  }
}

/** A type as defined by all its files together. */
export interface MergedType {
  readonly name: string;
  readonly settings: TypeSettings;
  readonly role: RolePart;
  /** The one with the highest priority comes last. */
  readonly files: readonly TypeFile[];
}

/** Later files win, key by key, as with roles. */
export function mergeAgentTypes(files: readonly TypeFile[]): ReadonlyMap<string, MergedType> {
  const merged = new Map<string, MergedType>();
  for (const file of files) {
    const lower = merged.get(file.name);
    merged.set(file.name, {
      name: file.name,
      settings: { ...lower?.settings, ...file.settings },
      role: laidOver(lower?.role, file.role),
      files: [...(lower?.files ?? []), file],
    });
  }
  return merged;
}

/** Reports, in the reports of its files, unknown names, missing settings, and tools that its mode forbids. */
export function checkAgentType(type: MergedType, library: PromptLibrary): void {
  for (const file of type.files) checkNames(file, library);
  checkMissing(type);
  checkTools(type);
}

function checkNames({ settings: { preset, layers }, report }: TypeFile, library: PromptLibrary): void {
  if (preset !== undefined && !library.presets.has(preset)) {
    report.error('PRESET_UNKNOWN', `There is no preset named "${preset}".`, {
      path: ['preset'],
      hint: nameHint(preset, [...library.presets.keys()]),
    });
  }
  for (const [index, layer] of (layers ?? []).entries()) {
    if (library.layers.has(layer)) continue;
    report.error('LAYER_UNKNOWN', `There is no layer named "${layer}".`, {
      path: ['layers', index],
      hint: layerHint(layer, library),
    });
  }
}

export function layerHint(layer: string, { layers }: PromptLibrary): string {
  const meant = closestName(layer, [...layers.keys()]);
  return meant === undefined ? `Write it: .troupe/prompts/${layer}.md` : `Did you mean "${meant}"?`;
}

function checkMissing({ name, settings: { mode, preset, layers }, files }: MergedType): void {
  const report = files.at(-1)?.report;
  // A refused setting does not count as missing.
  if (report === undefined || report.problems.some(({ severity }) => severity === 'error')) return;
  if (mode === undefined) {
    const hint = `A new type says what it is at: ${AGENT_MODES.join(', ')}.`;
    report.error('KEY_MISSING', `The type "${name}" has no "mode".`, { path: [], hint });
  }
  if (preset === undefined && layers === undefined) {
    const hint = 'A preset such as execution names the layers of the prompt; "layers" does it one by one.';
    report.error('KEY_MISSING', `The type "${name}" has no "preset".`, { path: [], hint });
  }
}

/** A tool that could never be used is a misunderstanding, better reported here than to the agent. */
function checkTools({ settings: { mode }, files }: MergedType): void {
  if (mode === undefined) return;
  const { access } = MODE_RULES[mode];
  for (const { report, settings } of files) {
    for (const list of ['tools', 'moreTools'] as const) {
      for (const [index, tool] of (settings[list] ?? []).entries()) {
        if (!isBeyond(access, tool)) continue;
        const path: SourcePath = [list, index];
        const does = access === 'commands' ? 'may read and run commands' : 'may only read';
        report.error('TOOL_BEYOND_MODE', `An agent in the mode ${mode} ${does}; "${tool}" does more.`, {
          path,
          hint: 'Take it away, or choose another mode: EXECUTION and FIX may write, VERIFICATION may run commands.',
        });
      }
    }
  }
}

export function findTwice(files: readonly TypeFile[]): readonly Problem[] {
  const first = new Map<string, string>();
  return files.flatMap(({ name, report }): readonly Problem[] => {
    const { file } = report.origin;
    const other = first.get(name);
    first.set(name, other ?? file);
    if (other === undefined) return [];
    const message = `The type "${name}" is defined in ${other} and in ${file}.`;
    return [{ code: 'AGENT_TYPE_DUPLICATE', message, severity: 'error', file, hint: 'Keep one of the two.' }];
  });
}
