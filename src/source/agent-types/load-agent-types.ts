import { basename, extname, join } from 'node:path';
import type { Problem } from '../../core/model/fault.ts';
import { drafted, problemsOf, type Drafted } from '../checked.ts';
import { listFolder } from '../read-source-file.ts';
import { nowhere } from '../place.ts';
import { readDocument } from '../read-document.ts';
import type { AgentType, AgentTypes } from './agent-type.ts';
import { checkPrompts, loadPrompts, readPromptFile } from './load-prompts.ts';
import {
  checkAgentType,
  findTwice,
  mergeAgentTypes,
  type MergedType,
  parseAgentType,
  type TypeFile,
} from './parse-agent-type.ts';
import { composePrompt, NO_PROMPTS, overLibrary, type PromptLibrary } from './prompt-library.ts';

/**
 * The types of agents in some folders, each with `agent-types/NAME.yaml` and `prompts/`. A later folder overrides an earlier
 * one: a type key by key, prompts file by file.
 */
export async function loadAgentTypes(folders: readonly string[]): Promise<Drafted<AgentTypes>> {
  const [types, prompts] = await Promise.all([
    Promise.all(folders.map((folder) => loadTypeFiles(join(folder, 'agent-types')))),
    Promise.all(folders.map((folder) => loadPrompts(join(folder, 'prompts')))),
  ]);
  const library = prompts.reduce((lower, upper) => overLibrary(lower, upper.library), NO_PROMPTS);
  const files = types.flatMap(({ found }) => found);
  const merged = [...mergeAgentTypes(files).values()];
  for (const type of merged) checkAgentType(type, library);
  const problems = [
    ...types.flatMap((folder) => [...folder.problems, ...findTwice(folder.found)]),
    ...checkPrompts(prompts, { library, types: merged }),
    ...files.flatMap(({ report }) => report.sorted()),
  ];
  return drafted(Object.fromEntries(merged.map((type) => [type.name, builtType(type, library)])), problems);
}

interface FoundTypes {
  readonly found: readonly TypeFile[];
  readonly problems: readonly Problem[];
}

async function loadTypeFiles(folder: string): Promise<FoundTypes> {
  const entries = await listFolder(folder);
  const names = entries.ok ? entries.value.filter(({ isFolder }) => !isFolder).map(({ name }) => name) : [];
  const loaded = await Promise.all(names.map((name) => loadTypeFile(join(folder, name))));
  return {
    found: loaded.flatMap(({ found }) => found),
    problems: [...problemsOf(entries), ...loaded.flatMap(({ problems }) => problems)],
  };
}

async function loadTypeFile(path: string): Promise<FoundTypes> {
  const name = basename(path, extname(path));
  if (/\.md$/i.test(path) && name.toLowerCase() !== 'readme') return { found: [], problems: [notMarkdown(path, name)] };
  if (!/\.(?:json|ya?ml)$/i.test(path)) return { found: [], problems: [] };
  const text = await readPromptFile(path);
  const read = text.ok ? readDocument(text.value, { file: path }) : text;
  const origin = { file: path, locate: read.ok ? read.value.locate : nowhere };
  const type = parseAgentType(name, read.ok ? read.value.document : {}, origin);
  // The file names the type, whatever its content.
  if (!read.ok) type.report.add(read.problems);
  return { found: [type], problems: [] };
}

function notMarkdown(file: string, name: string): Problem {
  return {
    code: 'AGENT_TYPE_FORMAT',
    message: 'A type of agent is written in YAML or JSON.',
    severity: 'error',
    file,
    hint: `Put its settings into ${name}.yaml, and its prompt into prompts/identity/${name}.md next to this folder.`,
  };
}

/** With stand-ins for what was reported as missing, so that the stand-ins are never used. */
function builtType(type: MergedType, library: PromptLibrary): AgentType {
  const { name, role, settings } = type;
  const { description = '', preset = null, mode = 'PLANNING', tools = null, moreTools = [] } = settings;
  const layers = settings.layers ?? library.presets.get(preset ?? '') ?? [];
  return {
    name,
    description,
    preset,
    mode,
    layers,
    tools,
    moreTools,
    role,
    files: type.files.map(({ report }) => report.origin.file),
    promptIn: (chosen) => composePrompt(library, { name, preset, layers, mode: chosen }),
  };
}
