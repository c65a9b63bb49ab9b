import { endpointOf } from '../../actors/model/model-config.ts';
import type { ApiModel, Config, ModelChoice } from '../config/config.ts';
import { withKey } from '../config/choose-model.ts';
import { checkScenario } from '../world/scripted-model.ts';
import { describeError } from '../describe-error.ts';
import { problemText } from '../../protocol/problem-text.ts';
import type { DoctorFinding } from './finding.ts';

const PATIENCE_MS = 1500;

/** Is every model's key set, and does something answer at its address? No model is called and no key is sent. */
export async function examineModels(config: Config, environment: NodeJS.ProcessEnv): Promise<readonly DoctorFinding[]> {
  const models = Object.entries(config.models);
  if (models.length === 0) {
    return [{ level: 'warning', about: 'models', text: 'none is configured; see: troupe help config' }];
  }
  return await Promise.all(models.map(([name, choice]) => examineModel(name, choice, environment)));
}

async function examineModel(name: string, choice: ModelChoice, environment: NodeJS.ProcessEnv): Promise<DoctorFinding> {
  const about = 'model';
  if (choice.kind === 'scripted') return { about, ...(await readThrough(name, choice.scenario)) };
  try {
    withKey(choice, environment);
    return { about, ...(await reach(name, choice)) };
  } catch (error) {
    const { code, message } = describeError(error);
    return { level: 'error', about, text: `${name}: ${code}: ${message}` };
  }
}

async function readThrough(name: string, scenario: string): Promise<Omit<DoctorFinding, 'about'>> {
  const label = `${name}: scripted, ${scenario}`;
  const result = await checkScenario(scenario);
  if (result.ok) return { level: 'ok', text: label };
  return { level: 'error', text: [`${label}, cannot be used`, ...result.problems.map(problemText)].join('\n') };
}

async function reach(name: string, choice: ApiModel): Promise<Omit<DoctorFinding, 'about'>> {
  const endpoint = endpointOf(choice.config);
  const label = `${name}: ${choice.config.provider} ${choice.config.model} at ${endpoint.host}`;
  try {
    const response = await fetch(`${endpoint.url}/models`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    await response.body?.cancel();
    return { level: 'ok', text: `${label}, reachable` };
  } catch {
    return { level: 'warning', text: `${label}, not reachable within ${PATIENCE_MS} ms` };
  }
}
