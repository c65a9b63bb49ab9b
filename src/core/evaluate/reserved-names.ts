import type { Position } from '../model/fault.ts';
import type { Finding } from '../model/finding.ts';
import type { Workflow } from '../model/workflow.ts';

/** The parts of a workflow in which authors give names. */
export type NamedPart = 'inputs' | 'output' | 'data' | 'contexts' | 'agents' | 'states';

/** Where the author wrote a name, for formats that know; the model itself keeps only the place of states. */
export type PlaceOf = (part: NamedPart, name: string) => Position | undefined;

export const NO_PLACE: PlaceOf = () => undefined;

/**
 * Names become keys of records, and scripts look them up in objects. A name that every object has would be found where
 * nothing was stored, so such names are refused.
 */
export function validateReservedNames(workflow: Workflow, placeOf: PlaceOf): readonly Finding[] {
  return namesOf(workflow)
    .filter(({ name }) => RESERVED.has(name))
    .map(({ part, what, name }) => ({
      code: 'NAME_RESERVED',
      message: `${what} cannot be called "${name}": every JavaScript object has something of that name.`,
      path: part === 'output' ? 'output' : `${part}.${name}`,
      at: placeOf(part, name) ?? (part === 'states' ? workflow.states[name]?.at : undefined),
      hint: `Choose another name, such as "my_${name.replaceAll('_', '')}".`,
    }));
}

const RESERVED: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

interface GivenName {
  readonly part: NamedPart;
  readonly what: string;
  readonly name: string;
}

function namesOf(workflow: Workflow): readonly GivenName[] {
  const { inputs, output, data, contexts, agents, states } = workflow;
  const named = (part: NamedPart, what: string, names: readonly string[]): readonly GivenName[] =>
    names.map((name) => ({ part, what, name }));
  return [
    ...named(
      'inputs',
      'An input',
      inputs.map((input) => input.name),
    ),
    ...named('output', 'The output', output === null ? [] : [output.name]),
    ...named('data', 'A variable', Object.keys(data)),
    ...named(
      'contexts',
      'A context',
      contexts.map((context) => context.name),
    ),
    ...named(
      'agents',
      'An agent',
      agents.map((agent) => agent.name),
    ),
    ...named(
      'states',
      'A state',
      Object.values(states).map((state) => state.name),
    ),
  ];
}
