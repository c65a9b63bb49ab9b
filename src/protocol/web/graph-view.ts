import { z } from 'zod';
import { list, type Wire } from '../operations/parts.ts';

const graphNodeSchema = z.object({
  id: z
    .string()
    .describe(
      'The way down: `implement`, `implement/impl_1` (a lane), `implement/t3/plan` (a state of the child run of a unit or call)',
    ),
  parent: z.string().nullable(),
  kind: z.enum([
    'turn',
    'tell',
    'clear',
    'script',
    'command',
    'call',
    'pool',
    'ask',
    'merge',
    'wait',
    'compute',
    'choice',
    'end',
    'lane',
    'start',
  ]),
  label: z.string().describe("The author's word for it"),
  detail: z.string().describe('Who or what does it, in a line'),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  state: z.string().nullable().describe('The state in the workflow of `run`; null for lanes and the start'),
  states: list(z.string()).describe(
    'All states of that workflow it stands for: it is active while the run is in one of them. More than one where its author wrote something that runs as several states, as a stage does.',
  ),
  counted: list(z.string()).describe(
    "Those of `states` whose visits are visits of the node: not the engine's own steps before, after and between them",
  ),
  run: z.string().nullable().describe('The run whose state it is; null in the picture of a file'),
  unit: z.string().nullable().describe('Of a lane: its unit'),
  inside: z.enum(['none', 'folded', 'open']).describe('It has an inside that is not shown now, or is'),
  file: z.string().nullable().describe('Where its author wrote it'),
  line: z.number().nullable(),
  outcome: z.string().nullable().describe('Of an end'),
});

const graphEdgeSchema = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  label: z.string().describe('In full; the box at `labelAt` has room for its beginning, as `labelLines` cuts it'),
  condition: z.string().describe('As its author wrote it; empty where the way has none'),
  outcome: z
    .string()
    .describe(
      'For the last edge taken: the outcome and the number of the transition, as `state.entered` tells them; of the first of its ways.',
    ),
  transition: z
    .number()
    .describe(
      '-1 where it is not a transition of the workflow that runs: then the edge was taken that lies between the last two nodes',
    ),
  ways: list(z.object({ state: z.string(), outcome: z.string(), transition: z.number() })).describe(
    'Every transition it stands for: outcomes that lead to the same state share a line. Empty where `transition` is -1.',
  ),
  isBack: z.boolean().describe('Against the reading direction'),
  points: list(z.object({ x: z.number(), y: z.number() })),
  labelAt: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).nullable(),
});

/** A workflow or a run laid out for drawing. It stays the same while the run only moves: active states are a fold of the records. */
export const graphViewSchema = z.object({
  hash: z.string().describe('Of everything below: the same hash is the same picture'),
  direction: z.enum(['right', 'down']),
  width: z.number(),
  height: z.number(),
  nodes: list(graphNodeSchema).describe('Parents before their children'),
  edges: list(graphEdgeSchema),
});

export type GraphView = Wire<typeof graphViewSchema>;
export type GraphNode = Wire<typeof graphNodeSchema>;
export type GraphEdge = Wire<typeof graphEdgeSchema>;
