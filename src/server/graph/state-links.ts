import type { WorkState } from '../../core/model/workflow.ts';
import { OTHERWISE, wayWords } from '../../protocol/graph/edges.ts';
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
  /** As its author wrote it. */
  readonly condition: string;
  readonly ways: readonly LinkWay[];
  /** Parts of its id, where it has no ways. */
  readonly sign?: string;
}

/** Where a state leads. Outcomes that lead to the same state without a condition share an edge, else there would be five side by side. */
export function stateLinks(state: WorkState, idOf: (name: string) => string): readonly LooseLink[] {
  const ways = Object.entries({ ok: state.transitions, ...state.on }).flatMap(([outcome, transitions]) =>
    transitions.map((transition, index) => ({
      target: transition.target,
      condition: transition.when === null ? '' : expressionText(transition.when),
      words: wayWords(transitions, index) ?? UNSAID,
      way: { state: state.name, outcome, transition: index },
    })),
  );
  const groups = Map.groupBy(ways, ({ target, words, way }) =>
    words === '' || words === OTHERWISE ? target : JSON.stringify([target, way.outcome, way.transition]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { target, condition } = first;
    const leads = { from: idOf(state.name), to: idOf(target), condition };
    return [{ ...leads, label: labelOf(group), ways: group.map(({ way }) => way) }];
  });
}

/** There is a condition, and only its code says which. */
const UNSAID = 'if …';

function labelOf(group: readonly { readonly words: string; readonly way: LinkWay }[]): string {
  const outcomes = group.map(({ way }) => way.outcome);
  const usual = group.find(({ way }) => way.outcome === 'ok');
  if (usual !== undefined) return usual.words;
  const words = group.map((one) => one.words).find((one) => one !== '') ?? '';
  const failed = outcomes.length > 2 ? 'on failure' : outcomes.join(', ');
  return words === '' || words === OTHERWISE ? failed : `${failed}: ${words}`;
}

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
