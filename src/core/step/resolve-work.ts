import { isApart } from './apart-beginning.ts';
import { callInputProblem } from './call-input.ts';
import { writtenAt, type Evaluated } from '../evaluate/evaluation.ts';
import type { Expression } from '../model/expression.ts';
import type { ResolvedWork } from '../record/task-fact.ts';
import { unreachable } from '../model/fault.ts';
import type { Json } from '../model/json.ts';
import { repliesOwed } from './turn/owed-reply.ts';
import type { StepProgress } from './progress.ts';
import { resolveAsk } from './resolve-ask.ts';
import { resolveDemands, type TurnDemands } from './resolve-demands.ts';
import { map, nothingToSay, textValue, value } from './resolve-value.ts';
import { shortJson } from '../model/short-json.ts';
import type { WorkPlace } from './start-task.ts';
import type {
  CallWork,
  ChoiceWork,
  CommandWork,
  ComputeWork,
  MergeWork,
  TurnWork,
  WaitWork,
  Work,
} from '../model/workflow.ts';

/** Evaluates every expression of the work, so that the journal holds exactly what was ordered. */
export function resolve(progress: StepProgress, work: Work, place: WorkPlace): Evaluated<ResolvedWork> {
  switch (work.kind) {
    case 'turn':
      return resolveTurn(progress, work, place);
    case 'command':
      return resolveCommand(progress, work, place);
    case 'call':
      return resolveCall(progress, work, place);
    case 'ask':
      return resolveAsk(progress, work, place);
    case 'wait':
      return resolveWait(progress, work, place);
    case 'merge':
      return resolveMerge(progress, work, place);
    default:
      return resolveOther(progress, work, place);
  }
}

type OtherWork = Extract<Work, { kind: 'compute' | 'choice' | 'pool' | 'none' }>;

function resolveOther(progress: StepProgress, work: OtherWork, place: WorkPlace): Evaluated<ResolvedWork> {
  switch (work.kind) {
    case 'compute':
      return resolveCompute(progress, work, place);
    case 'choice':
      return resolveChoice(progress, work, place);
    case 'pool':
    case 'none':
      return { kind: 'value', value: { kind: 'pool' } };
    default:
      return unreachable(work);
  }
}

function resolveCommand(progress: StepProgress, work: CommandWork, place: WorkPlace): Evaluated<ResolvedWork> {
  const { okExitCodes, repeat, agent, network, holds, builtin } = work;
  return map(textValue(progress, work.command, place), (command) => ({
    kind: 'command',
    command,
    okExitCodes,
    ...(repeat === undefined ? {} : { repeat }),
    ...(agent === undefined ? {} : { agent }),
    ...(network === undefined ? {} : { network }),
    ...(holds === undefined ? {} : { holds }),
    ...(builtin === undefined ? {} : { builtin }),
  }));
}

function resolveCompute(progress: StepProgress, work: ComputeWork, place: WorkPlace): Evaluated<ResolvedWork> {
  const { program, agent, keeps, writes } = work;
  return map(value(progress, work.input, place), (input) => ({
    kind: 'compute',
    program,
    input,
    ...(agent === undefined ? {} : { agent }),
    ...(keeps === undefined ? {} : { keeps }),
    ...(writes === undefined ? {} : { writes }),
  }));
}

function resolveChoice(progress: StepProgress, { by, cases }: ChoiceWork, place: WorkPlace): Evaluated<ResolvedWork> {
  const name = value(progress, by, { ...place, key: `${place.key}/by` });
  if (name.kind !== 'value') return name;
  const chosen = typeof name.value === 'string' && Object.hasOwn(cases, name.value) ? cases[name.value] : undefined;
  if (chosen !== undefined) return resolve(progress, chosen, place);
  const { state } = place;
  const message = `State ${state.name}${writtenAt(progress, state.at)} has no case ${shortJson(name.value)}; there are ${Object.keys(cases).join(', ')}.`;
  return { kind: 'failed', failure: { code: 'CASE_UNKNOWN', message, class: 'script' } };
}

function resolveMerge(progress: StepProgress, work: MergeWork, place: WorkPlace): Evaluated<ResolvedWork> {
  const { agent, protect } = work;
  const unit = optionalText(progress, work.unit, { ...place, key: `${place.key}/unit` });
  if (unit.kind !== 'value') return unit;
  const whose = { kind: 'merge', agent, ...(unit.value === null ? {} : { unit: unit.value }) } as const;
  const guarded = protect === undefined ? {} : { protect };
  const checks = commands(progress, work.checks, { ...place, key: `${place.key}/checks` });
  if (checks.kind !== 'value') return checks;
  const checked = checks.value.length === 0 ? whose : { ...whose, checks: checks.value };
  return map(commands(progress, work.verify, place), (verify) =>
    verify.length === 0 ? checked : { ...checked, verify, ...guarded },
  );
}

/** A command or a list of them. An empty text or list means none; a missing value is a mistake, never "nothing to check" (L3). */
function commands(
  progress: StepProgress,
  expression: Expression | undefined,
  place: WorkPlace,
): Evaluated<readonly string[]> {
  if (expression === undefined) return { kind: 'value', value: [] };
  const found = value(progress, expression, place);
  if (found.kind !== 'value') return found;
  const list: readonly Json[] = Array.isArray(found.value) ? found.value : [found.value];
  const isWrong = list.some((one) => typeof one !== 'string');
  if (isWrong) return { kind: 'failed', failure: nothingToSay(progress, place) };
  return { kind: 'value', value: (list as readonly string[]).filter((one) => one.trim() !== '') };
}

/** Absent is null; a value that is present must not be empty. */
function optionalText(
  progress: StepProgress,
  expression: Expression | undefined,
  place: WorkPlace,
): Evaluated<string | null> {
  return expression === undefined ? { kind: 'value', value: null } : textValue(progress, expression, place);
}

function resolveTurn(progress: StepProgress, work: TurnWork, place: WorkPlace): Evaluated<ResolvedWork> {
  const { agent, mode } = work;
  const context = progress.workflow.agents.find((one) => one.name === agent)?.context ?? '';
  if (mode === 'clear') return { kind: 'value', value: { kind: 'clear', agent, context } };
  if (work.input === null && mode === 'tell') return { kind: 'failed', failure: nothingToSay(progress, place) };
  const said: Evaluated<string | null> =
    work.input === null ? { kind: 'value', value: null } : textValue(progress, work.input, place);
  if (said.kind !== 'value') return said;
  if (mode === 'tell') return { kind: 'value', value: { kind: 'tell', agent, context, input: said.value ?? '' } };
  return map(resolveAsked(progress, work, place), (asked) => ({
    kind: 'turn',
    agent,
    context,
    input: said.value,
    ...(said.value === null ? openingIn(progress, agent, context) : {}),
    ...asked,
    ...(isApart(progress, work) ? { apart: true } : {}),
  }));
}

function openingIn(progress: StepProgress, agent: string, context: string): { readonly opening?: string } {
  const messages = progress.snapshot.contexts[context]?.messages;
  const last = messages?.items[messages.length - 1];
  if (last === undefined) return { opening: 'Begin.' };
  return last.author === agent && last.role !== 'tool' ? { opening: 'Go on.' } : {};
}

/** The actor of the agent in this turn, and its demands. */
function resolveAsked(
  progress: StepProgress,
  work: TurnWork,
  place: WorkPlace,
): Evaluated<TurnDemands & { readonly model?: string }> {
  const model = progress.workflow.agents.find(({ name }) => name === work.agent)?.model;
  const player = resolvePlayer(progress, model, place);
  if (player.kind !== 'value') return player;
  const owed = owedBy(progress, work, place);
  return map(resolveDemands(progress, work, place), (demands) => ({ ...player.value, ...demands, ...owed }));
}

type OwedReply = Pick<TurnDemands, 'reply' | 'replyWords' | 'check'>;

function owedBy(progress: StepProgress, work: TurnWork, { state }: WorkPlace): OwedReply {
  const { agents } = progress.workflow;
  const role = agents.find(({ name }) => name === work.agent)?.role ?? '';
  const reply = repliesOwed(work, progress.definition.roles[role], state);
  if (reply.length === 0) return {};
  const { replyWords, check } = work;
  return {
    reply,
    ...(replyWords === undefined ? {} : { replyWords }),
    ...(check === undefined ? {} : { check }),
  };
}

/** Nothing, or an empty text, means the agent's usual actor; a value that is no name is an error. */
function resolvePlayer(
  progress: StepProgress,
  model: Expression | undefined,
  place: WorkPlace,
): Evaluated<{ readonly model?: string }> {
  if (model === undefined) return { kind: 'value', value: {} };
  const found = value(progress, model, { ...place, key: `${place.key}/model` });
  if (found.kind !== 'value') return found;
  if (found.value === null || found.value === '') return { kind: 'value', value: {} };
  if (typeof found.value === 'string') return { kind: 'value', value: { model: found.value } };
  const { state } = place;
  const message = `State ${state.name}${writtenAt(progress, state.at)} needs the name of a model; it is ${shortJson(found.value)}.`;
  return { kind: 'failed', failure: { code: 'MODEL_NOT_A_NAME', message, class: 'script' } };
}

/** A wait of the wrong length is worse than none: text such as "5 minutes" is an error, not zero. */
function resolveWait(progress: StepProgress, work: WaitWork, place: WorkPlace): Evaluated<ResolvedWork> {
  const found = value(progress, work.ms, place);
  if (found.kind !== 'value') return found;
  const ms = found.value;
  if (typeof ms === 'number' && Number.isFinite(ms) && ms >= 0) {
    return { kind: 'value', value: { kind: 'wait', until: progress.at + ms } };
  }
  return {
    kind: 'failed',
    failure: {
      code: 'WAIT_NOT_A_NUMBER',
      message: `The wait of state ${place.state.name}${writtenAt(progress, place.state.at)} must be a number of milliseconds, zero or more; it is ${shortJson(ms)}.`,
      class: 'script',
    },
  };
}

function resolveCall(progress: StepProgress, work: CallWork, place: WorkPlace): Evaluated<ResolvedWork> {
  const input: Record<string, Json> = {};
  for (const [name, expression] of Object.entries(work.input)) {
    const given = value(progress, expression, { ...place, key: `${place.key}/${name}` });
    if (given.kind !== 'value') return given;
    input[name] = given.value;
  }
  const failure = callInputProblem(progress, { workflow: work.workflow, input }, place);
  if (failure !== null) return { kind: 'failed', failure };
  const { workflow, workspace } = work;
  return { kind: 'value', value: { kind: 'call', workflow, input, ...(workspace === undefined ? {} : { workspace }) } };
}
