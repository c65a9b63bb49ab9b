import type { Transition, WorkState } from '../../core/model/workflow.ts';
import { expressionText } from '../../protocol/graph/expression-text.ts';
import type { GraphEdge } from '../../protocol/web/graph-view.ts';
import { backArcs } from './back-links.ts';
import type { ChartBox, ChartLink } from './chart.ts';

export type LinkWay = GraphEdge['ways'][number];

/** An edge before it is known whether it leads back. */
export interface LooseLink {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly ways: readonly LinkWay[];
  /** Parts of its id, where it has no ways. */
  readonly sign?: string;
}

/** Where a state leads. Outcomes that lead to the same state without a condition share an edge, else there would be five side by side. */
export function stateLinks(state: WorkState, idOf: (name: string) => string): readonly LooseLink[] {
  const ok = state.transitions.map((transition, index) =>
    wayOf(transition, { state: state.name, outcome: 'ok', transition: index }),
  );
  const handled = Object.entries(state.on).flatMap(([outcome, transitions]) =>
    transitions.map((transition, index) => wayOf(transition, { state: state.name, outcome, transition: index })),
  );
  const groups = Map.groupBy([...ok, ...handled], ({ target, condition, way }) =>
    condition === '' ? target : JSON.stringify([target, way.outcome, way.transition]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const ways = group.map(({ way }) => way);
    return [{ from: idOf(state.name), to: idOf(first.target), label: labelOf(ways, first.condition), ways }];
  });
}

interface OneWay {
  readonly target: string;
  readonly condition: string;
  readonly way: LinkWay;
}

const wayOf = ({ target, when }: Transition, way: LinkWay): OneWay => ({
  target,
  condition: when === null ? '' : shortened(expressionText(when)),
  way,
});

/** Drops the obvious prefix, since an edge has little room. */
const shortened = (condition: string): string => condition.replaceAll(/\b(?:this\.)?common_data(?:\.|\?\.)/g, '');

function labelOf(ways: readonly LinkWay[], condition: string): string {
  const outcomes = ways.map(({ outcome }) => outcome);
  const isOk = outcomes.every((outcome) => outcome === 'ok');
  return [isOk ? '' : outcomes.join(', '), condition]
    .filter((part) => part !== '')
    .join(': ')
    .slice(0, LONGEST);
}

const LONGEST = 400;

/** Links between boxes that are there, with those marked that lead back in the order of the boxes. */
export function markedLinks(boxes: readonly ChartBox[], links: readonly LooseLink[]): readonly ChartLink[] {
  const order = new Map(boxes.map(({ about }, index) => [about.id, index]));
  const known = links.flatMap((link) => {
    const [from, to] = [order.get(link.from), order.get(link.to)];
    return from === undefined || to === undefined ? [] : [{ link, from, to }];
  });
  const back = backArcs(boxes.length, known);
  return known.map(({ link: { sign, ...link } }, index) => ({
    ...link,
    id: `${link.from}>${sign ?? `${link.to}>${link.ways[0]?.outcome ?? ''}.${link.ways[0]?.transition ?? ''}`}`,
    outcome: link.ways[0]?.outcome ?? 'ok',
    transition: link.ways[0]?.transition ?? -1,
    isBack: back[index] === true,
  }));
}
