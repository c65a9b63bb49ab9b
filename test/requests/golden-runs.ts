import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { Workflow } from '../../src/core/model/workflow.ts';
import { buildDefinition } from '../../src/formats/definition.ts';
import { parsePhases } from '../../src/formats/phases/parse/parse-phases.ts';
import { mergeRoles } from '../../src/source/roles/placed-role.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { readDocument } from '../../src/source/read-document.ts';
import { shippedStages } from '../../src/formats/stages/parse/planned-stages.ts';
import { GOLDEN_SCENES } from './golden-scenes.ts';
import type { RunToRecord } from './record-run.ts';
import { teamScript } from './team-script.ts';

export const TASK =
  'Add a function `slug(title)` to src/slug.js that makes a URL part of a title. Cover empty titles and umlauts.';
const FILES = {
  'AGENTS.md': 'One function a file, with its tests beside it.\n',
  'readme.txt': 'Slugs for blog posts. Tests: npm test.\n',
  'src/slug.js': 'export function slug(title) {\n  return title;\n}\n',
};
const MODELS = ['base', 'smart'];

/** Every workflow that `troupe workflows` lists, with what one run of it is given. Parts of others are recorded with them. */
export const GOLDEN_INPUTS: Readonly<Record<string, JsonObject>> = {
  coder_reviewer: { task_to_do: TASK },
  hierarchical_development: { business_requirements: TASK },
  judge: { task: TASK, verify: 'npm test', models: MODELS, judge: 'smart' },
  map_reduce: { task: TASK, items: ['umlauts', 'empty titles'], models: MODELS, verify: 'npm test' },
  parallel_analysis_shared: { analysis_request: 'Is src/slug.js safe to use for file names?' },
  parallel_review: { task: TASK, verify: 'npm test' },
  product_manager_coder: { feature_request: TASK },
  quest: { request: TASK, ward: ['npm test'] },
  race: { task: TASK, verify: 'npm test', models: MODELS },
  relay: { task: TASK, verify: 'npm test', models: MODELS },
  vote: { question: 'Which name is better?', options: ['slug', 'slugify'], models: MODELS },
  research: { goal: 'How do other libraries treat umlauts in slugs?' },
  development: { goal: TASK },
  architecture: { goal: 'Where should slugs be made, on the server or in the page?' },
};

/** They share a conversation, in which the first to be done stands first. */
const ANALYSTS = ['security_analyst', 'performance_analyst', 'maintainability_analyst'];

/** A phase file of the founding document: none is shipped, and the types of agents that it uses are. */
const PHASES = 'two_phase_feature';

export const GOLDEN_NAMES: readonly string[] = [...Object.keys(GOLDEN_INPUTS), PHASES, ...Object.keys(GOLDEN_SCENES)];

/** The agents whose requests are kept: all of a workflow, of a scene those that it is about. */
export const isKept = (name: string, file: string): boolean =>
  GOLDEN_SCENES[name]?.agents.some((agent) => file.startsWith(`${agent}-`)) ?? true;

export async function goldenRun(name: string): Promise<RunToRecord> {
  const scene = GOLDEN_SCENES[name];
  if (scene === undefined) return await wholeRun(name);
  const run = await wholeRun(scene.workflow);
  const { runCommand, after } = scene;
  const script = scene.script();
  return {
    ...run,
    input: { ...run.input, ...scene.input },
    script: (request) => script(request) ?? run.script(request),
    ...(after === undefined ? {} : { after }),
    ...(runCommand === undefined ? {} : { runCommand: runCommand() }),
  };
}

/** Read once for all runs of a file. */
let shipped: ReturnType<typeof loadShipped> | undefined;

async function wholeRun(name: string): Promise<RunToRecord> {
  const script = teamScript({ files: ['src/slug.js', 'readme.txt'], reads: 1, writes: 200, steps: 2 });
  const input = GOLDEN_INPUTS[name] ?? { user_request: TASK, feature_name: 'slugs' };
  const { workflows, roles } = await (shipped ??= loadShipped());
  const known = name === PHASES ? phases() : [...workflows, ...shippedStages()];
  const main = name === PHASES ? (known[0]?.name ?? '') : name;
  const definition = valueOrFault(buildDefinition(main, known, mergeRoles(roles)), 'INTERNAL');
  return { definition, input, script, files: FILES, inOrder: ANALYSTS, answers: ['no'] };
}

function phases(): readonly Workflow[] {
  const file = join(import.meta.dirname, `../../src/formats/phases/parse/fixtures/${PHASES}.yml`);
  const { document, locate } = valueOrFault(readDocument(readFileSync(file, 'utf8'), { file: PHASES }), 'INTERNAL');
  return valueOrFault(parsePhases(document, { file: PHASES, locate }), 'INTERNAL');
}
