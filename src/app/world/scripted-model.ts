import type { Actor } from '../../actors/port.ts';
import { parseScenario, type Scenario } from '../../actors/scripted/scenario.ts';
import { createScriptedActor } from '../../actors/scripted/scripted-actor.ts';
import { Fault, type Problem } from '../../core/model/fault.ts';
import { checked, refusedSource, type Checked } from '../../source/checked.ts';
import { readDocument } from '../../source/read-document.ts';
import { readSourceFile } from '../../source/read-source-file.ts';
import type { ScriptedModel } from '../config/config.ts';

/** An actor that answers from a scenario file, in this process. */
export async function createScriptedModel({ scenario, model, price }: ScriptedModel): Promise<Actor> {
  const options = { ...(model === undefined ? {} : { model }), ...(price === undefined ? {} : { price }) };
  return createScriptedActor(await readScenario(scenario), options);
}

/** The scenario, or a fault that carries all that is wrong with it. */
export async function readScenario(path: string): Promise<Scenario> {
  const result = await checkScenario(path);
  if (result.ok) return result.value;
  const { problems } = result;
  throw new Fault('SCENARIO_INVALID', `The scenario ${path} cannot be used${firstOf(problems)}.`, {
    problems,
    hint: 'Fix the file, or let "scenario" in .troupe/config.yaml name another. See: troupe help scenarios',
  });
}

/** `file` is what problems call it. */
export async function checkScenario(path: string, file = path): Promise<Checked<Scenario>> {
  const text = await readSourceFile(path, { file });
  if (!text.ok) return text;
  const source = readDocument(text.value, { file });
  if (!source.ok) return source;
  const { document, locate } = source.value;
  const parsed = parseScenario(document, { file, locate });
  return parsed.kind === 'parsed' ? checked(parsed.scenario, []) : refusedSource(parsed.problems);
}

/** A run that fails of it keeps only the sentence, so the sentence says where to look. */
function firstOf([first, ...rest]: readonly Problem[]): string {
  if (first === undefined) return '';
  const line = first.at === undefined ? '' : ` in line ${first.at.line}`;
  const path = first.path === undefined || first.path === '' ? '' : ` at ${first.path}`;
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`;
  return `${line}${path}: ${first.message.replace(/\.$/, '')}${more}`;
}
