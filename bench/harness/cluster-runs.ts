import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import { git } from '../jobs/source-project.ts';

const TROUPE = fileURLToPath(new URL('../../bin/troupe.js', import.meta.url));

export interface TreeShape {
  readonly units: number;
  readonly turns: number;
  /** Each unit asks a person when it has had its turns. */
  readonly asks?: boolean;
}

/** A project of which runs are begun here and driven by workers. */
export interface ClusterProject {
  readonly folder: string;
  /** Begins a run with this command and leaves it to the workers. */
  begin(...words: readonly string[]): Promise<RunId>;
  /** Begins a run of the given shape; `name` is part of everything that is asked of the model. */
  beginTree(name: string): Promise<RunId>;
}

export function clusterProject(base: string, options: ClusterOptions): ClusterProject {
  const [folder, home, settings] = ['project', 'home', 'settings'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(folder, '.troupe/workflows'), { recursive: true });
  mkdirSync(join(settings, 'troupe'), { recursive: true });
  // Workers read settings of their machine and none of a project.
  const model = `{ provider: openai-compatible, base_url: "${options.model}/v1", model: bench }`;
  writeFileSync(join(settings, 'troupe/config.yaml'), `journal: ${options.journal}\nmodels:\n  base: ${model}\n`);
  if (options.shape !== undefined)
    writeFileSync(join(folder, '.troupe/workflows/tree.json'), JSON.stringify(treeFile(options.shape)));
  writeFileSync(join(folder, 'README.md'), 'A project.\n');
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, '-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid', 'commit', '-qm', 'all');
  const env = { ...process.env, XDG_CONFIG_HOME: settings, TROUPE_HOME: home, NODE_ENV: 'production' };
  const begin: ClusterProject['begin'] = async (...words) => {
    const all = [TROUPE, ...words, '--detach', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, all, { cwd: folder, env });
    return runId((JSON.parse(stdout.split('\n')[0] ?? '') as { readonly run: string }).run);
  };
  return { folder, begin, beginTree: (name) => begin('run', 'tree', name) };
}

interface ClusterOptions {
  readonly journal: string;
  /** Where the model is. */
  readonly model: string;
  readonly shape?: TreeShape;
}

/** A run with units of several turns each, in workspaces of their own, so that any worker may take them. */
function treeFile({ units, turns, asks = false }: TreeShape): readonly object[] {
  const steps = Array.from({ length: units }, (_, index) => ({ id: `step ${index}` }));
  const input = { step: "common_data.name + ' ' + item.id" };
  const pool = { items: 'common_data.steps', workflow: 'step', input, slots: units, join: 'all', workspace: 'own' };
  const said = Array.from({ length: turns }, (_, index) => ({
    name: index === 0 ? 'start' : `turn${index + 1}`,
    agent: 'coder',
    input: `common_data.step + ' turn ${index + 1}'`,
    action: { function: 'sendUserMessage' },
    transition: [{ target: index + 1 < turns ? `turn${index + 2}` : asks ? 'ask' : 'stop' }],
  }));
  const ask = {
    name: turns === 0 ? 'start' : 'ask',
    action: { ask: { question: "'Go on?'" } },
    transition: [{ target: 'stop' }],
  };
  return [
    {
      workflow_name: 'tree',
      input: { name: 'name', type: 'string' },
      variables: { steps },
      states: [{ name: 'start', action: { pool }, transition: [{ target: 'stop' }] }, { name: 'stop' }],
    },
    {
      workflow_name: 'step',
      input: { name: 'step', type: 'string' },
      contexts: [{ name: 'work' }],
      agents: [{ agent_role: 'coder', context: 'work', role: 'assistant' }],
      states: [...said, ...(asks ? [ask] : []), { name: 'stop' }],
    },
  ];
}
