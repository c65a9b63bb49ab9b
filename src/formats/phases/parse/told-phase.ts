import type { Position } from '../../../core/model/fault.ts';
import type { State, Workflow } from '../../../core/model/workflow.ts';
import { code, type PlacedAgent } from '../../../source/model-parts.ts';
import type { Origin } from '../../../source/problem-report.ts';
import type { SourcePath } from '../../../source/place.ts';
import type { PhaseSpec } from './phase-list.ts';
import type { PlacedReference } from './phase-script.ts';

/** What a phase knows of its file. */
export interface ToldPhase {
  readonly spec: PhaseSpec;
  readonly references: readonly PlacedReference[];
  readonly origin: Origin;
}

/** A phase as it was lowered, with the places of its file in whatever may be told of it. */
export function withPlaces(workflow: Workflow, told: ToldPhase): Workflow {
  return {
    ...workflow,
    agents: workflow.agents.map((agent, index) => placed(agent, index, told)),
    states: {
      ...workflow.states,
      ...failing(workflow.states['unread'], emptyTemplates(told)),
      ...failing(workflow.states['timed_out'], outOfTime(told)),
    },
  };
}

/** Its type and its actor stand in lines of their own, and so does each that takes over. */
function placed(agent: PlacedAgent, index: number, { spec, origin }: ToldPhase): PlacedAgent {
  const at = origin.locate(index === 0 ? spec.typePath : [...spec.path, 'fallback', index - 1]);
  const actorAt = agent.actor === undefined ? undefined : origin.locate([...spec.path, 'actor']);
  return { ...agent, ...(at === undefined ? {} : { at }), ...(actorAt === undefined ? {} : { actorAt }) };
}

function failing(state: State | undefined, source: string): Readonly<Record<string, State>> {
  return state?.kind === 'end' ? { [state.name]: { ...state, failure: code(source) } } : {};
}

/** Where the template stands, what the file has instead, closest first, and how to write what may be missing. */
function emptyTemplates({ references, origin }: ToldPhase): string {
  const known = [...Map.groupBy(references, ({ text }) => text)].map(([text, group]) => {
    const [{ phase, output, below } = { phase: '', output: '', below: [] }] = group;
    const places = [...new Set(group.map(({ path }) => placeText(origin, path)))].join(', ');
    const lenient = `${phase}.output.${output}?.${below.join('.')}`;
    return [text, { phase, output, below, places, lenient: below.length === 0 ? '' : lenient }] as const;
  });
  return `((known, missing, phases) => {
    ${CLOSENESS}
    const told = missing.map((text) => {
      const one = known[text];
      if (one === undefined) return '\${' + text + '}';
      const made = phases[one.phase]?.output ?? {};
      let value = made.content?.[one.output];
      for (const key of one.below) {
        const next = value?.[key];
        if (typeof next !== 'object' || next === null) break;
        value = next;
      }
      const wanted = one.below.find((key) => value?.[key] === undefined) ?? '';
      const keys = typeof value === 'object' && value !== null ? closest(wanted, Object.keys(value)) : [];
      const path = made.output?.[one.output];
      const has = keys.length === 0 ? '' : '; ' + (typeof path === 'string' ? path : one.output) + ' has ' + keys.join(', ');
      return '\${' + text + '} (' + one.places + has + ')';
    });
    const lenient = missing.map((text) => known[text]?.lenient ?? '').find((text) => text !== '') ?? '';
    return {
      ...common_data.problem,
      code: 'TEMPLATE_EMPTY',
      message: 'Nothing has a value for ' + told.join(', ') + '.',
      hint: (lenient === '' ? '' : 'What may be missing is written with ?., as in \${' + lenient + '}. ')
        + 'troupe artifacts RUN shows what the phase before wrote.',
    };
  })(${JSON.stringify(Object.fromEntries(known))}, common_data.missing, common_data.phases)`;
}

/** In the isolate, which has no code of ours: how many letters differ. */
const CLOSENESS = `const distance = (one, other) => {
      let row = Array.from({ length: other.length + 1 }, (_, index) => index);
      for (let at = 0; at < one.length; at += 1) {
        const next = [at + 1];
        for (let to = 0; to < other.length; to += 1) {
          next.push(Math.min(next[to] + 1, row[to + 1] + 1, row[to] + (one[at] === other[to] ? 0 : 1)));
        }
        row = next;
      }
      return row[other.length];
    };
    const closest = (wanted, keys) => keys.slice(0, 200).map((key) => ({ key, far: distance(wanted, key.slice(0, 60)) }))
      .sort((one, other) => one.far - other.far).slice(0, 8).map(({ key }) => key);`;

/** The words of the engine name a state of its own. */
function outOfTime({ spec, origin }: ToldPhase): string {
  const seconds = spec.timeoutMs === null ? '' : ` of ${spec.timeoutMs / 1000} s`;
  const place = spec.timeoutMs === null ? '' : ` (${placeText(origin, [...spec.path, 'timeout'])})`;
  const message = `Phase "${spec.id}" took longer than its timeout${seconds}${place}`;
  return `((problem, times) => problem?.code === 'TIMEOUT' && /^(work|fallback_\\d+) took longer/.test(problem.message)
    ? { ...problem, message: ${JSON.stringify(message)} + (times > 1 ? ', ' + times + ' times.' : '.'),
        hint: 'Give it more time with timeout: (seconds), or more tries with errors.timeout_retries.' }
    : problem)(common_data.problem, common_data.timeouts + 1)`;
}

function placeText({ file, locate }: Origin, path: SourcePath): string {
  const at: Position | undefined = locate(path, 'key');
  return at === undefined ? file : `${file}:${at.line}`;
}
