import type { Actor } from '../../actors/port.ts';
import { parseScenario, type Scenario } from '../../actors/scripted/scenario.ts';
import { createScriptedActor } from '../../actors/scripted/scripted-actor.ts';
import { Fault, type Problem } from '../../core/fault.ts';
import { valueOrFault } from '../../dialects/source/checked.ts';
import { readDocument } from '../../dialects/source/read-document.ts';
import { readSourceFile } from '../../dialects/source/read-source-file.ts';
import type { ScriptedModel } from '../config/config.ts';

/** An actor that answers from a scenario file, in this process. */
export async function createScriptedModel({ scenario, model, price }: ScriptedModel): Promise<Actor> {
  const options = { ...(model === undefined ? {} : { model }), ...(price === undefined ? {} : { price }) };
  return createScriptedActor(await readScenario(scenario), options);
}

export async function readScenario(file: string): Promise<Scenario> {
  const read = await readSourceFile(file);
  if (!read.ok) {
    const reason = firstOf(read.problems);
    throw new Fault('SCENARIO_INVALID', `The scenario ${file} cannot be used${reason}.`, { problems: read.problems });
  }
  const text = read.value;
  const { document } = valueOrFault(readDocument(text, { file }), 'SCENARIO_INVALID');
  const parsed = parseScenario(document, { file });
  if (parsed.kind === 'parsed') return parsed.scenario;
  throw new Fault('SCENARIO_INVALID', `The scenario ${file} has errors${firstOf(parsed.problems)}.`, {
    problems: parsed.problems,
  });
}

/** A run that fails of it keeps only the sentence, so the sentence says where to look. */
function firstOf([first, ...rest]: readonly Problem[]): string {
  if (first === undefined) return '';
  const place = first.path === undefined || first.path === '' ? '' : ` at ${first.path}`;
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`;
  return `${place}: ${first.message.replace(/\.$/, '')}${more}`;
}
