import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { createScriptedActor } from '../../src/actors/scripted/scripted-actor.ts';
import { createFormats } from '../../src/formats/registry/programs.ts';
import type { BusMessage } from '../../src/core/record/artifact-fact.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { buildDefinition } from '../../src/formats/definition.ts';
import { loadWorkflowFile } from '../../src/formats/load-workflows.ts';
import { mergeRoles, type RoleParts } from '../../src/source/roles/placed-role.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { shippedStages } from '../../src/formats/stages/parse/planned-stages.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { Host, RunRest } from '../../src/host/port.ts';
import type { Clock, World } from '../../src/host/world.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import type { Journal } from '../../src/journal/port.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { codeHash } from '../../src/workspace/reached-files.ts';
import type { Workflow } from '../../src/core/model/workflow.ts';

export interface StageBenchOptions {
  /** What the agents answer: rules of a scenario. */
  readonly rules: readonly object[];
  readonly roles?: RoleParts;
  readonly journal?: Journal;
  readonly folder?: string;
  readonly clock?: Clock;
  /** Real workspaces and trees: what a stage changed is known. */
  readonly keepsFiles?: true;
  /** Its journal dies in the middle: then it cannot be shut down. */
  readonly dies?: boolean;
  /** What the project is tested with, as the host knows it. */
  readonly tests?: readonly string[];
}

/** Stage workflows on a real host, with the scripted model and the programs of the command line. */
export class StageBench {
  readonly folder: string;
  readonly journal: Journal;
  readonly notices: string[] = [];
  readonly host: Host;
  readonly #roles: RoleParts;

  constructor(options: StageBenchOptions) {
    const { rules, roles = {}, journal = createMemoryJournal(), folder = newFolder(), clock } = options;
    this.folder = folder;
    this.journal = journal;
    this.#roles = roles;
    const scenario = parseScenario({ rules });
    if (scenario.kind !== 'parsed') throw new Error(JSON.stringify(scenario.problems));
    const actor = createScriptedActor(scenario.scenario);
    const workspaces = options.keepsFiles === true ? createWorkspaces({ home: newFolder() }) : null;
    if (workspaces !== null) onTestFinished(() => workspaces.close());
    const world: World = {
      ...testWorld({
        journal,
        ...(workspaces === null ? {} : { workspaces }),
        answer: () => {
          throw new Error('The scripted model answers.');
        },
        tools: allTools,
        folder,
        ...(clock === undefined ? {} : { clock }),
      }),
      actorFor: () => Promise.resolve(actor),
      testCommands: () => Promise.resolve(options.tests ?? []),
      formats: createFormats({ home: join(folder, '.home'), tell: (sentence) => this.notices.push(sentence) }),
    };
    this.host = createEmbeddedHost(world);
    if (options.dies !== true) onTestFinished(() => this.host.shutdown());
  }

  write(path: string, content: string): void {
    writeFileSync(join(this.folder, path), content);
  }

  async definition(name: string, workflows: readonly Workflow[]): Promise<Definition> {
    const { roles } = await loadShipped();
    return valueOrFault(buildDefinition(name, workflows, mergeRoles(roles, this.#roles)), 'WORKFLOW_INVALID');
  }

  async start(name: string, workflows: readonly Workflow[] = shippedStages()): Promise<StagePlayed> {
    const definition = await this.definition(name, workflows);
    const run = await this.host.start({ definition, input: { goal: 'the goal' }, project: this.folder });
    return await this.rest(run);
  }

  /** A workflow of the user's, from its file. */
  async startFile(path: string, name: string): Promise<StagePlayed> {
    return await this.start(name, await loadModuleFile(path));
  }

  async answer(run: RunId, answer: string): Promise<StagePlayed> {
    await this.host.answer(run, { answer, by: 'ann' });
    return await this.rest(run);
  }

  async rest(run: RunId): Promise<StagePlayed> {
    const rest = await this.host.rest(run);
    const facts = (await this.journal.read(run)).map(({ fact }) => fact);
    return { ...rest, facts, states: statesIn(facts), bus: busIn(facts) };
  }
}

export interface StagePlayed extends RunRest {
  readonly facts: readonly Fact[];
  /** The states in which stages were played, and the end. */
  readonly states: readonly string[];
  readonly bus: readonly BusMessage[];
}

export async function loadModuleFile(path: string): Promise<readonly Workflow[]> {
  return valueOrFault(await loadWorkflowFile(path, { hashOf: (file) => codeHash(file).hash }), 'WORKFLOW_INVALID');
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-stages-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const statesIn = (facts: readonly Fact[]): readonly string[] =>
  facts.flatMap((fact) => (fact.kind === 'state.entered' && !/^route$|\//.test(fact.state) ? [fact.state] : []));

const busIn = (facts: readonly Fact[]): readonly BusMessage[] =>
  facts.flatMap((fact) => (fact.kind === 'bus.sent' ? [fact.message] : []));

/** A reply of the scripted model that calls one tool. */
export const calls = (name: string, given: object): object => ({ tools: [{ name, arguments: given }] });

export const review = (verdict: string, more: object = {}): object =>
  calls('submit_review', { verdict, summary: `it is ${verdict}`, issues: issuesOf(verdict), ...more });

const issuesOf = (verdict: string): readonly object[] =>
  verdict === 'NEEDS_REVISION' ? [{ description: 'a gap' }] : [];

export const findings = (claim: string): object =>
  calls('submit_findings', {
    findings: [{ claim, confidence: 'high', sources: ['https://example.com'] }],
    summary: claim,
  });
