import type { Flow, FlowLink, LaidFlow, Point, Route, Size } from './flow.ts';

const GAP = 48;

/** A layout without ELK, for what it cannot do: in ranks by the longest way to each box, with straight edges. Plain, but never wrong. */
export function plainFlow(flow: Flow): LaidFlow {
  const { direction, sizes, links } = flow;
  const isRight = direction === 'right';
  const ranks = Map.groupBy(sizes.keys(), rankOf(sizes.length, links));
  const places: Point[] = sizes.map(() => ({ x: 0, y: 0 }));
  let along = 0;
  let across = 0;
  for (const rank of [...ranks.keys()].toSorted((one, other) => one - other)) {
    let beside = 0;
    let depth = 0;
    for (const index of ranks.get(rank) ?? []) {
      const { width, height } = sizes[index] ?? NONE;
      places[index] = isRight ? { x: along, y: beside } : { x: beside, y: along };
      beside += (isRight ? height : width) + GAP;
      depth = Math.max(depth, isRight ? width : height);
    }
    across = Math.max(across, beside - GAP);
    along += depth + GAP * 2;
  }
  const length = Math.max(0, along - GAP * 2);
  const routes = links.map((link) => straight(link, places, sizes));
  return { ...(isRight ? { width: length, height: across } : { width: across, height: length }), places, routes };
}

const NONE = { width: 0, height: 0 };

/** The longest way from a beginning, without ways back: those that are left make no circle. */
function rankOf(count: number, links: readonly FlowLink[]): (index: number) => number {
  const forward = links.filter(({ isBack, from, to }) => !isBack && from !== to);
  const ranks = Array.from({ length: count }, () => 0);
  const before = Array.from({ length: count }, () => 0);
  for (const { to } of forward) before[to] = (before[to] ?? 0) + 1;
  const out = Map.groupBy(forward, ({ from }) => from);
  const ready = [...before.keys()].filter((index) => before[index] === 0);
  for (let at = ready.pop(); at !== undefined; at = ready.pop()) {
    for (const { to } of out.get(at) ?? []) {
      ranks[to] = Math.max(ranks[to] ?? 0, (ranks[at] ?? 0) + 1);
      before[to] = (before[to] ?? 1) - 1;
      if (before[to] === 0) ready.push(to);
    }
  }
  return (index) => ranks[index] ?? 0;
}

/** From border to border on the line between both middles. */
function straight({ from, to, label }: FlowLink, places: readonly Point[], sizes: readonly Size[]): Route {
  const [one, other] = [boxOf(from, places, sizes), boxOf(to, places, sizes)];
  if (from === to) return loop(one, label);
  const [start, end] = [borderTowards(one, middle(other)), borderTowards(other, middle(one))];
  const half = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
  return { points: [start, end], labelAt: label === null ? null : around(half, label) };
}

type Box = Point & Size;

const boxOf = (index: number, places: readonly Point[], sizes: readonly Size[]): Box => ({
  ...(places[index] ?? { x: 0, y: 0 }),
  ...(sizes[index] ?? NONE),
});

const middle = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });

const around = ({ x, y }: Point, size: Size): Box => ({ x: x - size.width / 2, y: y - size.height / 2, ...size });

function borderTowards(box: Box, target: Point): Point {
  const { x, y } = middle(box);
  const [dx, dy] = [target.x - x, target.y - y];
  const stretch = Math.max(Math.abs(dx) / (box.width / 2), Math.abs(dy) / (box.height / 2));
  return stretch === 0 ? { x, y: box.y } : { x: x + dx / stretch, y: y + dy / stretch };
}

/** A loop that leaves at the top and returns next to it. */
function loop({ x, y, width }: Box, label: Size | null): Route {
  const [left, right, top] = [x + width / 3, x + (width * 2) / 3, y - GAP / 3];
  const points = [
    { x: left, y },
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y },
  ];
  return { points, labelAt: label === null ? null : around({ x: x + width / 2, y: top }, label) };
}
