import { endpointOf } from '../../actors/model/model-config.ts';
import type { ApiModel, Config, ModelChoice } from '../config/config.ts';
import { withKey } from '../config/choose-model.ts';
import { checkScenario } from '../world/scripted-model.ts';
import { describeError } from '../describe-error.ts';
import { problemText } from '../../protocol/problem-text.ts';
import type { DoctorFinding } from './finding.ts';
import type { ClientProbe } from '../../actors/port.ts';
import { probeClient } from '../clients/client-actors.ts';
import { ACP_PRESET_NAMES, chooseActor, type ClientChoice, isClient, knownActors } from '../config/choose-actor.ts';

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

/** Which coding agents are here, and whether they could work: their programs tell their version, no model is called. */
export async function examineClients(
  config: Config,
  environment: NodeJS.ProcessEnv,
): Promise<readonly DoctorFinding[]> {
  const names = knownActors(config).filter((name) => name !== 'model' && name !== 'scripted');
  return await Promise.all(names.map((name) => examineClient(name, config, environment)));
}

async function examineClient(name: string, config: Config, environment: NodeJS.ProcessEnv): Promise<DoctorFinding> {
  const about = 'agent';
  try {
    const choice = chooseActor(name, config);
    if (!isClient(choice)) return { level: 'ok', about, text: name };
    const probe = await probeClient(choice, environment);
    const { level, text } = judged(probe, isConfigured(name, config));
    return { level, text: `${text}${reachText(choice, probe)}`, about, client: { ...probe, kind: name } };
  } catch (error) {
    const { message, hint } = describeError(error);
    return { level: 'warning', about, text: [`${name}: ${message}`, hint ?? ''].join(' ').trim() };
  }
}

function isConfigured(name: string, { actors }: Config): boolean {
  if (name === 'claude-code' || name === 'codex') return actors[name] !== undefined;
  return actors.acp?.[name.replace(/^acp:/, '')] !== undefined;
}

/** For an unknown agent the user must name the host of its model. */
function reachText(choice: ClientChoice, { isFound }: ClientProbe): string {
  const isKnown = choice.kind !== 'acp' || (ACP_PRESET_NAMES as readonly string[]).includes(choice.name);
  if (isKnown || !isFound || (choice.settings?.hosts ?? []).length > 0) return '';
  return `\nWhere its role has no network it reaches no host but those of its variables; name others in actors.acp.${choice.name}.hosts.`;
}

/** No project needs all of them: a missing one is an error only where it is configured. */
function judged(probe: ClientProbe, isWanted: boolean): Pick<DoctorFinding, 'level' | 'text'> {
  const { kind, isFound, problem, hint } = probe;
  const advice = hint === undefined ? '' : ` ${hint}`;
  if (!isFound)
    return { level: isWanted ? 'error' : 'absent', text: `${kind}: not installed. ${problem ?? ''}${advice}` };
  const text = `${kind}: ${foundText(probe)}`;
  if (problem === undefined) return { level: 'ok', text };
  return { level: 'warning', text: `${text}\n${problem}${advice}` };
}

function foundText({ version, path, isLoggedIn, login, traits }: ClientProbe): string {
  const parts = [
    `${version ?? 'of an unknown version'} (${path ?? ''})`,
    ...(isLoggedIn === true ? [`logged in by ${login ?? 'itself'}`] : []),
    ...(isLoggedIn === null ? ['its login cannot be seen from here'] : []),
    ...(traits.canResume ? ['continues in its sessions'] : ['starts a new session for each turn']),
    ...(traits.canFork ? ['copies them for forks'] : []),
  ];
  return parts.join(', ');
}
