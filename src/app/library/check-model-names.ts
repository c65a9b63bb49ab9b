import type { Problem } from '../../core/fault.ts';
import type { Workflow } from '../../core/workflow.ts';
import { nameHint } from '../../dialects/source/closest-name.ts';
import type { PlacedAgent } from '../../dialects/source/placed-agent.ts';
import { LEVELS } from '../config/choose-model.ts';
import type { Config } from '../config/config.ts';

/** Models that a workflow names for its own agents, against those of the settings: each once, where it is written. */
export function checkModelNames(workflows: readonly Workflow[], config: Config): readonly Problem[] {
  const found = workflows.flatMap((workflow) =>
    workflow.agents.flatMap((agent: PlacedAgent): readonly Problem[] => {
      const name = workflow.casts?.[agent.role]?.change.level;
      if (typeof name !== 'string' || isKnown(name, config) || isPlayedByClient(agent)) return [];
      return [unknownModel(name, config, { workflow, agent })];
    }),
  );
  return [...new Map(found.map((problem) => [JSON.stringify(problem), problem])).values()];
}

const isKnown = (name: string, { models }: Config): boolean => LEVELS.has(name) || Object.hasOwn(models, name);

/** It has models of its own. Whether there is such a client is another question. */
const isPlayedByClient = ({ actor }: PlacedAgent): boolean =>
  actor !== undefined && actor !== 'model' && actor !== 'scripted';

interface Where {
  readonly workflow: Workflow;
  readonly agent: PlacedAgent;
}

function unknownModel(name: string, { models }: Config, { workflow: { file }, agent: { at } }: Where): Problem {
  const hint = nameHint(name, [...new Set([...Object.keys(models), ...LEVELS])]);
  return {
    code: 'MODEL_UNKNOWN',
    message: `There is no model named "${name}" in the configuration.`,
    severity: 'error',
    ...(hint === undefined ? {} : { hint }),
    ...(file === undefined ? {} : { file }),
    ...(at === undefined ? {} : { at }),
  };
}
